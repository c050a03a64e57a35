// Words of formulas: names, numbers and signs.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polhode {

/// A mistake in a formula.
class FormulaError : public std::runtime_error {
 public:
  /// place: offset of the mistake in `text`; more: end of the message.
  FormulaError(std::string_view text, std::size_t place, const std::string& why, const std::string& more = "");

  /// Error for a mistake that has no place.
  explicit FormulaError(const std::string& why) : std::runtime_error(why) {}
};

/// Whether a text can be a name: letters, digits and underscores, and no digit first.
bool is_name(std::string_view text);

struct FormulaWord {
  enum class Kind { end, number, name, sign };

  Kind kind = Kind::end;
  std::string_view text;
  std::size_t place = 0;  ///< its offset in the text
  double number = 0;
};

/// Reader of a text word by word, which the text must outlive.
class FormulaReader {
 public:
  /// Reads the first word. Throws FormulaError for a text that is too long, and as next().
  explicit FormulaReader(std::string_view text);

  const FormulaWord& word() const { return word_; }
  /// Reads the next word. Throws FormulaError for a character that is in no word, and a number beyond the range of
  /// double.
  void next();

  bool is_sign(std::string_view sign) const;
  /// Whether the word is this sign, or this name; if so, the next one is read.
  bool take(std::string_view sign);
  bool take_name(std::string_view name);
  /// Reads on after a sign. Throws FormulaError where the word is another.
  void expect(std::string_view sign);
  /// Throws FormulaError unless the text ends.
  void expect_end() const;

  /// The word in words, for messages.
  std::string found() const;
  /// Throws FormulaError for a mistake at an offset of the text.
  [[noreturn]] void fail(std::size_t place, const std::string& why, const std::string& more = "") const;

 private:
  std::string character(std::size_t at) const;

  std::string_view text_;
  std::size_t end_ = 0;  ///< offset after the word
  FormulaWord word_;
};

}  // namespace polhode
