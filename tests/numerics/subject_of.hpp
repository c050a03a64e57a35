// A Subject made of the types of a system and of the step maps that advance it: what needs no more than a Model and
// Steps. Constraints and brackets are added in constrained_subject.hpp and body_subject.hpp.
#pragma once

#include <iterator>

#include "catalog_types.hpp"
#include "numerics/advance_by_definition.hpp"
#include "numerics/subject.hpp"

namespace polhode::test {

template <class System, class... Other>
constexpr bool contains(TypeList<Other...>) {
  return (std::is_same_v<System, Other> || ...);
}
template <class Map, class System>
inline constexpr bool advances = contains<System>(typename CatalogTypes<Map>::Systems{});

/// f.operator()<Map>() for every step map that advances the system.
template <class System, class F>
void for_maps(const F& f) {
  [&]<class... Map>(TypeList<Map...>) {
    const auto visit = [&]<class Candidate>() {
      if constexpr (advances<Candidate, System>) f.template operator()<Candidate>();
    };
    (visit.template operator()<Map>(), ...);
  }(CatalogStepMaps{});
}

/// What a solver's step is called through.
template <class System>
struct Stepper {
  template <class T>
  using Point = typename System::template State<T>;
  template <class T>
  using Advance = bool (*)(const double* p, const Scheme&, double h, int sweeps, std::int64_t steps, Point<T>&);

  const char* name;
  int (*nominal_sweeps)(const double* p, const Scheme&, double h);
  Advance<double> advance;
  Advance<Along> advance_along;
};

template <class System>
const std::vector<Stepper<System>>& steppers() {
  static const std::vector<Stepper<System>> all = [] {
    std::vector<Stepper<System>> found;
    for_maps<System>([&]<class Map>() {
      [&]<class... Variant>(StepMaps<Variant...>) {
        (found.push_back({Variant::Solver::name, nominal_sweeps_by<Variant>, advance_by<Variant, double>,
                          advance_by<Variant, Along>}),
         ...);
      }(typename Map::template StepMapsOn<System>{});
    });
    return found;
  }();
  return all;
}

template <class System>
class SubjectOf : public Subject {
 protected:
  template <class T>
  using Model = typename System::template Model<T>;
  template <class T>
  using Point = typename System::template State<T>;

 public:
  explicit SubjectOf(const std::vector<double>& p)
      : Subject(System::name, p), model_(parameters.data()), along_(parameters.data()) {
    for (const auto& stepper : steppers<System>()) solvers.push_back(stepper.name);
    State x(System::dim);
    System::example_state(parameters.data(), x.data());
    for (int i = 0; i < System::n_invariants; ++i)
      if (System::conserves(parameters.data(), x.data(), i)) invariants.push_back(i);
    is_casimir.resize(invariants.size());
  }

  double invariant(int index, const State& x) const override { return model_.invariant(index, from(x)); }
  Eigen::VectorXd invariant_gradient(int index, const State& x) const override {
    Eigen::VectorXd gradient(System::dim);
    for (int k = 0; k < System::dim; ++k)
      gradient[k] = along_.invariant(index, from(x, State::Unit(System::dim, k))).tangent[0];
    return gradient;
  }

 protected:
  int nominal_sweeps(int solver, const Scheme& scheme, double h) const override {
    return steppers<System>()[solver].nominal_sweeps(parameters.data(), scheme, h);
  }
  bool step_by(int solver, const Scheme& scheme, double h, int sweeps, std::int64_t steps, State& x) const override {
    Point<double> point = from(x);
    const bool valid = steppers<System>()[solver].advance(parameters.data(), scheme, h, sweeps, steps, point);
    x = to(point);
    return valid;
  }
  bool step_along(int solver, const Scheme& scheme, double h, int sweeps, State& x, State& tangent) const override {
    Point<Along> point = from(x, tangent);
    const bool valid = steppers<System>()[solver].advance_along(parameters.data(), scheme, h, sweeps, 1, point);
    take(point, x, tangent);
    return valid;
  }

  static Point<double> from(const State& x) {
    Point<double> point;
    std::copy_n(x.data(), System::dim, point.v);
    return point;
  }
  static Point<Along> from(const State& x, const State& tangent) {
    Point<Along> point;
    for (int i = 0; i < System::dim; ++i) {
      point[i] = Along(x[i]);
      point[i].tangent[0] = tangent[i];
    }
    return point;
  }
  static State to(const Point<double>& point) { return Eigen::Map<const State>(point.v, System::dim); }
  static void take(const Point<Along>& point, State& x, State& tangent) {
    for (int i = 0; i < System::dim; ++i) {
      x[i] = point[i].value;
      tangent[i] = point[i].tangent[0];
    }
  }

  Model<double> model_;
  Model<Along> along_;
};

}  // namespace polhode::test
