// Writes the coordinates of dimensions of a result.
#pragma once

#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// Writes the names of the columns of a state and of the invariants.
void write_names(GroupWriter& root, const RunDescription& run);

/// Writes the names of the columns of section points, where these have only some of the columns of a state.
void write_section_names(GroupWriter& section, const RunDescription& run);

/// Writes the centres of the cells of the density along an axis.
void write_cells(GroupWriter& section, const Density& density, int axis);

}  // namespace polhode
