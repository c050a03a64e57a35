// Random states in equilibrium against integrals over the Liouville measure in coordinates that the sampler does not
// use: a million states, means to four standard errors.
#include <numbers>

#include "catalog/catalog.hpp"
#include "means.hpp"

namespace polhode::test {
namespace {

/// Of states of the catalog's ensembles.
Means means_of(const char* system, const std::vector<double>& p, const Equilibrium& which,
               const std::function<Eigen::ArrayXd(const double*)>& quantities) {
  const SystemEntry& entry = *find_system(system);
  char text[problem_size];
  EXPECT_EQ(entry.invalid_equilibrium_reason(p.data(), which, text), nullptr);
  double worst = 0;
  const auto draw = [&](RandomSource& random, double* x) {
    const DrawnBlock block{random.seed(), static_cast<std::int64_t>(random.first()), 1};
    if (entry.start_functions().draw(p.data(), which, block, x) != 1) ADD_FAILURE() << "no state found";
    if (which.temperature) return;
    worst = std::max(worst, std::abs(entry.observe(p.data(), entry.find_observable("energy"), x) - which.energy));
  };
  const Means means(entry.dim, draw, quantities);
  EXPECT_LT(worst, 1e-12);
  return means;
}

/// Integral of f over the box by midpoints, n along each side.
Eigen::ArrayXd integral(int n, const std::vector<std::pair<double, double>>& box,
                        const std::function<Eigen::ArrayXd(const std::vector<double>&)>& f) {
  std::vector<double> at(box.size());
  std::vector<int> index(box.size());
  Eigen::ArrayXd sum;
  for (;;) {
    for (std::size_t i = 0; i < box.size(); ++i)
      at[i] = box[i].first + (index[i] + 0.5) / n * (box[i].second - box[i].first);
    const Eigen::ArrayXd values = f(at);
    if (sum.size() == 0) sum = Eigen::ArrayXd::Zero(values.size());
    sum += values;
    std::size_t i = 0;
    while (i < box.size() && ++index[i] == n) index[i++] = 0;
    if (i == box.size()) return sum;
  }
}

/// Averages over a weight: what f returns is the weight, and the quantities times it.
Eigen::ArrayXd average(const Eigen::ArrayXd& integrals) { return integrals.tail(integrals.size() - 1) / integrals[0]; }
Eigen::ArrayXd weighted(double weight, const Eigen::ArrayXd& quantities) {
  Eigen::ArrayXd all(quantities.size() + 1);
  all << weight, weight * quantities;
  return all;
}

TEST(RandomSource, HasThePublishedWordsOfPhilox) {
  // Random123 1.14, tests/kat_vectors: philox4x64 with 10 rounds, counter and key 0.
  RandomSource random(0, 0);
  for (const std::uint64_t word : {0x16554d9eca36314cu, 0xdb20fe9d672d0fdcu, 0xd7e772cee186176bu, 0x7e68b68aec7ba23bu})
    EXPECT_EQ(random.uniform(), (static_cast<double>(word >> 12) + 0.5) * 0x1p-52);
}

TEST(RandomSource, DependsOnSeedAndTrajectoryAlone) {
  RandomSource a(1, 5), again(1, 5), other_seed(2, 5), other_trajectory(1, 6);
  for (int k = 0; k < 9; ++k) {
    const double value = a.normal();
    EXPECT_EQ(value, again.normal());
    EXPECT_NE(value, other_seed.normal());
    EXPECT_NE(value, other_trajectory.normal());
  }
}

TEST(RandomSource, IsUniformAndGaussian) {
  RandomSource random(3, 3);
  double uniform[3] = {}, normal[4] = {};
  for (std::int64_t k = 0; k < samples; ++k) {
    const double u = random.uniform(), z = random.normal();
    for (int i = 0; i < 3; ++i) uniform[i] += std::pow(u, i + 1) / samples;
    for (int i = 0; i < 4; ++i) normal[i] += std::pow(z, i + 1) / samples;
  }
  // Moments 1 / (k + 1), and 0, 1, 0, 3; their variances are those of the moments of twice the order.
  for (int i = 0; i < 3; ++i) {
    const double k = i + 1, variance = 1 / (2 * k + 1) - 1 / ((k + 1) * (k + 1));
    EXPECT_NEAR(uniform[i], 1 / (k + 1), 4 * std::sqrt(variance / samples));
  }
  const double moments[] = {0, 1, 0, 3}, variances[] = {1, 2, 15, 96};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(normal[i], moments[i], 4 * std::sqrt(variances[i] / samples));
}

TEST(Equilibrium, FreeBody) {
  // Pi_i (2 E I_i)^(-1/2) is uniform on the sphere, and the attitude on SO(3).
  const std::vector<double> p{1.5, 1.44, 0.94, 0, 0, 1, 0};
  const double energy = 1.3;
  const Means means = means_of("rigid-body", p, {.energy = energy}, [&](const double* x) {
    Eigen::ArrayXd s(9);
    for (int i = 0; i < 3; ++i) s[i] = x[i] * x[i] / (2 * energy * p[i]);
    s[3] = s[0] * s[0];
    s[4] = x[0] * x[1];
    for (int i = 0; i < 4; ++i) s[5 + i] = x[3 + i] * x[3 + i] * x[3 + i] * x[3 + i];  // uniform on S^3
    return s;
  });
  const double third = 1.0 / 3, eighth = 1.0 / 8;
  means.expect(Eigen::ArrayXd{{third, third, third, 0.2, 0, eighth, eighth, eighth, eighth}});
}

/// For a top: over Gamma, with the moments of Pi given it.
class TopIntegrals {
 public:
  Eigen::Vector3d inertia{1.5, 1.2, 0.6}, chi{0.6, 0, 0.8};
  double c = 1.1;

  std::vector<double> parameters() const { return {inertia[0], inertia[1], inertia[2], chi[0], chi[1], chi[2], c}; }

  /// Gamma3, Gamma.chi, Gamma1^2, Gamma1 Gamma3, Pi3^2, Pi1 Gamma1 of a state of heavy-top.
  static Eigen::ArrayXd of_state(const Eigen::Vector3d& chi, const double* x) {
    const Eigen::Vector3d pi(x[0], x[1], x[2]), gamma(x[3], x[4], x[5]);
    return Eigen::ArrayXd{
        {gamma[2], gamma.dot(chi), gamma[0] * gamma[0], gamma[0] * gamma[2], pi[2] * pi[2], pi[0] * gamma[0]}};
  }

  /// The same, averaged over directions of Pi: those of a unit circle or sphere, given by `mean_of_squares`.
  template <class Weight>
  Eigen::ArrayXd averages(const Weight& weight) const {
    return average(integral(600, {{-1, 1}, {0, 2 * std::numbers::pi}}, [&](const std::vector<double>& at) {
      const double across = std::sqrt(1 - at[0] * at[0]);
      const Eigen::Vector3d gamma(across * std::cos(at[1]), across * std::sin(at[1]), at[0]);
      return weight(gamma);
    }));
  }
};

TEST(Equilibrium, HeavyTopAtAnEnergy) {
  const TopIntegrals top;
  const double energy = 0.7;  // some configurations are out of reach
  const auto quantities = [&](const double* x) { return TopIntegrals::of_state(top.chi, x); };
  const auto expected = [&](double power) {
    return top.averages([&, power](const Eigen::Vector3d& gamma) {
      // The velocities that are left over: the area of an ellipsoid, in Pi over I^(1/2) a sphere of radius^2 2 K.
      const double kinetic = std::max(energy - top.c * gamma.dot(top.chi), 0.0);
      return weighted(std::pow(kinetic, power),
                      Eigen::ArrayXd{{gamma[2], gamma.dot(top.chi), gamma[0] * gamma[0], gamma[0] * gamma[2],
                                      2 * kinetic * top.inertia[2] / 3, 0}});
    });
  };
  const Means means = means_of("heavy-top", top.parameters(), {.energy = energy}, quantities);
  means.expect(expected(0.5));
  means.expect_not(expected(0.4));
}

TEST(Equilibrium, HeavyTopAtAnEnergyAndMomentum) {
  const TopIntegrals top;
  const double energy = 0.7, momentum = 0.6;
  // In u = I^(-1/2) Pi the energy is a sphere |u|^2 = 2 K and the momentum a plane u.a = j, a = I^(1/2) Gamma: a
  // circle, of which dPi delta delta = 2 pi / |a| whatever its radius.
  const auto expected = [&](double power) {
    return top.averages([&, power](const Eigen::Vector3d& gamma) {
      const Eigen::Vector3d a = top.inertia.cwiseSqrt().cwiseProduct(gamma), n = a.normalized();
      const double height = momentum / a.norm();
      const double squared = 2 * (energy - top.c * gamma.dot(top.chi)) - height * height;  // of the radius
      const double pi3 = top.inertia[2] * (height * height * n[2] * n[2] + squared * (1 - n[2] * n[2]) / 2);
      return weighted(squared > 0 ? std::pow(a.norm(), power) : 0,
                      Eigen::ArrayXd{{gamma[2], gamma.dot(top.chi), gamma[0] * gamma[0], gamma[0] * gamma[2], pi3,
                                      std::sqrt(top.inertia[0]) * height * n[0] * gamma[0]}});
    });
  };
  double worst = 0;
  const Means means =
      means_of("heavy-top", top.parameters(), {.energy = energy, .momentum = momentum}, [&](const double* x) {
        worst = std::max(worst, std::abs(x[0] * x[3] + x[1] * x[4] + x[2] * x[5] - momentum));
        return TopIntegrals::of_state(top.chi, x);
      });
  means.expect(expected(-1));
  means.expect_not(expected(0));
  EXPECT_LT(worst, 1e-12);
}

TEST(Equilibrium, HeavyTopAtATemperature) {
  const TopIntegrals top;
  const double temperature = 0.8;
  const Means means = means_of("heavy-top", top.parameters(), {.temperature = temperature},
                               [&](const double* x) { return TopIntegrals::of_state(top.chi, x); });
  means.expect(top.averages([&](const Eigen::Vector3d& gamma) {
    return weighted(std::exp(-top.c * gamma.dot(top.chi) / temperature),
                    Eigen::ArrayXd{{gamma[2], gamma.dot(top.chi), gamma[0] * gamma[0], gamma[0] * gamma[2],
                                    temperature * top.inertia[2], 0}});
  }));
}

/// Two pendula in the polar angles and azimuths of their rods, with the mass matrix in these.
struct PendulaInAngles {
  std::vector<double> p{1, 1.5, 1, 0.7, 1};  // m, l, g

  struct At {
    double volume;   ///< det^(1/2) of the mass matrix
    double inertia;  ///< about the vertical
    double potential;
    Eigen::ArrayXd quantities;
    Eigen::Matrix4d mass;
    Eigen::Matrix<double, 3, 4> first;  ///< the velocity of the first bob, by those of the angles
  };
  /// E |v1|^2 of the first bob for momenta with E p p^T = M: v1 = first M^-1 p.
  static double square_of_first(const At& there) {
    return (there.first * there.mass.inverse() * there.first.transpose()).trace();
  }
  At at(double polar1, double polar2, double azimuth) const {
    const double l1 = p[2], l2 = p[3];
    Eigen::Matrix<double, 6, 4> jacobian = Eigen::Matrix<double, 6, 4>::Zero();  // of both bobs, by the four angles
    const auto rod = [](double l, double polar, double azimuth, Eigen::Vector3d& q, Eigen::Vector3d& by_polar,
                        Eigen::Vector3d& by_azimuth) {
      const double s = std::sin(polar), c = std::cos(polar), sa = std::sin(azimuth), ca = std::cos(azimuth);
      q = l * Eigen::Vector3d(s * ca, s * sa, c);
      by_polar = l * Eigen::Vector3d(c * ca, c * sa, -s);
      by_azimuth = l * Eigen::Vector3d(-s * sa, s * ca, 0);
    };
    Eigen::Vector3d q1, q2, a, b;
    rod(l1, polar1, 0, q1, a, b);
    jacobian.block<3, 1>(0, 0) = jacobian.block<3, 1>(3, 0) = a;
    jacobian.block<3, 1>(0, 1) = jacobian.block<3, 1>(3, 1) = b;
    rod(l2, polar2, azimuth, q2, a, b);
    jacobian.block<3, 1>(3, 2) = a;
    jacobian.block<3, 1>(3, 3) = b;
    Eigen::Vector<double, 6> masses;
    masses << p[0], p[0], p[0], p[1], p[1], p[1];
    const Eigen::Matrix4d mass = jacobian.transpose() * masses.asDiagonal() * jacobian;
    const Eigen::Vector4d turn(0, 1, 0, 1);
    return {std::sqrt(std::max(mass.determinant(), 0.0)),
            turn.dot(mass * turn),
            p[4] * ((p[0] + p[1]) * q1[2] + p[1] * q2[2]),
            of_rods(q1, q2),
            mass,
            jacobian.topRows<3>()};
  }

  /// z1, z2, z1 z2, q1.q2, z1^2.
  static Eigen::ArrayXd of_rods(const Eigen::Vector3d& q1, const Eigen::Vector3d& q2) {
    return Eigen::ArrayXd{{q1[2], q2[2], q1[2] * q2[2], q1.dot(q2), q1[2] * q1[2]}};
  }
  /// These, and |v1|^2 of the first bob: p1 - p2 over its mass.
  static Eigen::ArrayXd of_state(const double* x) {
    Eigen::ArrayXd all(6);
    double square = 0;
    for (int i = 0; i < 3; ++i) square += (x[6 + i] - x[9 + i]) * (x[6 + i] - x[9 + i]);  // m1 = 1
    all << of_rods(Eigen::Vector3d(x[0], x[1], x[2]), Eigen::Vector3d(x[3], x[4], x[5])), square;
    return all;
  }

  /// With the mean of |v1|^2 at a configuration, `square`.
  template <class Weight, class Square>
  Eigen::ArrayXd averages(const Weight& weight, const Square& square) const {
    constexpr double pi = std::numbers::pi;
    return average(integral(100, {{0, pi}, {0, pi}, {0, pi}}, [&](const std::vector<double>& angles) {
      const At there = at(angles[0], angles[1], angles[2]);
      Eigen::ArrayXd all(6);
      all << there.quantities, square(there);
      return weighted(weight(there), all);
    }));
  }
};

TEST(Equilibrium, DoublePendulumAtAnEnergy) {
  const PendulaInAngles pendula;
  const double energy = 0.5;
  const Means means = means_of("double-spherical-pendulum", pendula.p, {.energy = energy}, PendulaInAngles::of_state);
  // Momenta uniform on p M^-1 p = 2 K: E p p^T = 2 K / 4 M.
  const auto square = [&](const PendulaInAngles::At& at) {
    return (energy - at.potential) / 2 * PendulaInAngles::square_of_first(at);
  };
  means.expect(
      pendula.averages([&](const auto& at) { return at.volume * std::max(energy - at.potential, 0.0); }, square));
  means.expect_not(pendula.averages([&](const auto& at) { return at.potential < energy ? at.volume : 0; }, square));
}

TEST(Equilibrium, DoublePendulumAtAnEnergyAndMomentum) {
  const PendulaInAngles pendula;
  for (const double momentum : {0.0, 1.5}) {
    const double energy = 0.5;
    double worst = 0;
    const Means means = means_of("double-spherical-pendulum", pendula.p, {.energy = energy, .momentum = momentum},
                                 [&](const double* x) {
                                   double turning = 0;
                                   for (int i = 0; i < 6; i += 3) turning += x[i] * x[7 + i] - x[i + 1] * x[6 + i];
                                   worst = std::max(worst, std::abs(turning - momentum));
                                   return PendulaInAngles::of_state(x);
                                 });
    EXPECT_LT(worst, 1e-12);
    const auto left = [&](const PendulaInAngles::At& at) {
      return energy - at.potential - momentum * momentum / (2 * at.inertia);
    };
    // p = j / I M xi and a rest in the three dimensions across it: E p p^T = (j/I)^2 M xi xi^T M + 2 K / 3 (M - M xi
    // xi^T M / I).
    const auto square = [&](const PendulaInAngles::At& at) {
      const double turned = (at.first * Eigen::Vector4d(0, 1, 0, 1)).squaredNorm();
      const double rate = momentum / at.inertia;
      return rate * rate * turned + 2 * left(at) / 3 * (PendulaInAngles::square_of_first(at) - turned / at.inertia);
    };
    const auto expected = [&](double power) {
      return pendula.averages(
          [&, power](const auto& at) {
            return left(at) > 0 ? at.volume * std::sqrt(left(at)) * std::pow(at.inertia, power) : 0;
          },
          square);
    };
    means.expect(expected(-0.5));
    means.expect_not(expected(0));
  }
}

TEST(Equilibrium, DoublePendulumAtATemperature) {
  const PendulaInAngles pendula;
  const Means means = means_of("double-spherical-pendulum", pendula.p, {.temperature = 0.9}, PendulaInAngles::of_state);
  means.expect(pendula.averages([&](const auto& at) { return at.volume * std::exp(-at.potential / 0.9); },
                                [](const auto& at) { return 0.9 * PendulaInAngles::square_of_first(at); }));
}

}  // namespace
}  // namespace polhode::test
