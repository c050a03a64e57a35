// RATTLE and its rivals behind one interface, so that all are started, checked and timed alike.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rivals.hpp"
#include "top.hpp"

namespace polhode::bench {

std::unique_ptr<Backend> make_rattle(Isa isa, int solver, Precision precision, double h = step,
                                     const Observers& observers = {}, int threads = 1);
/// Runs a rival as a backend does, without observers.
std::unique_ptr<Backend> make_rival(const Rival& rival, double h = step);

struct Integrator {
  std::string name;
  int order;
  std::function<std::unique_ptr<Backend>(double h)> make;
};

/// In ascending order, which begins with RATTLE: the default solver with this machine's widest registers.
const std::vector<Integrator>& integrators();

/// States after some steps from `start`: trajectory after trajectory, [n][6]. Empty if a trajectory failed.
std::vector<double> states_after(const Integrator& integrator, const Batch& start, std::int64_t steps, double h);
/// Largest difference of two numbers in the same place; infinite where a number is not finite or there are none.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

/// Empty if all integrate the same problem, each with its order: where an integrator differs from the next better one,
/// the difference must shrink with the step as its order says. Otherwise what is wrong. Found out once.
const std::string& disagreement();

}  // namespace polhode::bench
