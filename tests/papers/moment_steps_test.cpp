// The first-order algorithm and its adjoint on groups of polynomial maps (McLachlan & Scovel 1995, (2), (3) and (10)):
// the program's steps against the equations as they stand (moment_euler.hpp) and against known numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "papers/moment_cases.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;

/// States of a case after some steps of 0.1, by another program: A, moments and energy.
struct MomentState {
  int of_case;
  MomentMap map;
  int steps;
  double a[10], moments[7], energy;
};
constexpr MomentState known_moment_states[] = {
    {0,
     MomentMap::first_order,
     1,
     {1.024248794571872, -0.09672910538397737, 0.02356721430161414, 0.9740996227984351},
     {-0.1586726492120452, 0.4207881303341549, -0.9337630106125847},
     0.289587728344425},
    {0,
     MomentMap::first_order,
     10,
     {1.228964100702192, -0.489912817825488, 1.062422304254493, 0.3901706281965917},
     {-0.7582190652185989, 0.07316904098874941, 0.03105473407477309},
     0.2894737440773344},
    {0,
     MomentMap::adjoint,
     1,
     {1.024248794571872, -0.09672910538397739, 0.02356721430161409, 0.974099622798435},
     {-0.1586726492120452, 0.420788130334155, -0.9337630106125847},
     0.289587728344425},
    {0,
     MomentMap::adjoint,
     10,
     {1.228964100702192, -0.4899128178254881, 1.062422304254492, 0.3901706281965917},
     {-0.7582190652185987, 0.07316904098874959, 0.03105473407477306},
     0.2894737440773343},
    {0,
     MomentMap::composition,
     1,
     {1.024385949117954, -0.09691115209313006, 0.02361337313279132, 0.9739606460474921},
     {-0.1588622160812846, 0.4209421682211824, -0.9334649399003346},
     0.2895219033504955},
    {0,
     MomentMap::composition,
     10,
     {1.230021169066535, -0.4897288192171962, 1.067552609214143, 0.3879516330596651},
     {-0.7584391802078262, 0.06988666651427596, 0.0316648380914888},
     0.2894937092488256},
    {1,
     MomentMap::first_order,
     1,
     {1.013288066759921, -0.05604188972845514, -0.01805409553370995, -0.0403409780444483, -0.04571745040054869,
      -0.005964317080410749, 0.9872160587055802, 0.02805065694830465, 0.03231378112903398, 0.0190270091971563},
     {0.0496805607967538, 0.2232366639351447, -0.5869394098552954, -0.1762127841205018, -0.4524406111474805,
      -0.6689178703479931, -0.584067765124874},
     0.2508608387697107},
    {1,
     MomentMap::first_order,
     10,
     {1.422712641598024, -0.708994049031122, -0.0988724457414322, -0.3642633401427536, -0.2662898120126306,
      -0.06905472867047176, 0.7372953335865546, -0.08633949330890167, 0.2062109080750633, 0.05592995064242631},
     {-0.1853452285251481, 0.6879865721077617, -0.4737495987673143, 0.2219073471532129, 0.04065324190901283,
      -0.2916174408711761, -0.1731477273240377},
     0.2570814866511713},
    {1,
     MomentMap::adjoint,
     1,
     {1.012553698335679, -0.05229952419327703, -0.01672171374332356, -0.03990019986490874, -0.04420744926706756,
      0.003743811548232923, 0.9874085711016835, 0.02334385178211953, 0.03005391564539722, 0.0185150600853782},
     {0.04848762578038042, 0.2218490223920706, -0.5759861524369009, -0.1809539163498221, -0.4588847563271932,
      -0.6803686195995342, -0.6047523016568604},
     0.2540103817745605},
    {1,
     MomentMap::adjoint,
     10,
     {1.39549894052761, -0.6787987911668636, -0.0925025374751287, -0.3632121225895095, -0.2570481867382254,
      -0.06831260286059099, 0.7498182061303605, -0.1037448036736092, 0.2181125507990175, 0.0571149798642163},
     {-0.1454656231633454, 0.6752207426237721, -0.4866149761557121, 0.2124518504914843, 0.02632688721792555,
      -0.3011302018846071, -0.1841322197768521},
     0.2480879672717813},
    {1,
     MomentMap::composition,
     1,
     {1.012946140756601, -0.05441406557741504, -0.0174127186557158, -0.04006084858819778, -0.04480142487747897,
      -0.00139286494778405, 0.9872941425075386, 0.02573394760863832, 0.03123381483096517, 0.01874585698448046},
     {0.04869203369536707, 0.2225264969258319, -0.5816055569636122, -0.1782562444675803, -0.4552797161633608,
      -0.6741975731757244, -0.5937466877268762},
     0.252160903155479},
    {1,
     MomentMap::composition,
     10,
     {1.411891628031614, -0.6969156959725311, -0.09477606914866285, -0.3648398188607295, -0.2604139906847755,
      -0.06671162277087735, 0.7411987975817863, -0.09849397322886941, 0.2139816251886554, 0.05525812269495006},
     {-0.1711645521890442, 0.681153305796662, -0.475918217405794, 0.2182500078567305, 0.03523830888589773,
      -0.2952456973916811, -0.1786944761696432},
     0.2521076923695831},
};

TEST(FastMomentSteps, HaveTheKnownStates) {
  for (const MomentState& known : known_moment_states) {
    const MomentCase& start = moment_cases[known.of_case];
    SCOPED_TRACE(std::string(start.name) + ", " + std::to_string(known.steps));
    const MomentAlgebra algebra(start.d, start.n);
    const MomentEuler euler(algebra, ExtendedMetric(algebra));
    const FastMomentSteps steps(euler);
    Vector x = steps.at_identity(start.moments(algebra));
    for (int k = 0; k < known.steps; ++k) ASSERT_TRUE(advance(steps, known.map, 0.1, x));
    // In each step, some roundings of numbers of size 1: 1.4e-14 was measured after ten.
    const double tolerance = 4e-15 * known.steps;
    for (int k = 0; k < algebra.maps; ++k) EXPECT_NEAR(x[k], known.a[k], tolerance);
    const Vector moments = steps.moments_of(x);
    for (int k = 0; k < algebra.dimension; ++k) EXPECT_NEAR(moments[k], known.moments[k], tolerance);
    EXPECT_NEAR(euler.energy(x.head(algebra.maps), x.tail(algebra.maps)), known.energy, tolerance);
  }
}

TEST(FastMomentSteps, AreTheEquationsAsTheyStand) {
  for (const MomentCase& start : moment_cases)
    for (const double tilt : {0.0, 0.1}) {
      SCOPED_TRACE(std::string(start.name) + ", " + std::to_string(tilt));
      const MomentAlgebra algebra(start.d, start.n);
      const MomentEuler euler(algebra, tilted(skewed(ExtendedMetric(algebra)), tilt));
      const FastMomentSteps fast(euler);
      const MomentSteps steps(euler, Multipliers::unique);
      Vector x = fast.at_identity(start.moments(algebra));
      for (int k = 0; k < 3; ++k) ASSERT_TRUE(advance(fast, MomentMap::composition, 0.1, x));  // away from 1
      for (const MomentMap map : moment_maps) {
        Vector y = x;
        ASSERT_TRUE(advance(fast, map, 0.05, y));
        MomentSteps::State z{x.head(algebra.maps), x.tail(algebra.maps)};
        for_stages(map, 0.05, [&](const Kicks& kicks, double h) {
          z = kicks.before != 0 ? steps.first_order(h, z) : steps.adjoint(h, z);
          return true;
        });
        // Roundings of numbers of size 1, over h: 2e-15 was measured.
        EXPECT_LT((y.head(algebra.maps) - z.q).cwiseAbs().maxCoeff(), 1e-14);
        EXPECT_LT((y.tail(algebra.maps) - z.p).cwiseAbs().maxCoeff(), 1e-14);
      }
    }
}

TEST(MomentSteps, RefuseDependentConstraintsUnlessAskedForLeastMultipliers) {
  const MomentAlgebra algebra(2, 3);
  const MomentEuler euler(algebra, ExtendedMetric(algebra));
  try {
    const MomentSteps refused(euler, Multipliers::unique);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "d = 2, n = 3: 30 constraints of rank 26 do not determine their multipliers");
  }
  for (const MomentCase& start : moment_cases) {
    const MomentAlgebra other(start.d, start.n);
    const MomentEuler accepted(other, ExtendedMetric(other));
    EXPECT_NO_THROW(MomentSteps(accepted, Multipliers::unique));
  }
}

TEST(MomentSteps, WithoutASolutionAreNoStates) {
  const MomentCase& start = moment_cases[0];
  const MomentAlgebra algebra(start.d, start.n);
  const MomentEuler euler(algebra, ExtendedMetric(algebra));
  const MomentSteps steps(euler, Multipliers::unique);
  const MomentSteps::State x{algebra.identity(), euler.momentum_of(start.moments(algebra))};
  EXPECT_NO_THROW(steps.first_order(0.1, x));
  EXPECT_THROW(steps.first_order(100, x), std::runtime_error);
  EXPECT_THROW(steps.adjoint(100, x), std::runtime_error);
}

TEST(MomentSteps, OfLeastMultipliersAreThoseOfAnEulerEquation) {
  const MomentAlgebra algebra(2, 3);
  const MomentEuler euler(algebra, ExtendedMetric(algebra));
  const MomentSteps steps(euler, Multipliers::least_norm);
  const Vector mu = Vector::NullaryExpr(algebra.dimension, [](Eigen::Index k) { return 0.3 * std::cos(1.0 + 3 * k); });
  const MomentSteps::State start{algebra.identity(), euler.momentum_of(mu)};
  const Vector exact = moment_flow(euler, mu, 0.4, 40);  // off by less than 1e-8
  const auto error = [&](MomentMap map, int count) {
    MomentSteps::State x = start;
    for (int k = 0; k < count; ++k)
      for_stages(map, 0.4 / count, [&](const Kicks& kicks, double h) {
        x = kicks.before != 0 ? steps.first_order(h, x) : steps.adjoint(h, x);
        return true;
      });
    // Roundings of numbers of size 1: 5e-16 was measured.
    EXPECT_LT(algebra.constraint(x.q).cwiseAbs().maxCoeff(), 5e-15);
    EXPECT_LT((euler.conserved(x.q, x.p) - euler.conserved(start.q, start.p)).cwiseAbs().maxCoeff(), 5e-15);
    return (euler.moments(x.q, x.p) - exact).cwiseAbs().maxCoeff();
  };
  for (const MomentMap map : {MomentMap::first_order, MomentMap::adjoint, MomentMap::composition}) {
    const double coarse = error(map, 4), fine = error(map, 8);
    // The next term: 0.93, 1.06 and 1.998 were measured.
    EXPECT_NEAR(std::log2(coarse / fine), map == MomentMap::composition ? 2 : 1, 0.1);
  }
}

struct MomentsAtTime {
  int of_case;
  double moments[10];
};
/// At t = 1, by extrapolation in quadruple precision.
constexpr MomentsAtTime known_moments[] = {
    {0, {-0.7585108306455466489, 0.0687784304452625642, 0.0318644461344292120}},
    {1,
     {-0.1720112946595959865, 0.6816086579403085530, -0.4757860868431370728, 0.2186044604889739538,
      0.0355752771646160401, -0.2949601290047884899, -0.1779540391082841626}},
    {2,
     {-0.1061908700169229706, 0.66571881071903331486, -0.5781215162431599636, 0.27006788430044862731,
      0.60454994578753081755, -0.9316196358437301215, -1.6643700408283071690, -0.1939239790780786373,
      -0.6594502731903116169, -1.6889010207952652027}},
};

TEST(MomentFlow, HasTheKnownMoments) {
  for (const MomentsAtTime& known : known_moments) {
    const MomentCase& start = moment_cases[known.of_case];
    const MomentAlgebra algebra(start.d, start.n);
    const MomentEuler euler(algebra, ExtendedMetric(algebra));
    const auto error = [&](int steps) {
      const Vector difference = moment_flow(euler, start.moments(algebra), 1, steps) -
                                Eigen::Map<const Vector>(known.moments, algebra.dimension);
      return difference.cwiseAbs().maxCoeff();
    };
    EXPECT_LT(error(400), 2e-11);  // of order 4: 1.3e-11 was measured
    EXPECT_NEAR(std::log2(error(50) / error(100)), 4, 0.1);
  }
}

}  // namespace
}  // namespace polhode::test
