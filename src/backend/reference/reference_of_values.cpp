#include "backend/reference/reference_of_values.hpp"

#include <vector>

#include "backend/reference/constrained_motions.hpp"
#include "backend/reference/reference_run.hpp"

namespace polhode {
namespace {

/// Parameters of a run, shared by all functions that the backend holds.
using Parameters = std::shared_ptr<const std::vector<double>>;

/// Pointer to complex numbers as to pairs of doubles, real and imaginary part, which they are in memory.
const double* pairs(const Complex* z) { return reinterpret_cast<const double*>(z); }
double* pairs(Complex* z) { return reinterpret_cast<double*>(z); }

Observables observables_of(const ValueTable& table, const Parameters& parameters) {
  Observables observables{table.dim, table.n_invariants,
                          [=, &table](int i, const double* x) { return table.observe(parameters->data(), i, x); },
                          [=, &table](int i, const double* x) { return table.invariant(parameters->data(), i, x); }};
  observables.magnitude = [=, &table](int i, const double* x) { return table.magnitude(parameters->data(), i, x); };
  observables.in_domain = [=, &table](const double* x) { return table.in_domain(parameters->data(), x); };
  observables.is_at_edge = [=, &table](const double* x, double h) {
    return table.is_at_edge(parameters->data(), x, h);
  };
  return observables;
}

std::function<void(const Complex* q, Complex* g)> constraints_of(const ValueTable& table, const Parameters& p) {
  if (!table.constraints) return {};
  return [=, &table](const Complex* q, Complex* g) { table.constraints(p->data(), pairs(q), pairs(g)); };
}

LayerFunction layer_of(const ValueTable& table, const Parameters& p) {
  if (!table.layer) return {};
  return [=, &table](const Complex* curve, Complex* rates) { table.layer(p->data(), pairs(curve), pairs(rates)); };
}

MechanicalValues mechanical_values(const ValueTable& table, const Parameters& p) {
  return {table.N,
          table.D,
          [=, &table](const double* momentum, double* v) { table.velocity(p->data(), momentum, v); },
          [=, &table](const Complex* q) {
            Complex value;
            table.potential(p->data(), pairs(q), pairs(&value));
            return value;
          },
          constraints_of(table, p),
          layer_of(table, p)};
}

HamiltonianValues hamiltonian_values(const ValueTable& table, const Parameters& p) {
  return {table.N, table.D,
          [=, &table](const Complex* q, const Complex* momentum) {
            Complex value;
            table.hamiltonian(p->data(), pairs(q), pairs(momentum), pairs(&value));
            return value;
          },
          constraints_of(table, p), layer_of(table, p)};
}

CyclicValues cyclic_values(const ValueTable& table, const Parameters& p) {
  CyclicValues values{
      table.N, [=, &table](const Complex* x, Complex* metric) { table.metric(p->data(), pairs(x), pairs(metric)); }};
  if (table.discrete_lagrangian)
    values.discrete_lagrangian = [=, &table](const Complex* x0, const Complex* x1, const Complex& turn, double h) {
      Complex value;
      table.discrete_lagrangian(p->data(), pairs(x0), pairs(x1), pairs(&turn), h, pairs(&value));
      return value;
    };
  return values;
}

std::unique_ptr<Motion> motion_of(const ValueTable& table, const Parameters& p, const ReferenceMethod& method) {
  switch (table.form) {
    case SystemForm::constrained:
    case SystemForm::mechanical: return make_motion(mechanical_values(table, p), method);
    case SystemForm::hamiltonian:
    case SystemForm::canonical: return make_motion(hamiltonian_values(table, p), method);
    case SystemForm::cyclic: return make_motion(cyclic_values(table, p), method);
    case SystemForm::reduced: return make_motion(cyclic_values(table, p), p->back(), method);
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Backend> make_reference_of_values(const ValueTable& table, const RunPlan& plan,
                                                  const ReferenceMethod& method) {
  const auto p = std::make_shared<const std::vector<double>>(plan.parameters, plan.parameters + table.n_parameters);
  return make_reference_run(plan, observables_of(table, p), motion_of(table, p, method));
}

}  // namespace polhode
