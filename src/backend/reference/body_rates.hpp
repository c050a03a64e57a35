// The equations of motion of a body with a fixed point in body coordinates, x' = B(x) dH(x), from values of the energy
// and the bracket B: of se(3)* for (Pi, Gamma), of the left-trivialised T*SO(3) for (Pi, q).
#pragma once

#include <Eigen/Dense>
#include <functional>

#include "backend/reference/body_pose.hpp"
#include "backend/reference/complex_step.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/rigid_body.hpp"

namespace polhode {

/// Energy H and bracket B of a System (head comment), as functions of its states; specialised for every body that
/// body_rate() is used for, below and in of_*.hpp.
template <class System>
struct BodyBracket;

/// Energy and bracket of states (Pi, Gamma).
struct BracketOnSe3 {
  using State = Eigen::Vector<double, 6>;
  template <class S, class Body>
  static S energy(const Body& body, const Eigen::Vector<S, 6>& x) {
    return body.energy({x[0], x[1], x[2]}, {x[3], x[4], x[5]});
  }
  /// Bracket {Pi_i, Pi_j} = -e_ijk Pi_k, {Pi_i, Gamma_j} = -e_ijk Gamma_k, with the sign of body coordinates.
  static Eigen::Matrix<double, 6, 6> bracket(const State& x) {
    Eigen::Matrix<double, 6, 6> b = Eigen::Matrix<double, 6, 6>::Zero();
    b.topLeftCorner<3, 3>() = hat<double>(x.head<3>());
    b.topRightCorner<3, 3>() = b.bottomLeftCorner<3, 3>() = hat<double>(x.tail<3>());
    return b;
  }
};

template <>
struct BodyBracket<HeavyTop> : BracketOnSe3 {};

template <>
struct BodyBracket<RigidBody> {
  using State = Eigen::Vector<double, 7>;
  /// Energy of (Pi, q), where Gamma is the last row of |q|^2 Q(q).
  template <class S>
  static S energy(const Top::Body<S>& body, const Eigen::Vector<S, 7>& x) {
    const S w = x[3], a = x[4], b = x[5], c = x[6];
    return body.energy({x[0], x[1], x[2]},
                       {S(2) * (a * c - w * b), S(2) * (b * c + w * a), w * w - a * a - b * b + c * c});
  }
  /// Bracket of q' = E(q) H_Pi and Pi' = Pi x H_Pi - E(q)^T H_q, where E(q) v is half the quaternion product of q and
  /// (0, v).
  static Eigen::Matrix<double, 7, 7> bracket(const State& x) {
    const double w = x[3], a = x[4], b = x[5], c = x[6];
    Eigen::Matrix<double, 4, 3> product;
    product << -a, -b, -c, w, -c, b, c, w, -a, -b, a, w;
    Eigen::Matrix<double, 7, 7> all = Eigen::Matrix<double, 7, 7>::Zero();
    all.topLeftCorner<3, 3>() = hat<double>(x.head<3>());
    all.bottomLeftCorner<4, 3>() = product / 2;
    all.topRightCorner<3, 4>() = -product.transpose() / 2;
    return all;
  }
};

/// Function that computes the rate of change x' = B(x) dH(x) of a state x of a System. parameters: those of its Body.
template <class System>
std::function<Eigen::VectorXd(const Eigen::VectorXd&)> body_rate(const double* parameters) {
  using Bracket = BodyBracket<System>;
  return [body = typename System::template Body<std::complex<double>>(parameters)](
             const Eigen::VectorXd& x) -> Eigen::VectorXd {
    const typename Bracket::State at = x;
    const auto energy = [&](const auto& z) {
      return Eigen::Vector<std::complex<double>, 1>(Bracket::template energy<std::complex<double>>(body, z));
    };
    return Bracket::bracket(at) * complex_step_jacobian<1>(energy, at).transpose();
  };
}

}  // namespace polhode
