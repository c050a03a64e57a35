// Refusals of a specification that no file was read for, and the options of methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "error.hpp"
#include "polhode/method/generated_map.hpp"
#include "spec/method_options.hpp"
#include "spec/method_settings.hpp"
#include "spec/schema.hpp"
#include "unit/full_runs.hpp"

namespace polhode {
namespace {

/// Message of resolve() about a specification that no file was read for.
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

TEST(Resolve, RefusesWhatAReaderWouldRefuse) {
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

/// Message about options of a generating function.
std::string refusal_of_options(const std::map<std::string, Value>& options) {
  RunSpec spec;
  spec.system.name = "henon-heiles";
  spec.method = {.name = "generating-function", .step = 0.1, .solver = "", .options = options};
  spec.ensemble = GivenStarts{.states = {.numbers = {0.1, 0.1, 0.1, 0.1}, .width = 4}};
  spec.execution.steps = 10;
  return refusal_of(spec);
}

TEST(Resolve, RefusesOptionsThatCannotBeUsed) {
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
      {{{"order", 2.0}}, "cannot use method.order (2.0 is a real number, not an integer). Give 2."},
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

TEST(Resolve, RefusesADiscreteLagrangianThatTheSystemDoesNotHave) {
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

TEST(MethodOptions, DefaultsOfOptionsAreTheMapOptionsOfTheirMethods) {
  for (const MethodEntry& method : methods())
    for (const MethodSetting& setting : method.settings) {
      // A drift has an order of its own on bodies alone; the family's is that of all systems.
      const double expected = std::string(setting.option.name) == "drift_order" ? 8 : setting.get(method.map_options);
      EXPECT_EQ(setting.get(map_options_of(method, {})), expected) << method.name << " on " << method.system;
    }
}

TEST(MethodOptions, ChoicesOfAGeneratingFunctionAreItsKinds) {
  const MethodEntry& method = *find_method("henon-heiles", "generating-function");
  const std::pair<const char*, GeneratingKind> kinds[] = {
      {"1", GeneratingKind::first}, {"2", GeneratingKind::second}, {"poincare", GeneratingKind::poincare}};
  for (const auto& [choice, kind] : kinds)
    EXPECT_EQ(options_from<GeneratingFunctionOptions>(map_options_of(method, {{"kind", std::string(choice)}})).kind,
              kind)
        << choice;
}

/// Of a key that several methods have, each finds its own meaning and default there.
TEST(MethodOptions, DocumentsSayWhatAnOptionMeansToEachMethod) {
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

}  // namespace
}  // namespace polhode
