#include "formula/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace polhode {
namespace {

constexpr std::size_t most_characters = 100'000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Number of characters before a place, as people count them in UTF-8.
std::size_t characters_before(std::string_view text, std::size_t place) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text.substr(0, place), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Mistake with its place: the number of the character, and what stands before it, on one line.
std::string with_place(std::string_view text, std::size_t place, const std::string& why) {
  constexpr std::size_t most = 24;
  std::string before(text.substr(0, place));
  std::ranges::replace_if(
      before, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  while (!before.empty() && before.back() == ' ') before.pop_back();
  if (before.empty()) return fmt::format("{}, at its beginning", why);
  if (before.size() > most) {
    std::size_t from = before.size() - most;
    while (from < before.size() && (static_cast<unsigned char>(before[from]) & 0xc0) == 0x80) ++from;
    before = "..." + before.substr(from);
  }
  return fmt::format("{}, at character {}, after \"{}\"", why, characters_before(text, place) + 1, before);
}

}  // namespace

FormulaError::FormulaError(std::string_view text, std::size_t place, const std::string& why, const std::string& more)
    : std::runtime_error(with_place(text, place, why) + more) {}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

FormulaReader::FormulaReader(std::string_view text) : text_(text) {
  if (text.size() > most_characters) throw FormulaError(fmt::format("it has more than {} characters", most_characters));
  next();
}

void FormulaReader::next() {
  using Kind = FormulaWord::Kind;
  std::size_t at = end_;
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\n' || text_[at] == '\r')) ++at;
  end_ = at;
  if (at == text_.size()) {
    word_ = {Kind::end, {}, at};
    return;
  }
  const char c = text_[at];
  if (is_letter(c)) {
    const auto is_dot_in_name = [&] {
      return text_[end_] == '.' && end_ + 1 < text_.size() && is_letter(text_[end_ + 1]);
    };
    while (end_ < text_.size() && (is_letter(text_[end_]) || is_digit(text_[end_]) || is_dot_in_name())) ++end_;
    word_ = {Kind::name, text_.substr(at, end_ - at), at};
  } else if (is_digit(c) || (c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]))) {
    double number = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at, text_.data() + text_.size(), number);
    if (error != std::errc{} || !std::isfinite(number)) fail(at, "the number is too large or too small");
    end_ = static_cast<std::size_t>(stop - text_.data());
    word_ = {Kind::number, text_.substr(at, end_ - at), at, number};
  } else {
    const std::string_view two = text_.substr(at, 2);
    if (two == "**" || two == "<=" || two == ">=")
      end_ += 2;
    else if (std::string_view("+-*/^()[],<>").find(c) != std::string_view::npos)
      end_ += 1;
    else
      fail(at, fmt::format("\"{}\" has no meaning{}", character(at),
                           c == '=' ? ", and comparisons are <, <=, > and >=" : ""));
    word_ = {Kind::sign, text_.substr(at, end_ - at), at};
  }
}

/// The character at a place, all of its bytes; of control characters and broken text their code.
std::string FormulaReader::character(std::size_t at) const {
  const auto byte = static_cast<unsigned char>(text_[at]);
  if (byte >= 0x20 && byte < 0x7f) return {text_[at]};
  std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  length = std::min(length, text_.size() - at);
  const bool is_whole = length > 1 && std::ranges::all_of(text_.substr(at + 1, length - 1), [](char c) {
                          return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
                        });
  return is_whole ? std::string(text_.substr(at, length)) : fmt::format("\\x{:02x}", byte);
}

bool FormulaReader::is_sign(std::string_view sign) const {
  return word_.kind == FormulaWord::Kind::sign && word_.text == sign;
}

bool FormulaReader::take(std::string_view sign) {
  if (!is_sign(sign)) return false;
  next();
  return true;
}

bool FormulaReader::take_name(std::string_view name) {
  if (word_.kind != FormulaWord::Kind::name || word_.text != name) return false;
  next();
  return true;
}

std::string FormulaReader::found() const {
  return word_.kind == FormulaWord::Kind::end ? "it ends" : fmt::format("\"{}\" stands", word_.text);
}

void FormulaReader::expect(std::string_view sign) {
  if (!take(sign)) fail(word_.place, fmt::format("{} where \"{}\" is missing", found(), sign));
}

void FormulaReader::expect_end() const {
  if (word_.kind == FormulaWord::Kind::end) return;
  if (word_.kind == FormulaWord::Kind::name && word_.text == "or")
    fail(word_.place, "comparisons are joined by \"and\" alone");
  if (is_sign(")") || is_sign("]"))
    fail(word_.place, fmt::format("nothing is open that \"{}\" could close", word_.text));
  if (is_sign("<") || is_sign(">") || is_sign("<=") || is_sign(">=")) fail(word_.place, "a comparison has no place");
  fail(word_.place, fmt::format("{} where an operator is missing", found()));
}

void FormulaReader::fail(std::size_t place, const std::string& why, const std::string& more) const {
  throw FormulaError(text_, place, why, more);
}

}  // namespace polhode
