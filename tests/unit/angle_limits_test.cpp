// Sections, densities, histograms and conditions on angles that jump, of every system that has one: values that they
// never have are refused, and what is equal modulo 2 pi is offered.
#include "spec/angle_limits.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "catalog/catalog.hpp"
#include "error.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {
namespace {

constexpr double pi = std::numbers::pi;

/// A run of the system's example by its first method, with a section on an observable.
RunSpec run_of(const SystemEntry& system, const std::string& observable) {
  RunSpec spec;
  spec.system.name = system.name;
  const double* value = system.example_parameters.data();
  for (const Parameter& parameter : system.parameters) {
    spec.system.parameters[parameter.name] = {value, value + parameter.size};
    value += parameter.size;
  }
  spec.method = {.name = methods_of(system).front()->name, .step = system.example_step, .solver = "", .options = {}};
  std::vector<double> state(system.dim);
  system.example_state(system.example_parameters.data(), state.data());
  spec.ensemble = GivenStarts{.states = {.numbers = state, .width = state.size()}};
  spec.execution.steps = 10;
  spec.section.emplace().name = observable;
  return spec;
}

std::string refusal(const RunSpec& spec) {
  try {
    resolve(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Calls f(system, name) for each observable of the catalog that is such an angle; how many there are.
template <class F>
int for_angles(Angle angle, const F& f) {
  int count = 0;
  for (const SystemEntry& system : systems())
    for (const Quantity& observable : system.observables)
      if (observable.angle == angle) {
        f(system, std::string(observable.name));
        ++count;
      }
  return count;
}

TEST(AngleLimits, ValuesOfASection) {
  const int found = for_angles(Angle::wrapped, [](const SystemEntry& system, const std::string& name) {
    RunSpec spec = run_of(system, name);
    for (const double value : {0.0, pi, -pi, 0.3, 3.14}) {
      spec.section->value = value;
      EXPECT_EQ(refusal(spec), "") << system.name << ' ' << value;
    }
    const struct {
      double value;
      const char* equal;  // its remainder, to all digits
    } beyond[] = {{4, "-2.2831853071795862"},
                  {3.5, "-2.7831853071795862"},
                  {-3.5, "2.7831853071795862"},
                  {100, "-0.5309649148733797"},
                  {std::nextafter(pi, 4), "-3.1415926535897927"}};
    for (const auto& [value, equal] : beyond) {
      spec.section->value = value;
      EXPECT_EQ(refusal(spec),
                fmt::format("cannot use section.value = {} ({} is in (-pi, pi]). Give {}, which is equal "
                            "modulo 2 pi.",
                            value, name, equal))
          << system.name;
    }
  });
  EXPECT_GE(found, 7);  // azimuths, their differences and nodes
}

TEST(AngleLimits, RangesOfCells) {
  const struct {
    Interval range;
    const char* advice;  // null: none is needed
  } cases[] = {
      {{-pi, pi}, nullptr},
      {{-3.142, 3.142}, nullptr},  // pi to some digits
      {{-0.5, 1}, nullptr},
      {{3.5, 4}, "Give [-2.7831853071795862, -2.2831853071795862], which is equal modulo 2 pi."},
      {{-7, -5}, "Give [-0.7168146928204138, 1.2831853071795862], which is equal modulo 2 pi."},
      {{3, 4}, "Give [-3.141592653589793, 3.141592653589793] or less."},  // it holds pi inside
      {{0, 6.28}, "Give [-3.141592653589793, 3.141592653589793] or less."},
      {{-4, 4}, "Give [-3.141592653589793, 3.141592653589793] or less."},
      {{0, 3.15}, "Give [-3.141592653589793, 3.141592653589793] or less."},
  };
  for_angles(Angle::wrapped, [&](const SystemEntry& system, const std::string& name) {
    for (const auto& [range, advice] : cases) {
      const auto expected = [&](const char* table) {
        return advice ? fmt::format("cannot use {}.range ({} is in (-pi, pi], and [{}, {}] is beyond). {}", table, name,
                                    range[0], range[1], advice)
                      : std::string();
      };
      RunSpec spec = run_of(system, name);
      spec.statistics =
          StatisticsSpec{.every = 5, .observables = {system.observables[0].name, name}, .bins = 2, .range = {}};
      spec.statistics->range = {{-100, 100}, range};
      EXPECT_EQ(refusal(spec), expected("statistics")) << system.name;
      spec.statistics.reset();
      spec.density = DensitySpec{.axes = {system.observables[0].name, name}, .bins = {2, 2}, .range = {}};
      spec.density->range = {Interval{-100, 100}, range};
      EXPECT_EQ(refusal(spec), expected("density")) << system.name;
    }
  });
}

/// Which says that no condition on it can be both true and false.
TEST(AngleLimits, Conditions) {
  for_angles(Angle::wrapped, [](const SystemEntry& system, const std::string& name) {
    RunSpec spec = run_of(system, name);
    spec.section->where = name + " > 4";
    EXPECT_EQ(refusal(spec), fmt::format("cannot use section.where = \"{0} > 4\" ({0} is in (-pi, pi] there). Give a "
                                         "value in it.",
                                         name));
    spec.section->where = name + " > 3";
    EXPECT_EQ(refusal(spec), "");
  });
}

/// Angles that count their turns are taken modulo 2 pi.
TEST(AngleLimits, AnglesWithoutBoundHaveEveryValue) {
  const int found = for_angles(Angle::unbounded, [](const SystemEntry& system, const std::string& name) {
    RunSpec spec = run_of(system, name);
    for (const double value : {4.0, -100.0}) {
      spec.section->value = value;
      EXPECT_EQ(refusal(spec), "") << system.name;
    }
    spec.statistics = StatisticsSpec{.every = 5, .observables = {name}, .bins = 2, .range = {{50, 56}}};
    EXPECT_EQ(refusal(spec), "") << system.name;
  });
  EXPECT_GE(found, 3);
}

}  // namespace
}  // namespace polhode
