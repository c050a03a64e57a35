// Options of the step maps of collocation.
#pragma once

#include <cstdint>

#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

/// Nodes of a method of collocation: the zeros of a Legendre polynomial, or those of Lobatto's quadrature, with the
/// ends.
enum class CollocationNodes : std::uint8_t { gauss, lobatto };

struct CollocationOptions {
  CollocationNodes nodes = CollocationNodes::gauss;
  int stages = 2;
};

}  // namespace polhode::inline POLHODE_ISA
