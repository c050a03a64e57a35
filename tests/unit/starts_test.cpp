// Starts: the bits of those that are drawn are pinned, and neither instruction set, nor block, nor thread changes them.
// Processes that share starts make and hold a part of them each.
#include "ensemble/starts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ios>
#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "catalog/catalog.hpp"
#include "checksum.hpp"
#include "ensemble/initial.hpp"
#include "error.hpp"
#include "modules/modules.hpp"

namespace polhode::test {
namespace {

/// What is drawn with a seed, and the checksum of its first thousand states.
struct Case {
  const char* name;
  const char* system;
  std::vector<double> parameters;  ///< empty: those of the example
  EnsembleSpec (*ensemble)(const SystemEntry& system, const double* parameters);
  std::uint64_t bits;
};

template <class Distribution>
RandomStarts drawn(const Distribution& distribution) {
  return {.count = 1000, .seed = 5, .distribution = distribution};
}
template <int energy>
EnsembleSpec at_energy(const SystemEntry&, const double*) {
  return drawn(Microcanonical{.energy = energy, .momentum = {}, .angular_momentum = {}});
}
EnsembleSpec at_momentum(const SystemEntry&, const double*) {
  return drawn(Microcanonical{.energy = 2, .momentum = 0.4, .angular_momentum = {}});
}
EnsembleSpec at_angular_momentum(const SystemEntry&, const double*) {
  return drawn(Microcanonical{.energy = 1, .momentum = {}, .angular_momentum = 1.45});
}
EnsembleSpec at_temperature(const SystemEntry&, const double*) { return drawn(Canonical{.temperature = 0.7}); }
std::vector<double> example(const SystemEntry& system, const double* parameters) {
  std::vector<double> x(system.dim);
  system.example_state(parameters, x.data());
  return x;
}
EnsembleSpec in_a_cloud(const SystemEntry& system, const double* parameters) {
  return drawn(Cloud{.state = example(system, parameters), .width = std::vector<double>(system.dim, 0.01)});
}
EnsembleSpec at_attitudes(const SystemEntry& system, const double* parameters) {
  return drawn(RandomAttitudes{.state = example(system, parameters)});
}

const std::vector<double> free_top{1.5, 1.44, 0.94, 0, 0, 1, 0}, upward_top{1.5, 1.2, 0.6, 0.6, 0, 0.8, -1.1};

const Case cases[] = {
    {"energy", "heavy-top", {}, at_energy<2>, 0x7d0f70bcde8534a1u},
    {"upside down", "heavy-top", upward_top, at_energy<0>, 0xc313ca186518d9efu},
    {"energy and momentum", "heavy-top", {}, at_momentum, 0xb50992f8cd2a5e67u},
    {"temperature", "heavy-top", {}, at_temperature, 0x5bf36a5334bdfcf3u},
    {"angular momentum", "heavy-top", free_top, at_angular_momentum, 0x8b08b6722f9eb941u},
    {"cloud", "heavy-top", {}, in_a_cloud, 0x8e77c99d0a7e176fu},
    {"attitudes", "heavy-top", {}, at_attitudes, 0x7449d3bcde6f3a7cu},
    {"energy", "rigid-body", {}, at_energy<2>, 0xe63c34ce0323121u},
    {"energy and momentum", "heavy-top-matrix", {}, at_momentum, 0x3bc474d56beb0289u},
    {"temperature", "rigid-body-4", {}, at_temperature, 0x2a9f44acaf645fd6u},
    {"angular momentum", "spherical-pendulum", {}, at_angular_momentum, 0xdc8b02fbce77256cu},
    {"energy", "double-spherical-pendulum", {}, at_energy<2>, 0xeb3f1f77da5e8c20u},
    {"energy and momentum", "pendulum-chain-3", {}, at_momentum, 0xc953cb94515623afu},
    {"attitudes", "molecule-water", {}, at_attitudes, 0x6f7fb1a9f93ff922u},
    {"cloud", "henon-heiles", {}, in_a_cloud, 0xef0193df03dd2869u},
};

std::string name_of(const Case& c) { return std::string(c.name) + " of " + c.system; }

/// A run of the first method that the system has.
ResolvedRun run_of(const Case& c) {
  const SystemEntry& system = *find_system(c.system);
  std::vector<double> p = c.parameters;
  if (p.empty()) p.assign(system.example_parameters.begin(), system.example_parameters.end());
  RunSpec spec;
  spec.system.name = c.system;
  std::size_t at = 0;
  for (const Parameter& parameter : system.parameters) {
    const auto begin = p.begin() + static_cast<std::ptrdiff_t>(at);
    spec.system.parameters[parameter.name] = {begin, begin + parameter.size};
    at += parameter.size;
  }
  spec.method.name = methods_of(system).front()->name;
  spec.method.step = 0.01;
  spec.execution.steps = 1;
  spec.ensemble = c.ensemble(system, p.data());
  return resolve(spec);
}

std::vector<double> rows_of(const Starts& starts, std::int64_t first, std::int64_t count, std::int64_t threads = 1) {
  std::vector<double> rows(count * starts.dim());
  starts.copy_rows(first, count, threads, rows.data());
  return rows;
}

TEST(Starts, HaveTheBitsThatTheyHaveEverywhere) {
  for (const Case& c : cases) {
    const Starts starts = make_initial_states(run_of(c), {}).starts;
    EXPECT_EQ(checksum(rows_of(starts, 0, starts.count())), c.bits)
        << name_of(c) << ": 0x" << std::hex << checksum(rows_of(starts, 0, starts.count())) << 'u';
  }
}

TEST(Starts, OfAllInstructionSetsAreTheSame) {
  if (!isa_supported(Isa::avx2)) GTEST_SKIP() << "this processor has no AVX2: there is nothing to compare with";
  for (const Case& c : cases) {
    const SystemEntry& system = *find_system(c.system);
    ResolvedRun run = run_of(c);
    SystemEntry other = system;
    other.source = {};  // no module but those below
    run.system = &other;
    const std::vector<double> program = rows_of(make_initial_states(run, {}).starts, 0, 1000);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
      if (!isa_supported(isa)) continue;
      const ModuleTable* const table = load_modules({source_of(system.source, system.name, isa)})[0];
      other.starts = &static_cast<const SystemFunctions*>(table->functions)->starts;
      EXPECT_NE(other.starts->draw_cloud, system.starts->draw_cloud);
      EXPECT_EQ(rows_of(make_initial_states(run, {}).starts, 0, 1000), program)
          << name_of(c) << " on " << isa_names[static_cast<int>(isa)];
    }
  }
}

TEST(Starts, DoNotDependOnBlocksAndThreads) {
  for (const Case& c : cases) {
    RunSpec spec = run_of(c).spec;
    std::get<RandomStarts>(spec.ensemble).count = 10'000;
    const Starts starts = make_initial_states(resolve(spec), {}).starts;
    const std::int64_t dim = starts.dim(), n = starts.count();
    const std::vector<double> all = rows_of(starts, 0, n);
    EXPECT_EQ(rows_of(starts, 0, n, 3), all) << name_of(c);
    for (const auto& [first, count] : {std::pair{0, 1}, {7, 1}, {3, 11}, {255, 2}, {4095, 300}, {9990, 10}}) {
      const auto begin = all.begin() + first * dim;
      const std::vector<double> part(begin, begin + count * dim);
      EXPECT_EQ(rows_of(starts, first, count), part) << name_of(c);
      std::vector<double> columns(part.size());
      starts.copy_columns(first, count, 2, columns.data());
      for (int k = 0; k < count; ++k)
        for (int i = 0; i < dim; ++i) EXPECT_EQ(columns[i * count + k], part[k * dim + i]) << name_of(c);
    }
  }
}

/// What each of so many processes makes and examines by itself, once told what the others have made.
std::vector<InitialStates> in_shares(const ResolvedRun& run, int shares, const ReadPart& read = {}) {
  std::vector<InitialStates> parts;
  std::int64_t n = 0;
  PointCounts points;
  for (int k = 0; k < shares; ++k) {
    parts.push_back(make_share(run, read, {}, {.index = k, .of = shares}));
    n += parts.back().starts.count_held();
    for (int b = 0; b < max_chart_points; ++b) points.on[b] += parts.back().points.on[b];
    points.other_way += parts.back().points.other_way;
    points.off_section += parts.back().points.off_section;
  }
  std::int64_t first = 0;
  for (int k = 0; k < shares; ++k) {
    InitialStates& part = parts[k];
    part.points = points;
    if (!part.starts.are_drawn()) part.starts.place(first, n);
    first += part.starts.count_held();
    examine_share(run, part, {}, {.index = k, .of = shares});
  }
  return parts;
}

void expect_findings_of_all(const std::vector<InitialStates>& parts, const StartFindings& all) {
  StartFindings joined;
  for (const InitialStates& part : parts) joined.add(part.findings);
  EXPECT_EQ(joined.position.value, all.position.value);
  EXPECT_EQ(joined.position.trajectory, all.position.trajectory);
  EXPECT_EQ(joined.momentum.value, all.momentum.value);
  EXPECT_EQ(joined.momentum.trajectory, all.momentum.trajectory);
  EXPECT_EQ(joined.tangent, all.tangent);
  EXPECT_EQ(joined.invariants, all.invariants);
}

TEST(Starts, OfSharesAddUpToThoseOfAll) {
  // Momenta of a cloud are moved to the hidden constraint, some more than others: with other seeds others most.
  const Case c{"cloud", "double-spherical-pendulum", {}, in_a_cloud, 0};
  RunSpec spec = run_of(c).spec;
  auto& drawn = std::get<RandomStarts>(spec.ensemble);
  drawn.count = 2007;
  for (drawn.seed = 0; drawn.seed < 20; ++drawn.seed) {
    const ResolvedRun run = resolve(spec);
    const StartFindings all = make_initial_states(run, {}).findings;
    EXPECT_GT(all.momentum.value, 1e-3);
    for (const int shares : {2, 5}) expect_findings_of_all(in_shares(run, shares), all);
  }
}

/// Reads parts of a file that has these states alone.
ReadPart part_of(const std::vector<double>& states) {
  return [&](const std::filesystem::path&, const std::string&, const StateColumns& columns, const ProcessShare& share) {
    const auto n = static_cast<std::int64_t>(states.size()) / columns.dim;
    const auto begin = states.begin() + share.first(n) * columns.dim;
    return std::vector<double>(begin, begin + share.count(n) * columns.dim);
  };
}

/// Starts that are held: no process makes or holds those of another, and together they are those of one.
void expect_shared(const ResolvedRun& run, const std::vector<double>& file, std::int64_t candidates) {
  const auto read = [&](const std::filesystem::path&, const std::string&, int) { return file; };
  const InitialStates all = make_initial_states(run, read);
  EXPECT_GT(all.starts.count(), 10);
  for (const int shares : {1, 2, 3, 5, 64}) {
    const std::vector<InitialStates> parts = in_shares(run, shares, part_of(file));
    expect_findings_of_all(parts, all.findings);
    std::vector<double> joined, some;
    for (int k = 0; k < shares; ++k) {
      const Starts& part = parts[k].starts;
      EXPECT_EQ(part.count(), all.starts.count());
      EXPECT_LE(part.count_held(), (ProcessShare{.index = k, .of = shares}.count(candidates)));
      EXPECT_EQ(parts[k].remarks, all.remarks);
      EXPECT_EQ(rows_of(part, part.first_held(), part.count_held()), part.held());
      joined.insert(joined.end(), part.held().begin(), part.held().end());
      const std::vector<double> own = sample_of(part, 7);
      some.insert(some.end(), own.begin(), own.end());
    }
    EXPECT_EQ(joined, all.starts.held()) << shares;
    EXPECT_EQ(some, sample_of(all.starts, 7)) << shares;
  }
}

TEST(Starts, ThatAreReadOrGivenAreSharedBeforeTheyAreExamined) {
  const Case c{"cloud", "double-spherical-pendulum", {}, in_a_cloud, 0};
  RunSpec spec = run_of(c).spec;
  const SystemEntry& system = *find_system(c.system);
  const std::vector<double> centre = example(system, system.example_parameters.data());
  // Off the constraints, each by another length, and the farthest in the middle.
  std::vector<double> states;
  constexpr int n = 1003;
  for (int k = 0; k < n; ++k)
    for (const double x : centre) states.push_back(x * (1 + 1e-9 * static_cast<double>(k * (n - k))));
  spec.ensemble = FileStarts{.path = "states.h5", .dataset = "/states"};
  expect_shared(resolve(spec), states, n);
  spec.ensemble = GivenStarts{.states = {states, centre.size()}};
  expect_shared(resolve(spec), {}, n);

  // The wrong one has its number in the ensemble.
  states[700 * centre.size()] += 1;
  spec.ensemble = FileStarts{.path = "states.h5", .dataset = "/states"};
  try {
    in_shares(resolve(spec), 3, part_of(states));
    ADD_FAILURE() << "a state that is off the constraints was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("state 700 of the ensemble"), std::string::npos) << error.what();
  }
}

TEST(Starts, OfAnotherDescriptionAreConvertedInShares) {
  const Case c{"cloud", "double-spherical-pendulum-cylindrical", {}, in_a_cloud, 0};
  RunSpec spec = run_of(c).spec;
  // Off the constraints of that description, each by another length.
  std::vector<double> states;
  constexpr int n = 1003;
  for (int k = 0; k < n; ++k)
    for (const double x : {0.6, 0.0, -0.8, 0.0, 0.48, -0.64, 0.1, 0.2, 0.3, 0.2, -0.3, 0.1})
      states.push_back(x * (1 + 1e-9 * static_cast<double>(k * (n - k))));
  spec.ensemble = FileStarts{.path = "states.h5", .dataset = "/states", .as = "double-spherical-pendulum"};
  expect_shared(resolve(spec), states, n);
  spec.ensemble = GivenStarts{.states = {states, 12}, .as = "double-spherical-pendulum"};
  expect_shared(resolve(spec), {}, n);
  EXPECT_GT(make_initial_states(resolve(spec), {}).findings.position.value, 1e-4);

  // Above the horizontal there is no chart, and nothing else is wrong with the state.
  states[700 * 12 + 2] = -states[700 * 12 + 2];
  spec.ensemble = GivenStarts{.states = {states, 12}, .as = "double-spherical-pendulum"};
  try {
    in_shares(resolve(spec), 3);
    ADD_FAILURE() << "a state outside the chart was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "state 700 of the ensemble cannot be used (a rod does not hang downwards). Correct it.");
  }
}

TEST(Starts, OnASectionAreMadeInShares) {
  RunSpec spec = run_of(cases[0]).spec;
  SectionStarts grid;
  grid.grid = {23, 31};
  grid.energy = 1;
  spec.ensemble = grid;
  expect_shared(resolve(spec), {}, 23 * 31);
  grid.window = {{-9, 1}, {-1, 1}};  // the first shares find none
  spec.ensemble = grid;
  expect_shared(resolve(spec), {}, 23 * 31);
  LineStarts line;
  line.ends = {{-1, -3, 1, 1}, 2};
  line.count = 101;
  line.energy = 1;
  spec.ensemble = line;
  expect_shared(resolve(spec), {}, 101);
}

TEST(Starts, ThatAreHeldAreTheStatesThemselves) {
  std::vector<double> states(3 * 5000);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = static_cast<double>(i);
  const Starts starts(3, states);
  EXPECT_EQ(starts.count(), 5000);
  EXPECT_EQ(rows_of(starts, 0, 5000, 2), states);
  std::vector<double> columns(6);
  starts.copy_columns(4998, 2, 1, columns.data());
  EXPECT_EQ(columns, (std::vector<double>{14994, 14997, 14995, 14998, 14996, 14999}));
  EXPECT_EQ(sample_of(starts, 2), (std::vector<double>{0, 1, 2, 7500, 7501, 7502}));
  EXPECT_EQ(sample_of(starts, 6000), states);
  Starts part = starts;
  part.hold(2500, rows_of(starts, 2500, 300));
  EXPECT_EQ(part.count(), 5000);
  EXPECT_EQ(part.count_held(), 300);
  EXPECT_EQ(rows_of(part, 2600, 10), rows_of(starts, 2600, 10));
  EXPECT_EQ(sample_of(part, 10), rows_of(starts, 2500, 1));
}

}  // namespace
}  // namespace polhode::test
