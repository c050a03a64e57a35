// Steps of maps on systems that the catalog does not have them on.
#include "numerics/advance_by_definition.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/system/double_pendulum_shape.hpp"

namespace polhode::test {

template bool advance_by<RungeKutta<DoublePendulumReduced>, double>(const double*, const Scheme&, double, int,
                                                                    std::int64_t,
                                                                    DoublePendulumReduced::State<double>&);
template int nominal_sweeps_by<RungeKutta<DoublePendulumReduced>>(const double*, const Scheme&, double);

}  // namespace polhode::test
