// Columns of n particles on a line: q1 q2 ... p1 p2 ...
#pragma once

#include <array>
#include <string_view>

#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// q1, q2, ... for the stem q.
template <int n>
struct NumberedNames {
  static_assert(n < 100);
  char text[n][16]{};

  constexpr explicit NumberedNames(std::string_view stem) {
    for (int i = 0; i < n; ++i) {
      char* end = text[i];
      for (const char letter : stem) *end++ = letter;
      if (i + 1 >= 10) *end++ = static_cast<char>('0' + (i + 1) / 10);
      *end = static_cast<char>('0' + (i + 1) % 10);
    }
  }
};

template <int n>
struct ParticlesOnALine {
  static constexpr NumberedNames<n> positions{"q"}, momenta{"p"};
  static constexpr auto columns = [] {
    std::array<Quantity, 2 * n> all{};
    for (int i = 0; i < n; ++i) {
      all[i] = {positions.text[i], "1", "displacement"};
      all[n + i] = {momenta.text[i], "1", "momentum"};
    }
    return all;
  }();
};

}  // namespace polhode::inline POLHODE_ISA
