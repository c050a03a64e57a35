// Parts of resolve() that are files of their own.
#pragma once

#include <string>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Index of `name` in `known`; 0 where no name is given. Throws InputError where it is unknown.
int choose(const char* table, const char* key, const std::string& name, const std::vector<std::string>& known);

/// Throws InputError where starts over a grid or a line have no plane to lie in.
void require_plane(const ResolvedRun& run);
/// Completes the starts of a run whose system, method, parameters and limits of keys have been checked. Throws
/// InputError where the starts do not fit the system, the method or the section.
void resolve_ensemble(ResolvedRun& run);

}  // namespace polhode
