#pragma once

#include "backend/reference/of_body.hpp"
#include "backend/reference/rigid_body_embedding.hpp"

namespace polhode {

template <>
struct ReferenceOf<RigidBody> : ReferenceOfBody<RigidBodyEmbedding> {};

}  // namespace polhode
