// How close symplectic methods are to the flow of a modified Hamiltonian (Hairer 2003, sect. 1): exponentially. A
// truncation of it after more terms for smaller steps, to order 2 k with k about 3/h, is conserved up to exp(-c/h).
//
// Truncations to any order by the numbers of a run (Skeel & Hardy 2001; Engle, Skeel & Drees 2005): with the discrete
// actions A of the steps, for states i > j of one trajectory,
//
//   F(i, j) = (1/2 (p_i + p_j).(q_i - q_j) - (A_i - A_j)) / ((i - j) h),
//   H~ = sum_ij (-1)^(i-j+1) 2 C(k, i) C(k, j) / C(2k, k) F(i, j) + O(h^2k)   over the states 0, ..., k
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace polhode::test {
namespace {

struct ActionState {
  Eigen::Vector3d q, p;
  double action = 0;  ///< of the step to it
};
using ActionStep = std::function<ActionState(const ActionState&, double h)>;

/// System of Henon and Heiles in the plane, by Verlet's method.
ActionState verlet_of_henon_heiles(const ActionState& x, double h) {
  const auto potential = [](const Eigen::Vector3d& q) {
    return (q[0] * q[0] + q[1] * q[1]) / 2 + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3;
  };
  const auto slope = [](const Eigen::Vector3d& q) {
    return Eigen::Vector3d(q[0] + 2 * q[0] * q[1], q[1] + q[0] * q[0] - q[1] * q[1], 0);
  };
  const Eigen::Vector3d p = x.p - h / 2 * slope(x.q), q = x.q + h * p;
  return {q, p - h / 2 * slope(q), h / 2 * (p.squaredNorm() - potential(x.q) - potential(q))};
}

/// Spherical pendulum with m = l = g = 1, by RATTLE, whose multiplier solves a quadratic equation.
ActionState rattle_of_pendulum(const ActionState& x, double h) {
  const Eigen::Vector3d weight(0, 0, 1), free = x.q + h * (x.p - h / 2 * weight);
  const double along = free.dot(x.q);
  const Eigen::Vector3d q = free - (along - std::sqrt(along * along - free.squaredNorm() + 1)) * x.q,
                        middle = (q - x.q) / h, p = middle - h / 2 * weight;
  return {q, p - p.dot(q) / q.squaredNorm() * q, h / 2 * (middle.squaredNorm() - x.q[2] - q[2])};
}

/// Range of the truncation of order 2 k over t up to 200.
double range_of_truncation(const ActionStep& step, const ActionState& start, double h, int k) {
  std::vector<double> binomial(k + 1, 1);
  double middle = 1;  // C(2k, k)
  for (int i = 1; i <= k; ++i) binomial[i] = binomial[i - 1] * (k + 1 - i) / i, middle = middle * (k + i) / i;
  std::vector<ActionState> x{start};
  for (int n = 0; n < std::lround(200 / h); ++n) x.push_back(step(x.back(), h));
  double least = 1e300, most = -1e300;
  for (std::size_t first = 0; first + k < x.size(); ++first) {
    double truncation = 0;
    for (int j = 0; j < k; ++j) {
      double action = 0;
      for (int i = j + 1; i <= k; ++i) {
        const ActionState &a = x[first + i], &b = x[first + j];
        action += a.action;
        const double pair = (0.5 * (a.p + b.p).dot(a.q - b.q) - action) / ((i - j) * h);
        truncation += ((i - j) % 2 ? 2 : -2) * binomial[i] * binomial[j] / middle * pair;
      }
    }
    least = std::min(least, truncation), most = std::max(most, truncation);
  }
  return most - least;
}

/// A run, and the ranges of its truncations to orders 2 k, computed elsewhere with 33 digits, to 4 digits.
struct ExponentialRun {
  std::string name;
  ActionStep step;
  ActionState start;
  struct Row {
    double h;
    int k;
    double range;
  };
  std::vector<Row> rows;

  friend void PrintTo(const ExponentialRun& run, std::ostream* to) { *to << run.name; }
};
class ExponentiallyClose : public ::testing::TestWithParam<ExponentialRun> {
 protected:
  static double range(double h, int k) { return range_of_truncation(GetParam().step, GetParam().start, h, k); }
};
INSTANTIATE_TEST_SUITE_P(
    Hairer, ExponentiallyClose,
    ::testing::Values(ExponentialRun{"verlet",
                                     verlet_of_henon_heiles,
                                     {{0, .1, 0}, {0.44795833139552909, .2, 0}},
                                     {{.5, 6, 1.029e-6}, {.4, 8, 6.834e-9}, {.3, 10, 6.312e-12}, {.25, 12, 1.124e-14}}},
                      ExponentialRun{
                          "rattle",
                          rattle_of_pendulum,
                          {{.6, 0, -.8}, {.2, .7, .15}},
                          {{.5, 6, 8.061e-6}, {.4, 8, 1.104e-7}, {.3, 10, 1.635e-10}, {.25, 12, 4.486e-13}}}),
    [](const auto& info) { return info.param.name; });

TEST_P(ExponentiallyClose, IsATruncationOfHigherOrderForSmallerSteps) {
  const auto& rows = GetParam().rows;
  double coarser = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double found = range(rows[n].h, rows[n].k);
    EXPECT_NEAR(found, rows[n].range, 1e-3 * rows[n].range + 1e-14) << rows[n].h;  // the run's round-off
    if (n > 0) {
      // c of exp(-c/h), 7.8 to 10; by a power of h, such as would make the first one, the last were 6.1 and 5.3.
      const double c = std::log(coarser / found) / (1 / rows[n].h - 1 / rows[n - 1].h);
      EXPECT_GT(c, 7.5) << rows[n].h;
      EXPECT_LT(c, 10.5) << rows[n].h;
    }
    coarser = found;
  }
}

TEST_P(ExponentiallyClose, IsNoTruncationOfAFixedOrder) {
  // Orders 4 and 8; the next term of the error lowers the slopes by 0.1 or less.
  for (const int k : {2, 4}) EXPECT_NEAR(std::log(range(.25, k) / range(.2, k)) / std::log(1.25), 2 * k, 0.15) << k;
}

TEST_P(ExponentiallyClose, IsNoTruncationForLargeSteps) {
  // The remainder stays, with any number of terms: 3e-4 of energies of 1/8 and -1/2.
  const double least = range(.8, 29);
  EXPECT_GT(least, 2e-4);
  EXPECT_LT(range(.8, 16) / least, 1.3);
  EXPECT_GT(range(.3, 6) / range(.3, 10), 100);  // where for smaller ones each term counts
}

}  // namespace
}  // namespace polhode::test
