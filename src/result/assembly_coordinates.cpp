#include "result/assembly_coordinates.hpp"

#include <string>
#include <vector>

#include "result/annotations.hpp"
#include "result/dimensions.hpp"

namespace polhode {
namespace {

std::string name_of(const Dimension& dimension) { return dimension.path.substr(dimension.path.rfind('/') + 1); }

void write_names(GroupWriter& group, const Dimension& dimension, const std::vector<Column>& columns,
                 const char* meaning) {
  const auto names = group.create_array(name_of(dimension), Element::text, {dimension});
  names->write(names_of(columns));
  annotate(*names, "1", meaning);
}

}  // namespace

void write_names(GroupWriter& root, const RunDescription& run) {
  write_names(root, column_dimension(run), run.columns, "names of the columns of a state");
  if (!run.invariants.empty()) write_names(root, invariant_dimension(run), run.invariants, "names of the invariants");
}

void write_section_names(GroupWriter& section, const RunDescription& run) {
  write_names(section, section_column_dimension(run), section_columns(run), "names of the columns of a point");
}

void write_cells(GroupWriter& section, const Density& density, int axis) {
  const Dimension cells = cell_dimension(density, axis);
  const double low = density.low[axis], high = density.high[axis], count = static_cast<double>(cells.size);
  const auto array = section.create_array(name_of(cells), Element::float64, {cells});
  array->fill([&](RowWriter& rows) {
    std::vector<double> centres;
    for (std::uint64_t i = 0; i < cells.size; ++i)
      centres.push_back(low + (high - low) * ((static_cast<double>(i) + 0.5) / count));
    rows.write(0, centres);
  });
  const Column& column = density.axes[axis];
  annotate(*array, column.unit.c_str(), ("centres of the cells: " + column.meaning).c_str());
}

}  // namespace polhode
