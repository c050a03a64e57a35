// Parts of resolve() that are files of their own.
#pragma once

#include <string>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Index of a name among those known; 0 where none is given. Throws InputError where it is unknown.
int choose(const char* table, const char* key, const std::string& name, const std::vector<std::string>& known);

/// Throws InputError where starts on a section have no plane to lie in.
void require_plane(const ResolvedRun& run);
/// Completes where trajectories start; the system, its parameters and the limits of all keys have been looked at.
void resolve_ensemble(ResolvedRun& run);

}  // namespace polhode
