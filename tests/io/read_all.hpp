// Reads a whole dataset.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/h5.hpp"

namespace polhode::test {

template <class T>
std::vector<T> read(const h5::File& file, const std::string& path) {
  const h5::Dataset dataset = file.dataset(path);
  std::uint64_t elements = 1;
  for (const std::uint64_t size : dataset.shape()) elements *= size;
  std::vector<T> values(elements);
  dataset.read(0, std::span<T>(values));
  return values;
}

}  // namespace polhode::test
