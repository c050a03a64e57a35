// Routh reduction and discretisation commute (Jalnapurkar, Leok, Marsden & West 2006, sect. 2 to 4): collocation on all
// coordinates, projected, is collocation on the reduced system; its orders, the form that it preserves, and the two
// formulations of it, with and without a magnetic term.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/dense.hpp"
#include "numerics/routh.hpp"

namespace polhode::test {
namespace {

using Pendulum = DoublePendulumShape;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr CollocationOptions methods[] = {gauss(2), lobatto(3), gauss(1)};

/// Both for 1000 steps; mu is kept exactly, since no sum is added to it but zeros.
template <class Physics>
void expect_reduction_commutes(const Shape<Physics>& shape, const Vector& start, double h) {
  for (const CollocationOptions& method : methods) {
    const ReducedSteps<Physics> reduced(method, h, shape.parameters);
    const FullSteps<Physics> full(method, h, shape.parameters);
    Vector x = start, y = shape.unreduced(start);
    double most = 0;  // an angle of many turns relative to its size
    for (int n = 0; n < 1000; ++n) {
      x = reduced(x);
      y = full(y);
      most = std::max(most, largest(shape.reduced(y) - x) / (1 + std::abs(x[x.size() - 1])));
      ASSERT_EQ(y[y.size() - 1], shape.mu());
    }
    // Round-off that grows along the orbit; 6e-13 was measured, and 0 of the satellite, of which p = s.
    EXPECT_LT(most, 1e-12);
  }
}
TEST(RouthReduction, OfTheDoublePendulumCommutesWithTheMethod) {
  expect_reduction_commutes(double_pendulum, double_pendulum_start(), 0.05);
}
TEST(RouthReduction, OfTheSatelliteCommutesWithTheMethod) {
  for (const double oblateness : {0.0, 0.05}) expect_reduction_commutes(satellite(oblateness), satellite_start(), 0.1);
}

/// The equations of the paper, in (x, s), are those of canonical coordinates.
TEST(RouthReduction, FormulationsWithAndWithoutAMagneticTermAgree) {
  for (const CollocationOptions& method : methods) {
    const ReducedSteps<Pendulum> steps(method, 0.05, double_pendulum.parameters);
    ReferenceSteps<Pendulum> reference(method, 0.05, double_pendulum.parameters);
    EXPECT_LT(largest(steps(double_pendulum_start(), 200) - reference(double_pendulum_start(), 200)), 1e-13);
  }
}

struct Orders {
  CollocationOptions options;
  int order;
  double errors[4];  ///< at t = 2, of x and s: h = 0.1, 0.05, 0.025, 0.0125; 0: not known
  double digits;
};
constexpr Orders orders[] = {{gauss(2), 4, {2.90e-6, 1.83e-7, 1.14e-8, 7.15e-10}, 0.005},
                             {lobatto(3), 4, {8.3e-5, 0, 0, 1.95e-8}, 0.01},
                             {gauss(1), 2, {4.0e-3, 0, 0, 6.4e-5}, 0.01}};

TEST(RouthReduction, HasTheOrderOfTheMethod) {
  const Vector start = double_pendulum_start();
  const Vector exact = ReducedSteps<Pendulum>(gauss(8), 0.05, double_pendulum.parameters)(start, 40);
  for (const Orders& row : orders) {
    double errors[4];
    for (int k = 0; k < 4; ++k) {
      const ReducedSteps<Pendulum> steps(row.options, 0.1 / (1 << k), double_pendulum.parameters);
      errors[k] = largest((steps(start, 20 << k) - exact).head(6));
      // To the digits given. The exact one is known to 1e-14.
      if (row.errors[k] > 0) {
        EXPECT_NEAR(errors[k], row.errors[k], row.digits * row.errors[k]);
      }
    }
    EXPECT_NEAR(std::log2(errors[2] / errors[3]), row.order, 0.005);  // 4.00, 4.00, 2.00
  }
}

/// Forms at (x, s), [i, j] on the i-th and j-th unit vector: dx ^ ds, and dx ^ ds - factor beta.
Matrix form(const Vector& state, double factor) {
  Matrix matrix = Matrix::Zero(6, 6);
  matrix.topRightCorner<3, 3>().setIdentity();
  matrix.bottomLeftCorner<3, 3>() = -Matrix::Identity(3, 3);
  matrix.topLeftCorner<3, 3>() = -factor * double_pendulum.magnetic(state.head(3));
  return matrix;
}
/// The largest element by which the image of a map differs from the form.
double change_of_form(const Vector& state, const Vector& image, const Matrix& jacobian, double factor) {
  const Matrix derivative = jacobian.topLeftCorner<6, 6>();
  return largest(congruent(derivative, form(image, factor)) - form(state, factor));
}

TEST(RouthReduction, PreservesTheFormWithTheMagneticTerm) {
  for (const CollocationOptions& method : methods) {
    const ReducedSteps<Pendulum> step(method, 0.05, double_pendulum.parameters);
    const Vector start = double_pendulum_start();
    Vector x = start;
    Matrix jacobian = Matrix::Identity(7, 7);
    for (int n = 0; n < 20; ++n) {
      EXPECT_LT(change_of_form(x, step(x), step.jacobian(x), 1), 1e-14);
      jacobian = product(step.jacobian(x), jacobian);
      x = step(x);
    }
    // Nothing depends on the angle.
    EXPECT_EQ(jacobian.col(6), Vector::Unit(7, 6));
    EXPECT_LT(change_of_form(start, x, jacobian, 1), 2e-13);
    // dx ^ ds alone, and with the other sign: the largest element, of the exact flow to t = 1, by another program. To
    // its digits by methods of order 4; the midpoint rule has an error of 3 h^2.
    const double error = method.stages == 1 ? 0.008 : 1e-4;
    EXPECT_NEAR(change_of_form(start, x, jacobian, 0), 0.4237, error);
    EXPECT_NEAR(change_of_form(start, x, jacobian, -1), 0.8475, 2 * error);
  }
}

/// A canonical method on the columns (x, s) does not: the midpoint rule there.
TEST(RouthReduction, CanonicalMethodsOnReducedMomentaDoNot) {
  using Along = Dual<double, 7>;
  const RouthReduced<Pendulum>::Model<Along> model(double_pendulum.parameters.data());
  const Vector start = double_pendulum_start();
  Vec<Along, 7> x;
  for (int i = 0; i < 7; ++i) x[i] = Along::variable(start[i], i);
  Vec<Along, 7> y = x;
  for (int k = 0; k < 60; ++k) y = fma(Along(0.05), model.flow(Along(0.5) * (x + y)), x);
  Vector image(7);
  Matrix jacobian(7, 7);
  for (int i = 0; i < 7; ++i) {
    image[i] = y[i].value;
    for (int k = 0; k < 7; ++k) jacobian(i, k) = y[i].tangent[k];
  }
  // Of order h^3; 10^9 times what the others leave. Measured here.
  EXPECT_NEAR(change_of_form(start, image, jacobian, 1), 3e-5, 0.5e-5);
}

/// The printed connection leaves a term out of mu A, and its form has another factor.
TEST(RouthReduction, PrintedMagneticFormIsWrong) {
  const double m1 = 1, m2 = 2;
  const ReferenceSteps<Pendulum> reference(gauss(1), 0.1, double_pendulum.parameters);
  const auto flow = [&](const Vector& state, bool as_printed) {
    const Vector x = state.head(3);
    const ReducedMotion::Rates rates = reference.motion().rates(x, state.segment(3, 3));
    Vector force = rates.force;
    if (as_printed) {
      const double inertia = double_pendulum.inertia(x), r1 = x[0], r2 = x[1];
      const double bracket = 2 * (m1 + m2) * r1 * r2 + std::cos(x[2]) * ((m1 + m2) * r1 * r1 + m2 * r2 * r2);
      const double factor = double_pendulum.mu() * m2 * bracket / (inertia * inertia);
      const Eigen::Matrix3d magnetic{{0, 0, -factor * r2}, {0, 0, factor * r1}, {factor * r2, -factor * r1, 0}};
      force += (double_pendulum.magnetic(x) - magnetic).transpose() * rates.velocity;
    }
    Vector rate(6);
    rate << rates.velocity, force;
    return rate;
  };
  const Vector start = double_pendulum_start();
  const Vector exact = ReducedSteps<Pendulum>(gauss(8), 0.05, double_pendulum.parameters)(start, 40).head(6);
  for (const bool as_printed : {false, true}) {
    Vector x = start.head(6);
    const double h = 0.002;
    for (int n = 0; n < 1000; ++n) {
      const Vector a = flow(x, as_printed), b = flow(x + h / 2 * a, as_printed), c = flow(x + h / 2 * b, as_printed),
                   d = flow(x + h * c, as_printed);
      x += h / 6 * (a + 2 * b + 2 * c + d);
    }
    if (as_printed)
      EXPECT_NEAR(largest(x - exact), 0.108, 0.0005);
    else
      EXPECT_LT(largest(x - exact), 2e-11);  // 7e-12, of rk4
  }
}

}  // namespace
}  // namespace polhode::test
