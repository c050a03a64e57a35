#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "contract.hpp"
#include "result/annotations.hpp"
#include "result/assembly.hpp"
#include "result/assembly_blocks.hpp"
#include "result/assembly_coordinates.hpp"
#include "result/assembly_statistics.hpp"
#include "result/carried_datasets.hpp"
#include "result/dimensions.hpp"

namespace polhode {
namespace {

/// Writes a setting as an attribute, if it has a value and is no table. A boolean becomes an integer; rows and lists of
/// integers become lists of reals, since attributes have no other lists of numbers.
void write_setting(GroupWriter& root, const std::string& name, const Value& setting) {
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, Rows>)
          root.set_attribute(name, value.numbers);
        else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          root.set_attribute(name, std::vector<double>(value.begin(), value.end()));
        else if constexpr (std::is_same_v<T, bool>)
          root.set_attribute(name, std::int64_t{value});
        else if constexpr (!std::is_same_v<T, std::monostate> && !std::is_same_v<T, NamedNumbers> &&
                           !std::is_same_v<T, NamedTexts>)
          root.set_attribute(name, value);
      },
      setting);
}

void write_root(GroupWriter& root, const RunDescription& run) {
  root.set_attribute("schema", result_schema);
  root.set_attribute("program", "polhode");
  root.set_attribute("version", run.version);
  root.set_attribute("git", run.git);
  root.set_attribute("created", run.created);
  root.set_attribute("config", run.config);
  if (!run.identity.empty()) root.set_attribute("identity", run.identity);
  for (const KeyValue& setting : run.settings) write_setting(root, setting.attribute, setting.value);
  if (run.header) root.set_attribute("header", *run.header);
  if (run.section) root.set_attribute("section", *run.section);
  root.set_attribute("backend", run.backend);
  root.set_attribute("device", run.device);
  root.set_attribute("isa", run.isa);
  if (!run.compiler.empty()) root.set_attribute("compiler", run.compiler);
  root.set_attribute("sweeps", run.sweeps);
}

void write_parameters(GroupWriter& root, const std::vector<ParameterValue>& parameters) {
  const auto group = root.create_group("parameters");
  for (const ParameterValue& parameter : parameters) {
    Dimensions dimensions;
    if (parameter.value.size() != 1) dimensions.push_back({"", parameter.value.size()});
    const auto array = group->create_array(parameter.name, Element::float64, dimensions);
    array->fill([&](RowWriter& rows) { rows.write(0, parameter.value); });
    annotate(*array, parameter.unit.c_str(), parameter.meaning.c_str());
  }
}

void create(GroupWriter& group, const char* name, Element element, const Dimensions& dimensions,
            const std::vector<Column>& columns) {
  annotate(*group.create_array(name, element, dimensions), columns);
}

void create(GroupWriter& group, const char* name, Element element, const Dimensions& dimensions, const char* unit,
            const char* meaning) {
  annotate(*group.create_array(name, element, dimensions), unit, meaning);
}

void create_initial(GroupWriter& root, const RunDescription& run, const Dimension& n) {
  create(*root.create_group("initial"), "state", Element::float64, {n, column_dimension(run)}, run.columns);
}

template <class T>
constexpr Element element_of = std::is_same_v<T, std::uint8_t>   ? Element::uint8
                               : std::is_same_v<T, std::int64_t> ? Element::int64
                                                                 : Element::float64;

void create_final(GroupWriter& root, GroupWriter* section, const RunDescription& run, const Dimension& n) {
  if (run.final_states) {
    const auto final = root.create_group("final");
    create(*final, "state", Element::float64, {n, column_dimension(run)}, run.columns);
    create(*final, "time", Element::float64, {n}, "time", "time of the state: steps times h");
  }
  const auto status = root.create_group("status");
  for_carried_datasets(
      section != nullptr,
      [&]<class T>(const CarriedDataset& dataset, const T&) {
        GroupWriter& group = dataset.group == std::string_view("section") ? *section : *status;
        const auto array = group.create_array(dataset.name, element_of<T>, {n});
        array->set_attribute("unit", "1");
        dataset.meaning ? array->set_attribute("meaning", dataset.meaning)
                        : array->set_attribute("meaning", run.statuses);
      },
      Carried<Single>{});
  if (run.invariants.empty()) return;
  const auto group = root.create_group("invariants");
  const auto names = group->create_array("names", Element::text, {invariant_dimension(run)});
  names->write(names_of(run.invariants));
  annotate(*names, "1", "names of the invariants, the columns of the arrays beside");
  for (const char* name : {"initial", "max_drift", "drift_before_end"})
    if (run.earlier_every > 0 || name != std::string("drift_before_end"))
      create(*group, name, Element::float64, {n, invariant_dimension(run)}, run.invariants);
}

void write_picture(GroupWriter& section, const Picture& picture) {
  section.set_attribute("axes", picture.axes);
  section.set_attribute("axis_columns", picture.columns);
  section.set_attribute("axis_signs", picture.signs);
  section.set_attribute("side", picture.side);
}

void create_section(GroupWriter& group, const RunDescription& run, std::int64_t count) {
  const Dimension points = point_dimension(count);
  if (!run.section_columns.empty()) write_section_names(group, run);
  create(group, "state", Element::float64, {points, section_column_dimension(run)}, section_columns(run));
  create(group, "trajectory", Element::int64, {points}, "1", "number of the trajectory, from 0");
  create(group, "time", Element::float64, {points}, "time", "time of the crossing");
  create(group, "step", Element::int64, {points}, "1", "whole steps before the crossing");
}

void write_density(GroupWriter& section, const Density& density) {
  for (int axis = 0; axis < 2; ++axis) write_cells(section, density, axis);
  const auto counts =
      section.create_array("density", Element::int64, {cell_dimension(density, 0), cell_dimension(density, 1)});
  counts->fill([&](RowWriter& rows) { rows.write(0, density.counts); });
  annotate(*counts, "1", "section points in each cell");
  counts->set_attribute("axes", names_of(density.axes));
  if (const auto angles = angles_of(density.axes); !angles.empty()) counts->set_attribute("angle", angles);
  counts->set_attribute("low", density.low);
  counts->set_attribute("high", density.high);
  counts->set_attribute("outside", density.outside);
}

void create_shadow_energy(GroupWriter& snapshots, const ShadowDescription& shadow, const Dimensions& dimensions) {
  const auto array = snapshots.create_array("shadow_energy", Element::float64, dimensions);
  annotate(*array, shadow.unit.c_str(), "modified Hamiltonian that the method conserves, at time + time_after");
  array->set_attribute("order", shadow.order);
  array->set_attribute("time_after", shadow.time_after);
}

void create_snapshots(GroupWriter& root, const RunDescription& run, const Dimension& n) {
  const auto group = root.create_group("snapshots");
  const Dimension times = snapshot_dimension(run);
  write_times(*group, times, run.snapshots_every, run.step);
  create(*group, "state", Element::float64, {n, times, column_dimension(run)}, run.columns);
  if (!run.invariants.empty())
    create(*group, "invariants", Element::float64, {n, times, invariant_dimension(run)}, run.invariants);
  if (run.shadow) create_shadow_energy(*group, *run.shadow, {n, times});
}

}  // namespace

void lay_out(GroupWriter& root, const RunDescription& run, const Totals& totals) {
  POLHODE_EXPECT(totals.slice > 0);
  const Dimension n = trajectory_dimension(totals.trajectories);
  write_root(root, run);
  write_parameters(root, run.parameters);
  write_names(root, run);
  if (run.initial_states) create_initial(root, run, n);
  std::unique_ptr<GroupWriter> section;
  if (run.section) section = root.create_group("section");
  create_final(root, section.get(), run, n);
  if (section) {
    if (run.picture) write_picture(*section, *run.picture);
    if (run.section_points) create_section(*section, run, totals.points);
    if (run.density) write_density(*section, *run.density);
  }
  if (run.statistics)
    write_statistics(root, run, totals.statistics, (totals.trajectories + totals.slice - 1) / totals.slice);
  if (run.snapshots_every > 0) create_snapshots(root, run, n);
}

}  // namespace polhode
