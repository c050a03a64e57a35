// A list of types: the variants of a method on a system, one for each solver, the default first.
#pragma once

namespace polhode {

template <class... Variant>
struct Variants {
  static constexpr int count = sizeof...(Variant);
};

}  // namespace polhode
