#include "cli/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "cli/table_reader.hpp"
#include "cli/toml_file.hpp"
#include "ensemble/suggestion.hpp"
#include "error.hpp"

namespace polhode {
namespace {

template <class Entry>
std::vector<std::string> names_of(std::span<const Entry> entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

/// The system of that name; of a family the one that the vectors given have the sizes of.
const SystemEntry* choose_system(TableReader& table, const std::string& name) {
  const std::vector<const SystemEntry*> family = find_systems(name);
  if (family.empty()) {
    std::vector<std::string> known;  // several may have one name, or one family
    for (const SystemEntry& system : systems())
      for (const char* either : {system.name, system.family})
        if (std::ranges::find(known, either) == known.end()) known.emplace_back(either);
    table.fail("name", fmt::format("unknown system \"{}\"{}", name, nearest_known(name, known)),
               "See polhode list systems");
  }
  if (family.size() == 1) return family.front();
  for (const Parameter& parameter : family.front()->parameters) {
    if (parameter.size == 1 || !table.has(parameter.name)) continue;
    const int given = static_cast<int>(table.numbers(parameter.name)->size());
    std::vector<int> sizes;
    for (const SystemEntry* system : family)
      for (const Parameter& other : system->parameters)
        if (std::string_view(other.name) == parameter.name) {
          if (other.size == given) return system;
          sizes.push_back(other.size);
        }
    table.fail(parameter.name, fmt::format("it has {} numbers", given),
               fmt::format("Give {}", fmt::join(sizes, " or ")));
  }
  for (const Parameter& parameter : family.front()->parameters)
    if (parameter.size > 1) table.missing(parameter.name, parameter.meaning);
  return family.front();
}

void read_system(const toml::table& config, RunSpec& spec) {
  TableReader table(config, "system");
  const auto name = table.string("name");
  if (!name) table.missing("name", "which system to integrate");
  spec.system = choose_system(table, *name);
  for (const Parameter& parameter : spec.system->parameters) {
    const auto read = [&](const char* key) -> std::optional<std::vector<double>> {
      if (!table.has(key)) return std::nullopt;
      std::vector<double> value = parameter.size == 1 ? std::vector<double>{*table.number(key)} : *table.numbers(key);
      if (static_cast<int>(value.size()) != parameter.size)
        table.fail(key, fmt::format("it has {} numbers", value.size()), fmt::format("Give {}", parameter.size));
      return value;
    };
    auto value = read(parameter.name);
    for (const Alternative& alternative : spec.system->alternatives) {
      if (std::string_view(alternative.parameter) != parameter.name) continue;
      const auto given = read(alternative.name);
      if (!given) continue;
      if (value) table.fail(alternative.name, fmt::format("{} is given too", parameter.name), "Give one of them");
      value.emplace(parameter.size);
      alternative.convert(given->data(), value->data());
    }
    if (!value) {
      if (!parameter.default_value) table.missing(parameter.name, parameter.meaning);
      value.emplace(parameter.default_value, parameter.default_value + parameter.size);
    }
    spec.parameters.insert(spec.parameters.end(), value->begin(), value->end());
  }
  table.finish();
}

void read_method(const toml::table& config, RunSpec& spec) {
  TableReader table(config, "method");
  const auto name = table.string("name");
  if (!name) table.missing("name", "which step map to use");
  spec.method = find_method(spec.system->name, *name);
  if (!spec.method) {
    std::vector<std::string> known;
    for (const MethodEntry& entry : methods())
      if (std::string_view(entry.system) == spec.system->name) known.emplace_back(entry.name);
    table.fail("name", fmt::format("{} has no method \"{}\"{}", spec.system->name, *name, nearest_known(*name, known)),
               "See polhode list methods");
  }
  std::vector<std::string> solvers;
  for (const VariantEntry& variant : spec.method->variants) solvers.emplace_back(variant.solver);
  spec.variant = table.choice("solver", solvers).value_or(0);
  table.choice("composition", {"none"});
  const auto step = table.number("step");
  if (!step) table.missing("step", "the time step h");
  spec.step = *step;
  spec.final_projection = table.boolean("final_projection").value_or(false);
  table.finish();
}

/// [ensemble] variables: whether the states that are given hold velocities in place of momenta.
bool read_velocities(TableReader& table, const SystemEntry& system) {
  const bool velocities = table.choice("variables", {"momentum", "velocity"}).value_or(0) == 1;
  if (velocities && !system.prepare_velocities)
    table.fail("variables", fmt::format("{} has no velocities", system.name), "Give momenta");
  return velocities;
}

/// [ensemble] state, of the system.
std::vector<double> read_state(TableReader& table, const RunSpec& spec, const char* meaning) {
  const std::size_t dim = spec.system->dim;
  const auto state = table.numbers("state");
  if (!state) table.missing("state", meaning);
  if (state->size() != dim)
    table.fail("state", fmt::format("it has {} numbers", state->size()), fmt::format("Give {}", dim));
  return *state;
}

void read_random(TableReader& table, RunSpec& spec) {
  using Distribution = RandomSpec::Distribution;
  RandomSpec& random = spec.ensemble.random;
  const auto distribution =
      table.choice("distribution", {std::begin(distribution_names), std::end(distribution_names)});
  if (!distribution) table.missing("distribution", "\"microcanonical\", \"canonical\", \"cloud\" or \"attitudes\"");
  random.distribution = static_cast<Distribution>(*distribution);
  const auto count = table.integer("count");
  if (!count) table.missing("count", "how many trajectories");
  if (*count < 1) table.fail("count", fmt::format("{} is not positive", *count), "Give at least 1");
  random.count = *count;
  random.seed = static_cast<std::uint64_t>(table.integer("seed").value_or(0));
  switch (random.distribution) {
    case Distribution::microcanonical: {
      const auto energy = table.number("energy");
      if (!energy) table.missing("energy", "the energy of every start");
      random.equilibrium.energy = *energy;
      random.equilibrium.momentum = table.number("momentum");
      random.equilibrium.angular_momentum = table.number("angular_momentum");
      break;
    }
    case Distribution::canonical:
      random.equilibrium.temperature = table.number("temperature");
      if (!random.equilibrium.temperature) table.missing("temperature", "kT, an energy");
      if (!(*random.equilibrium.temperature > 0))
        table.fail("temperature", fmt::format("{} is not positive", *random.equilibrium.temperature), "Give kT");
      break;
    case Distribution::attitudes: random.centre = read_state(table, spec, "the state to be turned"); break;
    case Distribution::cloud: {
      const std::size_t dim = spec.system->dim;
      random.centre = read_state(table, spec, "the middle of the cloud");
      const auto width = table.numbers_or_one("width", dim);
      if (!width) table.missing("width", "standard deviations, one number or one a column");
      for (const double w : *width)
        if (w < 0) table.fail("width", fmt::format("{} is negative", w), "Give lengths");
      random.width = *width;
      break;
    }
  }
}

void read_ensemble(const toml::table& config, const std::filesystem::path& folder, RunSpec& spec) {
  TableReader table(config, "ensemble");
  EnsembleSpec& ensemble = spec.ensemble;
  const auto from = table.choice("from", {"section", "states", "file", "random"});
  if (!from) table.missing("from", "where trajectories start: \"section\", \"states\", \"file\" or \"random\"");
  ensemble.from = static_cast<EnsembleSpec::From>(*from);
  std::string context;
  switch (ensemble.from) {
    case EnsembleSpec::From::section: {
      context = "with from = \"section\"";
      require_chart(*spec.system);  // before its grid and energy are asked for
      const auto grid = table.integers("grid");
      if (!grid) table.missing("grid", "cells along the two coordinates of the chart");
      if (grid->size() != 2) table.fail("grid", fmt::format("it has {} numbers", grid->size()), "Give 2");
      std::copy(grid->begin(), grid->end(), ensemble.grid.begin());
      const auto energy = table.number("energy");
      if (!energy) table.missing("energy", "the energy of every start");
      ensemble.energy = *energy;
      ensemble.momentum = table.number("momentum").value_or(0);
      ensemble.branch = table.choice("branch", branch_names(*spec.system->chart)).value_or(0);
      break;
    }
    case EnsembleSpec::From::states: {
      context = "with from = \"states\"";
      auto states = table.rows("states", static_cast<std::size_t>(spec.system->dim));
      if (!states) table.missing("states", "a list of states");
      ensemble.states = std::move(*states);
      ensemble.velocities = read_velocities(table, *spec.system);
      break;
    }
    case EnsembleSpec::From::file: {
      context = "with from = \"file\"";
      const auto path = table.string("path");
      if (!path) table.missing("path", "an HDF5 file");
      ensemble.path = folder / *path;  // an absolute path replaces the folder
      ensemble.dataset = table.string("dataset").value_or("/final/state");
      ensemble.velocities = read_velocities(table, *spec.system);
      break;
    }
    case EnsembleSpec::From::random:
      read_random(table, spec);
      context =
          fmt::format("with distribution = \"{}\"", distribution_names[static_cast<int>(ensemble.random.distribution)]);
      break;
  }
  table.finish(context);
}

void read_run(const toml::table& config, RunSpec& spec) {
  TableReader table(config, "run");
  const auto steps = table.integer("steps");
  if (!steps) table.missing("steps", "how many steps to take");
  spec.steps = *steps;
  spec.backend = static_cast<BackendChoice>(
      table.choice("backend", {std::begin(backend_names), std::end(backend_names)}).value_or(0));
  spec.precision = static_cast<Precision>(table.choice("precision", {"double", "single"}).value_or(0));
  const std::int64_t threads = table.integer("threads").value_or(0);
  if (threads < 0 || threads > 4096)
    table.fail("threads", "it must be between 0 and 4096", "Give 0 for one a processor");
  spec.threads = static_cast<int>(threads);
  spec.segment = table.integer("segment").value_or(spec.segment);
  spec.slice = table.integer("slice").value_or(spec.slice);
  spec.checkpoint = table.number("checkpoint").value_or(spec.checkpoint);
  const int isa = table.choice("isa", {"auto", "scalar", "avx2", "avx512"}).value_or(0);
  if (isa > 0) spec.isa = static_cast<Isa>(isa - 1);
  table.finish();
}

/// An observable by its name, as the value of a key.
int find_observable(const TableReader& table, const char* key, const SystemEntry& system, const std::string& name) {
  const int observable = system.find_observable(name);
  if (observable < 0)
    table.fail(key, fmt::format("unknown observable \"{}\"{}", name, nearest_known(name, names_of(system.observables))),
               "See polhode list sections");
  return observable;
}

void read_section(const toml::table& config, RunSpec& spec) {
  if (!config.contains("section")) return;
  TableReader table(config, "section");
  SectionSpec section;
  const auto name = table.string("name");
  if (!name) table.missing("name", "the column or observable that crosses a value");
  section.observable = find_observable(table, "name", *spec.system, *name);
  section.value = table.number("value").value_or(0);
  const int direction = table.choice("direction", {"up", "down", "both"}).value_or(0);
  section.up = direction != 1;
  section.down = direction != 0;
  section.where = table.string("where").value_or("");
  section.points = table.boolean("points").value_or(true);
  section.terminal = table.boolean("terminal").value_or(false);
  table.finish();
  spec.section = section;
}

void read_density(const toml::table& config, RunSpec& spec) {
  if (!config.contains("density")) return;
  TableReader table(config, "density");
  DensitySpec density;
  const auto axes = table.strings("axes");
  const auto bins = table.integers("bins");
  const auto range = table.rows("range", 2);
  if (!axes) table.missing("axes", "two columns or observables");
  if (!bins) table.missing("bins", "cells along the two axes");
  if (!range) table.missing("range", "[[low, high], [low, high]]");
  if (axes->size() != 2) table.fail("axes", fmt::format("it has {} names", axes->size()), "Give 2");
  if (bins->size() != 2) table.fail("bins", fmt::format("it has {} numbers", bins->size()), "Give 2");
  if (range->size() != 4) table.fail("range", fmt::format("it has {} pairs", range->size() / 2), "Give 2");
  for (int i = 0; i < 2; ++i) {
    density.observables[i] = find_observable(table, "axes", *spec.system, (*axes)[i]);
    density.bins[i] = (*bins)[i];
    density.low[i] = (*range)[2 * i];
    density.high[i] = (*range)[2 * i + 1];
  }
  table.finish();
  spec.density = density;
}

void read_statistics(const toml::table& config, RunSpec& spec) {
  if (!config.contains("statistics")) return;
  TableReader table(config, "statistics");
  StatisticsSpec statistics;
  const auto every = table.integer("every");
  const auto observables = table.strings("observables");
  const auto bins = table.integer("bins");
  const auto range = table.rows("range", 2);
  if (!every) table.missing("every", "steps from one time to the next");
  if (!observables) table.missing("observables", "columns or observables");
  if (bins && !range) table.missing("range", "[low, high] of each observable's histogram");
  if (range && !bins) table.missing("bins", "cells of each histogram");
  statistics.every = *every;
  for (const std::string& name : *observables)
    statistics.observables.push_back(find_observable(table, "observables", *spec.system, name));
  if (bins) {
    statistics.bins = *bins;
    if (range->size() != 2 * observables->size())
      table.fail("range", fmt::format("it has {} pairs", range->size() / 2),
                 fmt::format("Give {}, one for each observable", observables->size()));
    for (std::size_t i = 0; i < observables->size(); ++i) {
      statistics.low.push_back((*range)[2 * i]);
      statistics.high.push_back((*range)[2 * i + 1]);
    }
  }
  table.finish();
  spec.statistics = statistics;
}

void read_record(const toml::table& config, RunSpec& spec) {
  TableReader table(config, "record");
  spec.snapshots = table.integer("snapshots").value_or(spec.snapshots);
  spec.invariants = table.boolean("invariants").value_or(spec.invariants);
  spec.invariants_every = table.integer("invariants_every").value_or(spec.invariants_every);
  table.finish();
}

void check_tables(const toml::table& config) {
  const std::vector<std::string> known{"system",  "method",     "ensemble", "run",   "section",
                                       "density", "statistics", "record",   "output"};
  for (const auto& [key, node] : config) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("unknown table [{}] (a configuration has no such table{}). Correct or remove it.",
                                   name, nearest_known(name, known)));
  }
}

}  // namespace

RunSpec read_config(const std::filesystem::path& file, const Overrides& overrides) {
  toml::table config = parse_toml(file);
  // Options are other spellings of keys, so that the file keeps what was run.
  if (overrides.output) table_of(config, "output").insert_or_assign("file", *overrides.output);
  if (overrides.backend) table_of(config, "run").insert_or_assign("backend", *overrides.backend);
  if (overrides.precision) table_of(config, "run").insert_or_assign("precision", *overrides.precision);
  if (overrides.isa) table_of(config, "run").insert_or_assign("isa", *overrides.isa);
  if (overrides.threads) table_of(config, "run").insert_or_assign("threads", *overrides.threads);
  for (const std::string& assignment : overrides.set) set_value(config, assignment);

  check_tables(config);
  RunSpec spec;
  read_system(config, spec);
  read_method(config, spec);
  read_ensemble(config, file.parent_path(), spec);
  read_run(config, spec);
  read_section(config, spec);
  read_density(config, spec);
  read_statistics(config, spec);
  read_record(config, spec);
  TableReader output(config, "output");
  spec.output = output.string("file").value_or(file.stem().string() + ".h5");
  const std::int64_t compression = output.integer("compression").value_or(0);
  if (compression < 0 || compression > 9)
    output.fail("compression", fmt::format("{} is not between 0 and 9", compression), "Give 0 for none, 9 for most");
  spec.compression = static_cast<int>(compression);
  output.finish();
  if (spec.output.empty()) output.fail("file", "it is empty", "Give a file name");

  std::ostringstream text;
  text << config << '\n';
  spec.config = text.str();
  spec.config_file = file;
  validate(spec);
  return spec;
}

}  // namespace polhode
