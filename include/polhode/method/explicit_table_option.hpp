// Options for tables of explicit Runge-Kutta methods (method/explicit_tables.hpp). No header of a step map includes it.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/method/explicit_tables.hpp"
#include "polhode/method/option.hpp"

namespace polhode {

inline constexpr auto explicit_table_names = [] {
  std::array<const char*, std::size(explicit_tables)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = explicit_tables[i].name;
  return all;
}();

/// Option of the methods that are tables.
inline constexpr MethodOption explicit_table_option{
    .name = "table",
    .kind = MethodOption::Kind::choice_or_rows,
    .unit = "1",
    .meaning =
        "coefficients of the stages: a name, or rows of numbers of one's own, as many as there are stages with "
        "their a_ij, 0 from the diagonal on, and a last one with the weights",
    .default_choice = explicit_table_names[default_explicit_table],
    .choices = explicit_table_names,
    .least = -1000,
    .most = 1000};

/// Option of the methods that are made of curves by a table.
inline constexpr MethodOption layer_option = [] {
  MethodOption option = explicit_table_option;
  option.name = "layer";
  option.meaning =
      "explicit Runge-Kutta method of the curve segments: a name, or rows of numbers of one's own, as many as there "
      "are "
      "stages with their a_ij, 0 from the diagonal on, and a last one with the weights";
  return option;
}();

}  // namespace polhode
