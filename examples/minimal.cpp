// One trajectory of a heavy top through the headers alone, without the library:
//
//     g++ -std=c++20 -O2 -ffp-contract=off -I include examples/minimal.cpp && ./a.out
//
// The bits are those of `polhode run` for the same start: the program runs this template too.
#include <cstdio>

#include "polhode/method/bound_method.hpp"
#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/heavy_top.hpp"

int main() {
  using polhode::HeavyTop;
  using Method = polhode::BoundMethod<polhode::RattleMethod, polhode::KickedRotation<HeavyTop, polhode::CayleySolver>>;

  const double parameters[] = {1.5, 1.44, 0.94, 0, 0, 1, 1};  // I1 I2 I3, chi, c: as HeavyTop::parameters
  const double h = 0.05;
  const HeavyTop::Model<double> top(parameters);
  const Method::Step<double> step(top, h, Method::nominal_sweeps<double>(parameters, h));

  HeavyTop::State<double> x{1, 0.5, -0.64, 0.6, 0, 0.8};  // Pi, Gamma
  const double energy = top.energy(x);
  for (int n = 0; n < 1000; ++n)
    if (!step(x, x, true)) {
      std::printf("step %d did not converge\n", n);
      return 1;
    }
  for (int i = 0; i < HeavyTop::dim; ++i) std::printf("%-7s %.17g\n", HeavyTop::observables[i].name, x[i]);
  std::printf("energy  %.17g, %.2e from the start's\n", top.energy(x), top.energy(x) - energy);
}
