#pragma once

#include "backend/reference/heavy_top_embedding.hpp"
#include "backend/reference/of_body.hpp"

namespace polhode {

template <>
struct ReferenceOf<HeavyTop> : ReferenceOfBody<HeavyTopEmbedding> {};

}  // namespace polhode
