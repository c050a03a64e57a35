// Common part of the sources of h5.hpp: types, shapes and errors of the library. Included by no other header.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "output/h5.hpp"

namespace polhode::h5 {

static_assert(std::is_same_v<Id, hid_t>);

struct Origin {
  std::filesystem::path path;
  bool writing;
  int compression = 0;  ///< level of deflate for new datasets
  int error = 0;        ///< errno of the first failure of the driver; 0: none
};

/// Innermost error of the library in its last call, in words.
std::string reason();
[[noreturn]] void fail(const Origin& origin, const std::string& name);

/// String type of variable length: attributes of fixed length are limited to 64 KiB, which a configuration can exceed.
Handle text_type();
Handle file_type(Element element);

Handle space_of(const Shape& shape);
Shape shape_of(Id space);
std::uint64_t elements_of(std::span<const std::uint64_t> shape);

Handle without_times(Id property_class);

std::vector<const char*> pointers(const std::vector<std::string>& texts);

/// Reads strings of variable length through `read`, which fills an array of pointers; returns nothing where `read`
/// fails, or `type` is not that of such strings.
template <class Read>
std::optional<std::vector<std::string>> read_texts(Id type, Id space, const Read& read) {
  if (H5Tis_variable_str(type) <= 0) return std::nullopt;
  std::vector<char*> raw(elements_of(shape_of(space)), nullptr);
  const bool is_read = raw.empty() || read(raw.data()) >= 0;
  std::vector<std::string> texts;
  for (char* text : raw) {
    texts.emplace_back(text == nullptr ? "" : text);
    H5free_memory(text);
  }
  if (!is_read) return std::nullopt;
  return texts;
}

}  // namespace polhode::h5
