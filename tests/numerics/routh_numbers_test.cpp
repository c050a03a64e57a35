// Reduced systems against numbers of an independent implementation in 30 digits: the metric of the double spherical
// pendulum and its equations of motion at a point, and states and energies after 1 and 20 steps, by the step maps,
// whose coordinates are canonical, and by the reference, which has the equations of Jalnapurkar, Leok, Marsden & West
// 2006 with the magnetic form.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <utility>
#include <vector>

#include "numerics/routh.hpp"

namespace polhode::test {
namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// The values are of size 1, and sums of ten terms: 4e-16 was measured.
constexpr double round_off = 2e-15;

TEST(RouthNumbers, MetricOfTheDoublePendulum) {
  const Eigen::VectorXd x = double_pendulum_start().head(3);
  const double mu = double_pendulum.mu();
  const Vector3 connection(-0.1288884785561132119335066, 0.1611105981951415149168832, 0.3827871061566669986149273);
  EXPECT_LT(largest(double_pendulum.connection(x) - connection), round_off);
  const double inertia = double_pendulum.inertia(x);
  EXPECT_NEAR(inertia, 1.834269191300484815713848, round_off);
  EXPECT_NEAR(double_pendulum.potential(x) + mu * mu / (2 * inertia), -2.758937251578835544316844, round_off);
  const Matrix3 horizontal{{3.969528680144665431524654, 2.61542879473704691654547, -0.1459191055541001706078322},
                           {2.61542879473704691654547, 2.619055229392706403423938, -0.1131213247187143618455305},
                           {-0.1459191055541001706078322, -0.1131213247187143618455305, 0.05123192999856220077374732}};
  EXPECT_LT(largest(double_pendulum.horizontal(x) - horizontal), round_off);
  const Matrix3 slopes{{0.318206523330732023350737, -0.07553695777313199935465484, -0.5283831380319806663268505},
                       {-0.07553695777313199935465484, -0.3083552982714387880988895, 0.6604789225399758329085631},
                       {-0.4332736519400151832634324, 0.5415920649250189790792905, -0.01510739155462639987093097}};
  EXPECT_LT(largest(double_pendulum.connection_slopes(x).transpose() - slopes), round_off);
  const Matrix3 magnetic{{0, 0, -0.201604091516646878361201},
                         {0, 0, 0.2520051143958085979515013},
                         {0.201604091516646878361201, -0.2520051143958085979515013, 0}};
  EXPECT_LT(largest(double_pendulum.magnetic(x) - magnetic), round_off);
}

/// The closed form of the magnetic form, mu 2 m1 m2 r1 r2 / I^2 dphi ^ (r2 dr1 - r1 dr2), at other points.
TEST(RouthNumbers, MagneticFormOfTheDoublePendulum) {
  for (const Vector3& x : {Vector3(0.5, 0.4, 0.3), Vector3(0.9, 0.1, 2.5), Vector3(0.2, 0.7, -1.4)}) {
    const double inertia = double_pendulum.inertia(x);
    const double factor = double_pendulum.mu() * 2 * 1 * 2 * x[0] * x[1] / (inertia * inertia);
    const Matrix3 magnetic{{0, 0, -factor * x[1]}, {0, 0, factor * x[0]}, {factor * x[1], -factor * x[0], 0}};
    EXPECT_LT(largest(double_pendulum.magnetic(x) - magnetic), 2 * round_off);
  }
}

TEST(RouthNumbers, EquationsOfMotionOfTheDoublePendulum) {
  const Eigen::VectorXd start = double_pendulum_start();
  const Vector3 velocity(0.1, -0.05, 0.2);
  const Vector3 force(1.269350977665917892368135, 1.234767196731951379853429, -0.1295735177532443002081269);
  const Vector3 amended_slope(-1.291748251768615405155175, -1.18944866659679375160984, 0.1578599799619309016117207);

  const RouthReduced<DoublePendulumShape>::Model<double> model(double_pendulum.parameters.data());
  Vec<double, 7> x;
  std::copy_n(start.data(), 7, x.v);
  const auto flow = model.flow(x);
  const Eigen::Map<const Eigen::Vector<double, 7>> rate(flow.v);
  EXPECT_LT(largest(rate.head<3>() - velocity), round_off);
  EXPECT_LT(largest(rate.segment<3>(3) - force), round_off);
  EXPECT_NEAR(rate[6], 1.1, round_off);
  EXPECT_NEAR(model.energy(x), -2.749655463378980184515894, round_off);
  // At rest all of the force is that of the amended potential.
  for (int i = 3; i < 6; ++i) x[i] = 0;
  const auto at_rest = model.flow(x);
  EXPECT_LT(largest(Vector3(at_rest[3], at_rest[4], at_rest[5]) + amended_slope), round_off);

  const ReferenceSteps<DoublePendulumShape> reference(gauss(1), 0.1, double_pendulum.parameters);
  const ReducedMotion::Rates rates = reference.motion().rates(start.head(3), start.segment(3, 3));
  EXPECT_LT(largest(rates.velocity - velocity), round_off);
  EXPECT_LT(largest(rates.force - force), round_off);
  EXPECT_NEAR(rates.angle_rate, 1.1, round_off);
}

/// s = p - mu A: the momenta of the same velocities, with and without reduction.
TEST(RouthNumbers, MomentumShift) {
  const Eigen::Vector<double, 8> full{0.5,
                                      0.4,
                                      0.3,
                                      0.25,
                                      -0.03620799717368709340709793,
                                      0.4494728584859280698776482,
                                      0.8127064386823594826341908,
                                      2.119705402694607634092926};
  EXPECT_LT(largest(double_pendulum.reduced(full) - double_pendulum_start()), round_off);
  EXPECT_LT(largest(double_pendulum.unreduced(double_pendulum_start()) - full), round_off);
  const CyclicSystem<DoublePendulumShape>::Model<double> model(double_pendulum.parameters.data());
  const auto p = model.momentum_of({0.5, 0.4, 0.3, 0.25}, {0.1, -0.05, 0.2, 1.1});
  EXPECT_LT(largest(Eigen::Map<const Eigen::Vector4d>(p.v) - full.tail<4>()), round_off);
}

/// The reduced energy h_mu of a state.
template <class Physics>
double energy_of(const std::vector<double>& parameters, const Eigen::VectorXd& state) {
  using System = RouthReduced<Physics>;
  typename System::template State<double> x;
  std::copy_n(state.data(), System::dim, x.v);
  return typename System::template Model<double>(parameters.data()).energy(x);
}
/// Of energies: the round-off of the states, times slopes of size 1.
constexpr double energy_round_off = 1e-14;

struct Known {
  Eigen::Vector<double, 7> x;  ///< (x, s, theta)
  double energy;
};
struct Case {
  CollocationOptions options;
  Known first, last;  ///< after 1 and 20 steps
};
const Case double_pendulum_cases[] = {
    {gauss(2),
     {{0.5049538609105064423044, 0.3980384690840892383611, 0.3079370457534310452964, 0.2996209276477154563023,
       0.1686239783659494001328, -0.00538621339211899905173, 0.3055183402020812631294},
      -2.749655465299882263408},
     {{0.5982766324571021117867, 0.4797238720579241588521, -0.195095652429269686622, 0.8172169343775095259252,
       0.6831078357107239161853, -0.01221731362729709898677, 1.424542204043343973354},
      -2.749655478536085713987}},
    {lobatto(3),
     {{0.5049538127939639547152, 0.3980385451556742721487, 0.3079372677813919980186, 0.2996208426946525980583,
       0.1686242953344657432748, -0.005386325548992412710868, 0.3055182657406386077697},
      -2.749655487053872747634},
     {{0.5982769342923695519473, 0.4797238674789027193967, -0.1950999092895623049099, 0.8172188073292588408837,
       0.6831073006328643528658, -0.01221625255931799710505, 1.424543948255871848399},
      -2.749655254825764627758}},
    {gauss(1),
     {{0.5049569610920427520066, 0.398028352182811729078, 0.3078863779515723284172, 0.2995883095896816408181,
       0.1685577726835235030094, -0.00537346735336030581602, 0.3055284332190528912274},
      -2.749655764786439229938},
     {{0.598101335393495279672, 0.4797654531314333386709, -0.1946464569393797732273, 0.8171731569402561800088,
       0.6830841386543041004139, -0.01242915622643966981228, 1.424387713877280147318},
      -2.749681551878995933844}},
};

TEST(RouthNumbers, StepsOfTheDoublePendulum) {
  for (const Case& one : double_pendulum_cases) {
    const ReducedSteps<DoublePendulumShape> steps(one.options, 0.05, double_pendulum.parameters);
    ReferenceSteps<DoublePendulumShape> reference(one.options, 0.05, double_pendulum.parameters);
    const Eigen::VectorXd start = double_pendulum_start();
    // A step rounds to some units in the last place, and 20 let that grow: 3e-15 was measured.
    EXPECT_LT(largest(steps(start) - one.first.x), round_off);
    EXPECT_LT(largest(reference(start) - one.first.x), round_off);
    EXPECT_LT(largest(steps(start, 20) - one.last.x), 1e-14);
    EXPECT_LT(largest(reference(start, 20) - one.last.x), 1e-14);
    for (const auto& [n, expected] : {std::pair{1, one.first}, {20, one.last}})
      EXPECT_NEAR(energy_of<DoublePendulumShape>(double_pendulum.parameters, steps(start, n)), expected.energy,
                  energy_round_off);
  }
}

/// The exact flow to t = 1, which is known to 2e-19, by Gauss collocation of order 16.
TEST(RouthNumbers, FlowOfTheDoublePendulum) {
  const Eigen::Vector<double, 7> exact{0.598276748641830614, 0.479723761802457618, -0.195095837022994622,
                                       0.817217084578459834, 0.683107753050637351, -0.0122172033291133267,
                                       1.42454226686848535};
  const ReducedSteps<DoublePendulumShape> steps(gauss(8), 0.1, double_pendulum.parameters);
  EXPECT_LT(largest(steps(double_pendulum_start(), 10) - exact), 1e-14);
}

/// States (r, z, pr, pz, theta) after 20 steps, and their energies.
struct SatelliteCase {
  double oblateness, step;
  CollocationOptions options;
  Eigen::Vector<double, 5> last;
  double energy;
};
const SatelliteCase satellite_cases[] = {
    {0,
     0.3,
     gauss(1),
     {.99585769037497484776, -.091268002302066768824, .026117046126807709364, .28103247187145259649,
      6.0329233000704368956},
     -.50000005531145121149},
    {0,
     0.1,
     gauss(2),
     {.96321941655622114133, .26871579148390167239, .034308376969585319056, -.12297972544140181683,
      2.0175470230073483718},
     -.49999999969623912754},
    {0,
     0.1,
     lobatto(3),
     {.96321953962325793345, .26871571659287418284, .034308520436118816818, -.12297982807509328647,
      2.0175469568986464422},
     -.50000000941970406327},
    {0.05,
     0.3,
     gauss(1),
     {.96680304452096815316, .25046729670534747669, -.040876669575238730225, .12276416341330232524,
      6.9640138534340371042},
     -.52506140757444478457},
    {0.05,
     0.1,
     gauss(2),
     {.87449790337631495979, .17882886815415858657, -.019243098503336057404, -.2422884077357257143,
      2.19038484058079112},
     -.52499997848647606336},
    {0.05,
     0.1,
     lobatto(3),
     {.87449819413420736169, .17882867427871619213, -.019242705509148870959, -.24228855521603344998,
      2.1903846213085138465},
     -.52500002426789647000},
};

TEST(RouthNumbers, StepsOfTheSatellite) {
  for (const SatelliteCase& one : satellite_cases) {
    const std::vector<double> parameters = satellite(one.oblateness).parameters;
    const ReducedSteps<J2SatelliteShape> steps(one.options, one.step, parameters);
    ReferenceSteps<J2SatelliteShape> reference(one.options, one.step, parameters);
    // 4e-15 was measured, of an angle of 7.
    const Eigen::VectorXd last = steps(satellite_start(), 20);
    EXPECT_LT(largest(last - one.last), 2e-14);
    EXPECT_LT(largest(reference(satellite_start(), 20) - one.last), 2e-14);
    EXPECT_NEAR(energy_of<J2SatelliteShape>(parameters, last), one.energy, energy_round_off);
  }
}

}  // namespace
}  // namespace polhode::test
