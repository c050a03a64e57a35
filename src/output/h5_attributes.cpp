#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "output/failure.hpp"
#include "output/h5_library.hpp"

namespace polhode::h5 {

void Object::check(bool succeeded, const std::string& name) const {
  if (!succeeded || origin_->error != 0) fail(*origin_, name);
}

void Object::set_attribute(const std::string& name, const Attribute& value) {
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  const Handle space = space_of(list != nullptr      ? Shape{list->size()}
                                : numbers != nullptr ? Shape{numbers->size()}
                                                     : Shape{});
  const bool real = numbers != nullptr || std::holds_alternative<double>(value);
  const Handle type = std::holds_alternative<std::int64_t>(value) ? file_type(Element::int64)
                      : real                                      ? file_type(Element::float64)
                                                                  : text_type();
  const Handle attribute(H5Acreate2(id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(attribute.id() >= 0, name);
  const auto write = [&](Id memory_type, const void* data) {
    check(H5Awrite(attribute.id(), memory_type, data) >= 0, name);
  };
  if (list != nullptr) {
    if (!list->empty()) write(type.id(), pointers(*list).data());
  } else if (numbers != nullptr) {
    if (!numbers->empty()) write(H5T_NATIVE_DOUBLE, numbers->data());
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    const char* const pointer = text->c_str();
    write(type.id(), &pointer);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    write(H5T_NATIVE_INT64, integer);
  } else {
    write(H5T_NATIVE_DOUBLE, &std::get<double>(value));
  }
}

bool Object::has_attribute(const std::string& name) const { return H5Aexists(id(), name.c_str()) > 0; }

Attribute Object::attribute(const std::string& name) const {
  const Handle attribute(H5Aopen(id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  check(attribute.id() >= 0, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const bool single = H5Sget_simple_extent_type(space.id()) == H5S_SCALAR;
  switch (H5Tget_class(type.id())) {
    case H5T_INTEGER: {
      std::int64_t value = 0;
      if (!single) break;
      check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value) >= 0, name);
      return value;
    }
    case H5T_FLOAT: {
      std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
      if (!values.empty()) check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) >= 0, name);
      if (single) return values.front();
      return values;
    }
    case H5T_STRING: {
      auto texts =
          read_texts(type.id(), space.id(), [&](char** raw) { return H5Aread(attribute.id(), type.id(), raw); });
      if (!texts) break;
      if (single) return texts->front();
      return *std::move(texts);
    }
    default: break;
  }
  throw cannot_read(origin_->path, fmt::format("the attribute '{}' has an unexpected type", name),
                    "Give a file written by polhode.");
}

std::vector<std::string> Object::attribute_names() const {
  std::vector<std::string> names;
  hsize_t position = 0;
  const herr_t result = H5Aiterate2(
      id(), H5_INDEX_NAME, H5_ITER_INC, &position,
      [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        constexpr std::array of_dimensions{"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
        if (std::ranges::find(of_dimensions, std::string_view(name)) == of_dimensions.end())
          static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names);
  check(result >= 0, "attributes");
  return names;
}

}  // namespace polhode::h5
