#include "spec/value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <span>

namespace polhode {
namespace {

std::string text_of(std::monostate) { return "none"; }
/// A basic string of TOML.
std::string text_of(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return fmt::format("\"{}\"", quoted);
}
std::string text_of(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& element : list) text += (text.empty() ? "" : ", ") + text_of(element);
  return fmt::format("[{}]", text);
}
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
/// An inline table of TOML.
template <class T>
std::string text_of(const std::map<std::string, T>& table) {
  std::string text;
  for (const auto& [name, value] : table)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", text_of(name), text_of(value));
  return fmt::format("{{{}}}", text);
}
template <class T>
std::string text_of(const T& value) {
  return fmt::format("{}", value);
}

/// Whole real number as people write it in TOML: 1e6, and 600.0.
std::string whole_real_in_toml(double value) {
  char text[32];
  const std::to_chars_result written = std::to_chars(text, text + sizeof text, value);
  std::string number(text, written.ptr);
  const auto exponent = number.find("e+");
  if (exponent == std::string::npos) return number + ".0";
  return number.substr(0, exponent + 1) + number.substr(number.find_first_not_of('0', exponent + 2));
}

}  // namespace

bool is_whole(double value) { return std::trunc(value) == value && std::abs(value) < 0x1p63; }

std::string why_no_integer(double value) {
  return fmt::format("{} is a real number, not an integer", whole_real_in_toml(value));
}

std::string to_text(const Value& value) {
  return std::visit([](const auto& v) { return text_of(v); }, value);
}

}  // namespace polhode
