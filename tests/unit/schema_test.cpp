// The schema of the configuration against the specification: no member without a row, and no key that changes a dataset
// outside the identity.
#include "spec/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "catalog/catalog.hpp"
#include "error.hpp"
#include "polhode/method/generated_map.hpp"
#include "spec/method_options.hpp"
#include "spec/method_settings.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {
namespace {

/// Stands for any member in an initialisation.
struct Any {
  template <class T>
  operator T() const {
    return {};
  }
};
template <class T, class... Members>
constexpr std::size_t members() {
  if constexpr (requires { T{Members{}..., Any{}}; })
    return members<T, Members..., Any>();
  else
    return sizeof...(Members);
}

/// So many members are no keys of the table: parameters of a system, options of a method, the distribution of random
/// starts.
template <class Spec>
constexpr bool has_a_row_for_each_member(std::size_t others = 0) {
  return members<Spec>() == table_of<Spec>.keys.size() + others;
}
static_assert(has_a_row_for_each_member<SystemSpec>(1));
static_assert(has_a_row_for_each_member<MethodSpec>(1));
static_assert(has_a_row_for_each_member<SectionStarts>());
static_assert(has_a_row_for_each_member<LineStarts>());
static_assert(has_a_row_for_each_member<GivenStarts>());
static_assert(has_a_row_for_each_member<FileStarts>());
static_assert(has_a_row_for_each_member<Microcanonical>());
static_assert(has_a_row_for_each_member<Canonical>());
static_assert(has_a_row_for_each_member<Cloud>());
static_assert(has_a_row_for_each_member<RandomAttitudes>());
static_assert(has_a_row_for_each_member<RandomStarts>(1));
static_assert(has_a_row_for_each_member<RelativeEquilibriumStarts>());
static_assert(has_a_row_for_each_member<ExecutionSpec>());
static_assert(has_a_row_for_each_member<SectionSpec>());
static_assert(has_a_row_for_each_member<DensitySpec>());
static_assert(has_a_row_for_each_member<StatisticsSpec>());
static_assert(has_a_row_for_each_member<RecordSpec>());
static_assert(has_a_row_for_each_member<OutputSpec>());

/// With everything that a run may have.
ResolvedRun full_run(const EnsembleSpec& ensemble = GivenStarts{
                         .states = {.numbers = {1, 2, 3, 0, 0, 1}, .width = 6}}) {
  RunSpec spec;
  spec.system = {.name = "heavy-top", .parameters = {{"alpha", {0.44, 0.5, 1}}}};
  spec.method.name = "rattle";
  spec.method.step = 0.05;
  spec.ensemble = ensemble;
  spec.execution.steps = 10;
  spec.section.emplace().name = "gamma3";
  spec.density = DensitySpec{.axes = {"pi1", "pi2"}, .bins = {2, 2}, .range = {{{-1, 1}, {-1, 1}}}};
  spec.statistics = StatisticsSpec{.every = 5, .observables = {"pi1"}, .bins = 2, .range = {{-1, 1}}};
  return resolve(spec);
}

/// With the starts of reduced systems.
ResolvedRun resting_run() {
  RunSpec spec;
  spec.system = {.name = "double-spherical-pendulum-reduced",
                 .parameters = {{"m", {1, 2}}, {"l", {1, 0.8}}, {"g", {1}}, {"mu", {0.6}}}};
  spec.method.name = "gauss";
  spec.method.step = 0.05;
  spec.ensemble = RelativeEquilibriumStarts{.near = {}};
  spec.execution.steps = 10;
  return resolve(spec);
}

/// The same with starts of each kind.
std::vector<ResolvedRun> full_runs() {
  const std::vector<double> state{1, 2, 3, 0, 0, 1};
  const auto random = [](auto distribution) {
    RandomStarts starts;
    starts.count = 1;
    starts.distribution = std::move(distribution);
    return full_run(starts);
  };
  SectionStarts grid;
  grid.grid = {2, 2};
  grid.window = {{-1, 1}, {-1, 1}};
  grid.energy = 1;
  LineStarts line;
  line.ends = {.numbers = {0, 0, 1, 1}, .width = 2};
  line.count = 2;
  line.energy = 1;
  std::vector<ResolvedRun> runs{full_run(),
                                full_run(FileStarts{.path = "starts.h5"}),
                                full_run(grid),
                                full_run(line),
                                random(Microcanonical{.energy = 1, .momentum = 0.5, .angular_momentum = 0.5}),
                                random(Canonical{.temperature = 1}),
                                random(Cloud{.state = state, .width = state}),
                                random(RandomAttitudes{.state = state}),
                                resting_run()};
  // These go with other systems.
  runs[0].spec.system.header = "own.hpp";
  std::get<GivenStarts>(runs[0].spec.ensemble).mu = std::get<FileStarts>(runs[1].spec.ensemble).mu = 1;
  return runs;
}

StepPlan with_sweeps(StepPlan step, int sweeps) {
  step.stages[0].sweeps = static_cast<std::int16_t>(sweeps);
  return step;
}
std::string identity_of(const ResolvedRun& run) {
  return identity(run, with_sweeps(run.step_plan, 7), "cpu", {.count = 1, .checksum = 0x1234});
}

/// Another value than this one, of the same shape.
Value another(const KeyInfo& key, Value value) {
  if (key.type == Type::choice) {
    for (const char* choice : key.choices)
      if (Value(choice) != value) return choice;
    return value;
  }
  std::visit(
      []<class T>(T& v) {
        if constexpr (std::is_same_v<T, bool>)
          v = !v;
        else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>)
          v += 1;
        else if constexpr (std::is_same_v<T, std::string>)
          v += "x";
        else if constexpr (std::is_same_v<T, Rows>)
          v.numbers.back() += 1;
        else if constexpr (std::is_same_v<T, std::monostate>)
          return;
        else if (v.empty())
          v.emplace_back();
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          v.back() += "x";
        else
          v.back() += 1;
      },
      value);
  return value;
}

TEST(Schema, IdentityHasEveryKeyThatIsNotExcepted) {
  std::set<std::string> left_out;
  for (const ResolvedRun& run : full_runs()) {
    const std::string before = identity_of(run);
    for_each_part(run.spec, [&]<class Part>(const Table<Part>& table, const Part& part) {
      for (const Key<Part>& key : table.keys) {
        const Value value = another(key, key.get(part));
        if (value == key.get(part)) continue;  // a choice of one
        ResolvedRun changed = run;
        for_each_part(changed.spec, [&]<class Other>(const Table<Other>&, Other& other) {
          if constexpr (std::is_same_v<Part, Other>) key.set(other, value);
        });
        EXPECT_EQ(identity_of(changed) != before, key.identity) << table.name << '.' << key.name;
        if (!key.identity) left_out.insert(std::string(table.name) + '.' + key.name);
      }
    });
  }
  // What changes no dataset, and all that is said of starts that are not drawn, of which the identity has the bits.
  std::set<std::string> expected{"system.header", "run.backend",    "run.threads", "run.segment",
                                 "run.slice",     "run.checkpoint", "run.isa"};
  for (const DocumentedTable& table : documented_schema())
    for (const DocumentedKey& key : table.keys)
      if (const std::string variant = table.variant; variant.starts_with("with from = ") &&
                                                     variant != "with from = \"random\"" &&
                                                     key.name != std::string(from_key.name))
        expected.insert(std::string("ensemble.") + key.name);
  EXPECT_EQ(left_out, expected);
}

/// Those of a method with their defaults, which are in the specification once it is resolved.
TEST(Schema, IdentityHasEveryOption) {
  const ResolvedRun run = full_run();
  const std::string before = identity_of(run);
  EXPECT_EQ(std::get<std::string>(run.spec.method.options.at("composition")), "none");
  for (const Value& other : {Value("yoshida4"), Value(std::vector<double>{1})}) {
    ResolvedRun changed = run;
    changed.spec.method.options["composition"] = other;
    EXPECT_NE(identity_of(changed), before);
  }
  ResolvedRun changed = run;
  changed.step_plan.stages[0].sweeps = 9;
  EXPECT_EQ(identity_of(changed), before);  // what it is given
}

/// What resolve() says of a specification that no file was read for.
std::string refusal(void (*spoil)(RunSpec&)) {
  RunSpec spec = full_run().spec;
  spoil(spec);
  try {
    resolve(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Schema, WhatAReaderWouldRefuseIsRefusedBelowIt) {
  const struct {
    void (*spoil)(RunSpec&);
    const char* message;
  } cases[] = {
      {[](RunSpec& s) { s.system.name = ""; },
       "system.name is missing (which system to integrate; may be left out with a header). Give it in [system]."},
      {[](RunSpec& s) { s.system.parameters["mass"] = {1}; },
       "unknown key system.mass ([system] has no such key; known: name, header, inertia, chi, c, alpha). Correct or "
       "remove it."},
      {[](RunSpec& s) { s.system.parameters["c"] = {std::nan("")}; },
       "cannot use c = nan (it must be finite). Correct it in [system]."},
      {[](RunSpec& s) { s.method.step = not_given; }, "method.step is missing (the time step h). Give it in [method]."},
      {[](RunSpec& s) { s.method.step = INFINITY; },
       "cannot use method.step (it is not finite). Give a finite number."},
      {[](RunSpec& s) { s.method.options["order"] = std::int64_t{4}; },
       "unknown key method.order (rattle has no such key; known: name, solver, step, composition). Correct or remove "
       "it."},
      {[](RunSpec& s) { s.method.options["final_projection"] = true; },
       "unknown key method.final_projection (rattle has no such key; known: name, solver, step, composition). Correct "
       "or remove it."},
      {[](RunSpec& s) { s.execution.steps = 0; },
       "cannot use run.steps = 0 (it must be between 1 and 2^53). Give the number of steps."},
      {[](RunSpec& s) { s.execution.checkpoint = -1; },
       "cannot use run.checkpoint = -1 (it must be at least 0). Give seconds."},
      {[](RunSpec& s) { std::get<GivenStarts>(s.ensemble).states.numbers.pop_back(); },
       "cannot use ensemble.states (state 0 has 5 numbers). Give a list of states, each a list of 6 numbers."},
      {[](RunSpec& s) { std::get<GivenStarts>(s.ensemble).states.width = 3; },
       "cannot use ensemble.states (state 0 has 3 numbers). Give a list of states, each a list of 6 numbers."},
      {[](RunSpec& s) { std::get<GivenStarts>(s.ensemble).variables = Variables::velocity; },
       "cannot use ensemble.variables (heavy-top has no velocities). Give momenta."},
      {[](RunSpec& s) { s.ensemble = RandomStarts{.count = 1, .seed = 0, .distribution = Canonical{}}; },
       "ensemble.temperature is missing (kT, an energy). Give it in [ensemble]."},
      {[](RunSpec& s) { s.section->name = "gamma4"; },
       "cannot use section.name (unknown observable \"gamma4\"; nearest known: \"gamma1\"). See polhode list "
       "sections heavy-top."},
      {[](RunSpec& s) { s.density->bins[1] = 0; },
       "cannot use density.bins = [2, 0] (it must be at least 1). Give positive numbers of cells."},
      {[](RunSpec& s) {
         s.density->range[0] = {1, 1};
       },
       "cannot use density.range (it has [1, 1]). Give each as [low, high]."},
      {[](RunSpec& s) { s.statistics->range.clear(); },
       "statistics.range is missing ([low, high] of each observable's histogram). Give it in [statistics]."},
      {[](RunSpec& s) { s.record.invariants_every = 0; },
       "cannot use record.invariants_every = 0 (it must be between 1 and 2^53). Give a number of steps."},
  };
  for (const auto& [spoil, message] : cases) EXPECT_EQ(refusal(spoil), message);
}

std::string refusal_of(const RunSpec& spec) {
  try {
    resolve(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

/// What is said of options of a generating function.
std::string refusal_of_options(const std::map<std::string, Value>& options) {
  RunSpec spec;
  spec.system.name = "henon-heiles";
  spec.method = {.name = "generating-function", .step = 0.1, .solver = "", .options = options};
  spec.ensemble = GivenStarts{.states = {.numbers = {0.1, 0.1, 0.1, 0.1}, .width = 4}};
  spec.execution.steps = 10;
  return refusal_of(spec);
}

TEST(Schema, OptionsThatCannotBeUsed) {
  const auto integer = [](std::int64_t value) { return Value(value); };
  const Value yoshida = std::string("yoshida4"), poincare = std::string("poincare");
  const struct {
    std::map<std::string, Value> options;
    const char* message;
  } cases[] = {
      {{{"kind", integer(3)}},
       "cannot use method.kind (unknown value \"3\"; known: 1, 2, poincare). Choose one of those."},
      {{{"kind", std::string("poincar")}},
       "cannot use method.kind (unknown value \"poincar\"; nearest known: \"poincare\"). Choose one of those."},
      {{{"kind", 1.5}}, "cannot use method.kind (unknown value \"1.5\"; known: 1, 2, poincare). Choose one of those."},
      {{{"kind", true}}, "cannot use method.kind (it is not a string). Give a string in quotes."},
      {{{"order", integer(5)}}, "cannot use method.order = 5 (it must be between 1 and 4). Give one of those."},
      {{{"order", 2.5}}, "cannot use method.order (it is not an integer). Give an integer."},
      {{{"order", 2.0}}, "cannot use method.order (TOML's 2.0 is not an integer, but a real number). Give 2."},
      {{{"kind", poincare}, {"order", integer(3)}},
       "cannot use method.order (generating-function with kind = \"poincare\" has no map of order 3). Give one of 2, "
       "4."},
      {{{"composition", yoshida}},
       "cannot use method.composition (generating-function with kind = \"2\" is neither symmetric nor has an adjoint). "
       "Leave it out, or choose another method."},
      {{{"composition", yoshida}, {"kind", poincare}}, "nothing"},
      {{{"kind", integer(1)}}, "nothing"},
      {{{"kind", 1.0}}, "nothing"},
  };
  for (const auto& [options, message] : cases) EXPECT_EQ(refusal_of_options(options), message);
}

TEST(Schema, ADiscreteLagrangianThatTheSystemDoesNotHave) {
  RunSpec spec = resting_run().spec;
  spec.method = {.name = "discrete-routh", .step = 0.05, .solver = "", .options = {{"lagrangian", "own"}}};
  EXPECT_EQ(
      refusal_of(spec),
      "cannot use method.lagrangian (discrete-routh on double-spherical-pendulum-reduced has no map of lagrangian "
      "\"own\"). Give \"midpoint\".");
  spec.system = {.name = "j2-satellite-reduced", .parameters = {{"J2", {0.05}}, {"mu", {1}}}};
  spec.ensemble = RelativeEquilibriumStarts{.near = {}};
  EXPECT_EQ(refusal_of(spec), "nothing");
}

TEST(Schema, DefaultsOfOptionsAreTheMapOptionsOfTheirMethods) {
  for (const MethodEntry& method : methods())
    for (const MethodSetting& setting : method.settings) {
      // A drift has an order of its own on bodies alone; the family's is that of all systems.
      const double expected = std::string(setting.option.name) == "drift_order" ? 8 : setting.get(method.map_options);
      EXPECT_EQ(setting.get(map_options_of(method, {})), expected) << method.name << " on " << method.system;
    }
}

TEST(Schema, ChoicesOfAGeneratingFunctionAreItsKinds) {
  const MethodEntry& method = *find_method("henon-heiles", "generating-function");
  const std::pair<const char*, GeneratingKind> kinds[] = {
      {"1", GeneratingKind::first}, {"2", GeneratingKind::second}, {"poincare", GeneratingKind::poincare}};
  for (const auto& [choice, kind] : kinds)
    EXPECT_EQ(options_from<GeneratingFunctionOptions>(map_options_of(method, {{"kind", std::string(choice)}})).kind,
              kind)
        << choice;
}

/// Of a key that several methods have, each finds its own meaning and default there.
TEST(Schema, DocumentsSayWhatAnOptionMeansToEachMethod) {
  const std::vector<DocumentedKey> all = all_option_keys();
  int different_defaults = 0;
  for (const MethodEntry& method : methods())
    for (const DocumentedKey& own : option_keys(method)) {
      const auto documented = std::ranges::find(all, std::string(own.name), &DocumentedKey::name);
      ASSERT_NE(documented, all.end());
      const std::string text = documented->meaning_in_full();
      EXPECT_NE(text.find(own.meaning), std::string::npos) << method.name << '.' << own.name;
      if (documented->default_value == own.default_value) continue;
      ++different_defaults;
      EXPECT_EQ(documented->default_value, Value()) << method.name << '.' << own.name;
      EXPECT_NE(text.find(std::string(method.name) + ", default " + to_text(own.default_value)), std::string::npos)
          << text;
    }
  EXPECT_GT(different_defaults, 0);
}

TEST(Schema, IdentityHasStartsSweepsAndBackend) {
  const ResolvedRun run = full_run();
  const std::string before = identity_of(run);
  const StepPlan seven = with_sweeps(run.step_plan, 7);
  EXPECT_NE(identity(run, with_sweeps(run.step_plan, 8), "cpu", {.count = 1, .checksum = 0x1234}), before);
  EXPECT_NE(identity(run, seven, "reference", {.count = 1, .checksum = 0x1234}), before);
  EXPECT_NE(identity(run, seven, "cpu", {.count = 1, .checksum = 0x1235}), before);
  EXPECT_NE(identity(run, seven, "cpu", {.count = 2, .checksum = 0x1234}), before);
  EXPECT_EQ(identity(run, seven, "cuda", {.count = 1, .checksum = 0x1234}), before)
      << "cpu and cuda give the same bits";
  ResolvedRun changed = run;
  changed.spec.system.parameters["c"] = {std::nextafter(1.0, 2)};
  EXPECT_NE(identity_of(changed), before);

  const std::vector<double> state{1, 2, 3, 0, 0, 1};
  const auto drawn = [&](const auto& distribution) {
    changed.spec.ensemble = RandomStarts{.count = 7, .seed = 5, .distribution = distribution};
    return identity(changed, seven, "cpu", {});
  };
  const std::string cloud = drawn(Cloud{.state = state, .width = {0}});
  EXPECT_NE(cloud, drawn(RandomAttitudes{.state = state})) << "of another distribution";
  EXPECT_NE(cloud.find("ensemble.count = 7\nensemble.seed = 5\n"), std::string::npos) << cloud;
}

TEST(Schema, KeysCarryTheirMembersThereAndBack) {
  for (ResolvedRun& run : full_runs())
    for_each_part(run.spec, [&]<class Part>(const Table<Part>& table, Part& part) {
      for (const Key<Part>& key : table.keys) {
        const Value value = another(key, key.get(part));
        if (std::holds_alternative<std::monostate>(value)) continue;
        Part changed = part;
        key.set(changed, value);
        EXPECT_EQ(key.get(changed), value) << table.name << '.' << key.name;
        for (const Key<Part>& other : table.keys) {
          if (&other == &key) continue;
          EXPECT_EQ(to_text(other.get(changed)), to_text(other.get(part))) << key.name << " changes " << other.name;
        }
      }
    });
}

TEST(Schema, NamesOfKeysAreUniqueInTheirTables) {
  for (const DocumentedTable& table : documented_schema()) {
    std::set<std::string> names;
    for (const DocumentedKey& key : table.keys) {
      EXPECT_TRUE(names.insert(key.name).second) << table.name << '.' << key.name;
      EXPECT_NE(std::string(key.meaning), "") << key.name;
    }
  }
}

}  // namespace
}  // namespace polhode
