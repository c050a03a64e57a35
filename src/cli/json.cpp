#include "cli/json.hpp"

#include <cmath>
#include <type_traits>
#include <variant>

#include "cli/output_file.hpp"

namespace polhode {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json to_json(const Value& value) {
  return std::visit(
      []<class T>(const T& v) -> Json {
        if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, Rows>)
          return nullptr;
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
