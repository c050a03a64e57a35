// Arrays as they cross between the program and a module: plain data, unlike those of the standard library.
#pragma once

#include <array>
#include <cstddef>

namespace polhode {

/// Elements that lie one after the other and belong to someone else.
template <class T>
class View {
 public:
  constexpr View() = default;
  constexpr View(const T* first, std::size_t count) : first_(first), count_(count) {}
  /// Elements of an array.
  template <class Array>
  requires requires(const Array& array) { View(std::data(array), std::size(array)); }
  constexpr View(const Array& array) : View(std::data(array), std::size(array)) {}

  constexpr const T* begin() const { return first_; }
  constexpr const T* end() const { return first_ + count_; }
  constexpr const T* data() const { return first_; }
  constexpr std::size_t size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  /// The first elements, and those after them.
  constexpr View first(std::size_t count) const { return {first_, count}; }
  constexpr View after(std::size_t count) const { return {first_ + count, count_ - count}; }
  constexpr const T& operator[](std::size_t i) const { return first_[i]; }
  constexpr const T& front() const { return *first_; }
  constexpr const T& back() const { return first_[count_ - 1]; }

 private:
  const T* first_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace polhode
