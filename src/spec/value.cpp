#include "spec/value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace polhode {
namespace {

std::string text_of(std::monostate) { return "none"; }
std::string text_of(const std::string& text) { return fmt::format("\"{}\"", text); }
std::string text_of(const std::vector<std::string>& list) { return fmt::format("[\"{}\"]", fmt::join(list, "\", \"")); }
std::string text_of(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.numbers.size(); i += rows.width)
    text += fmt::format("{}[{}]", i > 0 ? ", " : "", fmt::join(std::span(rows.numbers).subspan(i, rows.width), ", "));
  return fmt::format("[{}]", text);
}
template <class T>
std::string text_of(const std::vector<T>& list) {
  return fmt::format("[{}]", fmt::join(list, ", "));
}
template <class T>
std::string text_of(const T& value) {
  return fmt::format("{}", value);
}

}  // namespace

std::string to_text(const Value& value) {
  return std::visit([](const auto& v) { return text_of(v); }, value);
}

}  // namespace polhode
