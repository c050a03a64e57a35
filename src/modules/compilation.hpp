// Making of modules' files, by compilers or from bytes: under locks, so that no other process sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "modules/module_source.hpp"

namespace polhode {

/// Treatment of a kernel for GPUs that takes memory where registers should do: it is refused as a mistake, or told as
/// slow.
enum class Spills { refused, told };

/// Module, and the file that it will be.
using ModulePlace = std::pair<const ModuleSource*, std::filesystem::path>;

/// Compiles modules at their places, except those that other processes have made meanwhile; returns the number
/// compiled. Where some fail it throws after the others are made: InputError for a mistake in a user's header,
/// UnavailableError for another failure of a compiler. A guess that fails is left out, without an error. Throws IoError
/// where a file cannot be written.
int compile_at(std::vector<ModulePlace> wanted, Spills policy);

/// Writes a module at its place, from the bytes of its shared object, unless it is there.
void write_at(const std::filesystem::path& place, const ModuleSource& source, const std::string& object);

}  // namespace polhode
