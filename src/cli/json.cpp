#include "cli/json.hpp"

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <variant>

#include "cli/output_file.hpp"

namespace polhode {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

namespace {

Json list_of_rows(const Rows& rows) {
  Json json = Json::array();
  for (std::size_t i = 0; i < rows.numbers.size(); i += rows.width) {
    const auto first = rows.numbers.begin() + static_cast<std::ptrdiff_t>(i);
    json.push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(rows.width)));
  }
  return json;
}

}  // namespace

Json to_json(const Value& value) {
  return std::visit(
      []<class T>(const T& v) -> Json {
        if constexpr (std::is_same_v<T, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<T, Rows>)
          return list_of_rows(v);
        else
          return v;
      },
      value);
}

void check_json_file(const std::filesystem::path& file, bool replace) {
  check_output_file(file, ".json", "the figures are JSON", replace);
}

void write_json_file(const std::filesystem::path& file, const Json& json) {
  write_output_file(file, json.dump(2) + "\n");
}

}  // namespace polhode
