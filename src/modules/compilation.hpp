// Making of modules' files, by compilers or from bytes: under locks, so that no other process sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "modules/module_source.hpp"

namespace polhode {

/// Verdict on a kernel for GPUs that takes memory where it should do with registers: a mistake, or slow.
enum class Spills { refused, told };

/// Module, and the file that it will be.
using ModulePlace = std::pair<const ModuleSource*, std::filesystem::path>;

/// Compiles modules at their places, but for those that others have made meanwhile; returns how many. Where some fail
/// the others are made first. Throws InputError for a mistake in a user's header, UnavailableError for another failure
/// of a compiler, IoError where a file cannot be written.
int compile_at(std::vector<ModulePlace> wanted, Spills policy);

/// Writes the object of a module at its place, unless it is there.
void write_at(const std::filesystem::path& place, const ModuleSource& source, const std::string& object);

}  // namespace polhode
