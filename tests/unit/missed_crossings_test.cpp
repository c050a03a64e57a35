// Crossings between steps that change no sign, of oscillations whose crossings are known in closed form.
#include "integration/missed_crossings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace polhode::test {
namespace {

constexpr double pi = std::numbers::pi;

SectionPlan section_of(bool up, bool down) { return {.observable = 0, .value = 0, .up = up, .down = down}; }

/// cos(t) - value after steps of h from t = phase on.
std::vector<double> oscillation(double value, double h, int steps, double phase = 0) {
  std::vector<double> f;
  for (int n = 0; n <= steps; ++n) f.push_back(std::cos(phase + n * h) - value);
  return f;
}
/// Times at which it comes down to the value, in (phase, phase + duration].
int crossings(double value, double duration, double phase = 0) {
  const auto before = [&](double t) { return static_cast<int>(std::floor((t - std::acos(value)) / (2 * pi))); };
  return before(phase + duration) - before(phase);
}
int sign_changes(const std::vector<double>& f) {
  int count = 0;
  for (std::size_t n = 0; n + 1 < f.size(); ++n) count += f[n] > 0 && f[n + 1] <= 0;
  return count;
}

/// What changes no sign is counted: each direction, and both.
TEST(MissedCrossings, AreThoseThatAStepMissesOfAnOscillation) {
  int missed = 0;
  for (const double value : {0.99, 0.97, 0.5})
    for (const double h : {0.5, 0.4, 0.3})
      for (const double phase : {0.2, 1.0, 2.5}) {
        const std::vector<double> f = oscillation(value, h, 1200, phase);
        const int expected = crossings(value, 1200 * h, phase) - sign_changes(f);
        // Near a tangency, within the error of the cubic between two steps, it is one or the other.
        const auto found = count_missed(section_of(false, true), f);
        EXPECT_NEAR(static_cast<double>(found), expected, 2 + 0.02 * expected) << value << ", " << h;
        EXPECT_EQ(count_missed(section_of(true, true), f), 2 * found);
        EXPECT_EQ(count_missed(section_of(false, false), f), 0);
        missed += expected;
      }
  EXPECT_GT(missed, 100);
}

TEST(MissedCrossings, OfShortStepsAreNone) {
  EXPECT_EQ(count_missed(section_of(true, true), oscillation(0.5, 0.01, 5000)), 0);
  EXPECT_EQ(count_missed(section_of(true, true), oscillation(1.001, 0.5, 5000)), 0);  // it never comes there
  EXPECT_EQ(count_missed(section_of(true, true), {}), 0);
}

/// An angle that jumps has extrema on both sides of the jump, and crosses nothing there, far from the value.
TEST(MissedCrossings, OfAJumpAreNone) {
  std::vector<double> f;
  for (int n = 0; n < 1000; ++n) f.push_back(std::remainder(0.3 * n, 2 * pi) - 1.0);
  SectionPlan section = section_of(true, true);
  section.jumps = true;
  EXPECT_EQ(count_missed(section, f), 0);
}

/// Unless they are in the step that crosses: a value at 0.1 from the jump, on either side, of a rotation by 0.3 a step
/// either way. One in three steps that cross it also jump.
TEST(MissedCrossings, BesideAJumpAreThoseOfStepsThatCrossAndJump) {
  for (const double sign : {1.0, -1.0})
    for (const double value : {pi - 0.1, -pi + 0.1}) {
      std::vector<double> f;
      std::int64_t expected = 0;
      for (int n = 0; n <= 3000; ++n) {
        const double angle = std::remainder(sign * 0.3 * n + 0.05, 2 * pi), next = angle + sign * 0.3;
        const auto goes_by = [&](double x) { return (x - angle) * sign > 0 && (next - x) * sign >= 0; };
        const bool crosses = goes_by(value) || goes_by(value + sign * 2 * pi), jumps = goes_by(sign * pi);
        if (n < 3000) expected += crosses && jumps;
        f.push_back(angle - value);
      }
      for (const bool long_steps : {false, true}) {
        SectionPlan section = section_of(true, true);
        section.jumps = true;
        section.long_steps = long_steps;
        EXPECT_EQ(count_missed(section, f), expected) << sign << ", " << value;
      }
      EXPECT_GT(expected, 50);
    }
}

/// An angle that counts turns crosses its section at every turn.
TEST(MissedCrossings, OfAnAngleThatCountsTurnsAreModuloATurn) {
  SectionPlan section = section_of(true, true);
  section.modulo_turns = true;
  for (const double turns : {0.0, 1.0, -3.0}) {
    std::vector<double> f = oscillation(0.99, 0.5, 1000, 0.2);
    const auto expected = count_missed(section_of(true, true), f);
    for (double& one : f) one += 2 * pi * turns;
    EXPECT_EQ(count_missed(section, f), expected) << turns;
    EXPECT_GT(expected, 10);
  }
}

/// A terminal section counts one that is missed before the end, and nothing after it.
TEST(MissedCrossings, OfATerminalSectionAreTheFirst) {
  SectionPlan section = section_of(true, false);
  section.terminal = true;
  EXPECT_EQ(count_missed(section, oscillation(0.99, 0.5, 1000)), 1);  // at 6.14, between 6 and 6.5
  EXPECT_EQ(count_missed(section, oscillation(0.9, 0.5, 1000)), 0);   // which that of 0.9 is not
}

}  // namespace
}  // namespace polhode::test
