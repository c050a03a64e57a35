// Arrays of a result in memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace polhode {

using Shape = std::vector<std::uint64_t>;  ///< sizes of the dimensions, the slowest first; empty for a single value

using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>>;
using Attributes = std::map<std::string, Attribute>;

/// Allocator that leaves numbers unset: the memory of a large array is taken from the system as it is filled.
template <class T>
struct Unset : std::allocator<T> {
  Unset() = default;
  template <class U>
  Unset(const Unset<U>&) {}
  template <class U>
  struct rebind {
    using other = Unset<U>;
  };
  template <class U>
  void construct(U* place) {
    new (static_cast<void*>(place)) U;
  }
  template <class U, class... Given>
  void construct(U* place, Given&&... given) {
    new (static_cast<void*>(place)) U(std::forward<Given>(given)...);
  }
};
/// Elements of an array: numbers, or texts.
template <class T>
using Elements = std::conditional_t<std::is_arithmetic_v<T>, std::vector<T, Unset<T>>, std::vector<T>>;

struct Array {
  using Values = std::variant<Elements<double>, Elements<std::int64_t>, Elements<std::uint8_t>, Elements<std::string>>;

  Shape shape;
  Values values;          ///< all elements, the last dimension fastest; NaN: unknown
  Attributes attributes;  ///< e.g. "columns", the names of a state's columns
  /// Names of the dimensions, each a path such as "/trajectory": the array of this path, if there is one, has the
  /// coordinates along the dimension. Empty text: a dimension without a name.
  std::vector<std::string> dimensions;
};

}  // namespace polhode
