// The structures that the flows of the catalog's systems keep, and by how much a map changes them.
#pragma once

#include "numerics/subject.hpp"

namespace polhode::test {

/// The largest change by the map of the canonical form dq ^ dp, over its largest element, on the vectors (dq, dp) at x
/// = (q, p) on which `conditions` vanish.
double form_defect(const Eigen::MatrixXd& conditions, const State& x, const TangentMap& map);

/// The largest element of D^T F(y) D - F(x) over that of F(x), where y is the image of x and D the derivative there; a
/// two-form on the first columns of a state, positions and as many momenta, which do not depend on others.
double form_defect(const std::function<Eigen::MatrixXd(const State&)>& form, const State& x, const TangentMap& map);

/// The largest element of D B(x) D^T - B(y) over that of B(x), where y is the image of x and D the derivative there;
/// {x_i, x_j} = B_ij(x), so that x' = B grad H.
double poisson_defect(const std::function<Eigen::MatrixXd(const State&)>& bracket, const State& x,
                      const TangentMap& map);

/// On se(3)*, state (Pi, Gamma):
///
///     {Pi_i, Pi_j} = -eps_ijk Pi_k,   {Pi_i, Gamma_j} = -eps_ijk Gamma_k,   {Gamma, Gamma} = 0
Eigen::MatrixXd bracket_on_se3(const State& x);

/// On T*SO(3) in body coordinates, state (Pi, q): Pi_i generates the rotation about body axis i, which multiplies q on
/// the right,
///
///     {Pi_i, Pi_j} = -eps_ijk Pi_k,   {q, Pi_i} = 1/2 q e_i,   {q, q} = 0
///
/// It is one on all of R^3 x R^4, with the Casimir |q|^2.
Eigen::MatrixXd bracket_on_cotangent_so3(const State& x);

/// On so(n)*, state m above its diagonal: with the elementary rotations E_k and <a, b> = tr(a^T b) / 2,
///
///     {m_k, m_l} = -<m, [E_k, E_l]>
Eigen::MatrixXd bracket_on_so(int n, const State& x);

}  // namespace polhode::test
