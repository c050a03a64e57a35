#include "cli/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace polhode {
namespace {

constexpr std::string_view word_characters = "0123456789+-._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Length of the TOML string with which the text begins, its quotes included.
std::size_t quoted_length(std::string_view text) {
  const char quote = text.front();
  const std::string_view thrice = text.substr(0, 3);
  const bool is_long = thrice.size() == 3 && thrice[1] == quote && thrice[2] == quote;
  const std::string_view end = is_long ? thrice : text.substr(0, 1);
  for (std::size_t i = end.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (text.substr(i).starts_with(end))
      return i + end.size();
  }
  return text.size();
}

/// Shortest form of a word that is a real number; any other word unchanged.
std::string in_short(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = error == std::errc() && end == word.data() + word.size();
  if (!is_number || word.find_first_of(".eE") == std::string_view::npos) return std::string(word);
  const std::string number = fmt::format("{}", value);
  return number.find_first_of(".en") == std::string::npos ? number + ".0" : number;  // still a real one
}

}  // namespace

std::string as_written(double value) { return fmt::format("{:.15g}", value); }

std::string as_written(const std::vector<double>& values) { return fmt::format("[{:.15g}]", fmt::join(values, ", ")); }

std::string with_short_numbers(const std::string& toml) {
  std::string text;
  std::string_view rest = toml;
  while (!rest.empty()) {
    std::size_t length = 1;
    if (rest.front() == '"' || rest.front() == '\'') {
      length = quoted_length(rest);
      text += rest.substr(0, length);
    } else if (word_characters.find(rest.front()) != std::string_view::npos) {
      length = std::min(rest.find_first_not_of(word_characters), rest.size());
      text += in_short(rest.substr(0, length));
    } else {
      text += rest.front();
    }
    rest.remove_prefix(length);
  }
  return text;
}

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace polhode
