// Steps of the program's variational integrators (method/variational_map.hpp) from the start of a case.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "papers/variational_subject.hpp"
#include "polhode/method/variational_map.hpp"

namespace polhode::test {

template <std::size_t index>
struct NamedTable {
  static constexpr polhode::ExplicitTable value = polhode::explicit_tables[index].table;
};

/// A system of the program that is that of a case, with its parameters.
template <class System>
struct VariationalSubject {
  VariationalCase of;
  std::vector<double> parameters;
};

template <class System>
Eigen::VectorXd position_of(const typename System::template State<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.v, System::N);
}

/// Positions and tangential momenta: those of the program are on the hidden constraint.
template <class System>
CovectorPoint covector_at(const VariationalCase& of, const typename System::template State<double>& x) {
  const Eigen::VectorXd q = position_of<System>(x);
  return {q, tangential_part(*of.problem, q, Eigen::Map<const Eigen::VectorXd>(x.v + System::N, System::N))};
}

/// visit(point) after each of `count` steps h from the start of the case.
template <class System, std::size_t table, class Visit>
void visit_steps(const VariationalSubject<System>& subject, double bias, double h, int count, const Visit& visit) {
  using Map = Variational<System, NamedTable<table>>;
  const typename System::template Model<double> model(subject.parameters.data());
  const VariationalOptions options{bias};
  const typename Map::template Constants<double> constants(model, options, {}, h);
  const typename Map::template Step<double> step(model, options, {}, constants,
                                                 Map::template nominal_sweeps<double>(nullptr, options, {}, h));
  const CovectorPoint start = covector_start(subject.of);
  typename System::template State<double> x;
  std::copy_n(start.q.data(), System::N, x.v);
  std::copy_n(start.p.data(), System::N, x.v + System::N);
  x = System::state(System::position(x), model.to_hidden_constraint(System::position(x), System::momentum(x)));
  for (int n = 0; n < count; ++n) {
    EXPECT_TRUE(step(x, x, true));
    visit(covector_at<System>(subject.of, x));
  }
}

/// test(index, name) for each of the tables.
template <std::size_t... table, class Test>
void for_tables(std::index_sequence<table...>, const Test& test) {
  (test.template operator()<table>(polhode::explicit_tables[table].name), ...);
}

}  // namespace polhode::test
