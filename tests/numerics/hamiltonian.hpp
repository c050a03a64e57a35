// The derivatives of H(q, p), of any model that has positions and momenta.
#pragma once

namespace polhode::test {

/// Of H(q, p): what systems of constant mass leave out of their arguments.
template <class Model, class Vector>
Vector velocity(const Model& model, const Vector& q, const Vector& p) {
  if constexpr (requires { model.velocity(q, p); })
    return model.velocity(q, p);
  else
    return model.velocity(p);
}
template <class Model, class Vector>
Vector position_gradient(const Model& model, const Vector& q, const Vector& p) {
  if constexpr (requires { model.position_gradient(q, p); })
    return model.position_gradient(q, p);
  else
    return model.potential_gradient(q);
}

}  // namespace polhode::test
