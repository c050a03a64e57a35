// Making of modules' files, by compilers or from bytes: under locks, so that no other process sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "modules/module_source.hpp"

namespace polhode {

/// Treatment of a kernel for GPUs that spills to memory what should fit into registers (ModuleSource::may_spill).
/// refused: the kernel counts as failed; told: it is kept, and tell() says that it is slow.
enum class Spills { refused, told };

/// Source of a module, and the path of the file that the module will be.
using ModulePlace = std::pair<const ModuleSource*, std::filesystem::path>;

/// Compiles each module into the file at its place, unless the module is there by now, because another process has made
/// it; returns the number compiled, and tells which (tell()). Waits for other processes that make one of them. Throws
/// UnavailableError where there is no compiler, IoError where a file cannot be written. Where compilations fail it
/// throws after the other modules are made: InputError for a mistake in a user's header, UnavailableError for any other
/// failure. A guess (ModuleSource::is_guess) that fails is left out, without an error.
int compile_at(std::vector<ModulePlace> wanted, Spills policy);

/// Writes the file of a module at its place, from the bytes `object` of its shared object (object_in()), unless the
/// module is there. Waits for other processes that make it. Throws IoError where the file cannot be written.
void write_at(const std::filesystem::path& place, const ModuleSource& source, const std::string& object);

}  // namespace polhode
