// A key of the configuration is a row of a table: what it is called, what it may be, what it means, and which member of
// the specification it is. Command line, files, documents and validation read it from there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include "backend/cpu/isa.hpp"
#include "spec/configuration.hpp"
#include "spec/value.hpp"

namespace polhode {

enum class Type {
  boolean,
  integer,
  real,
  text,
  choice,
  integers,
  reals,
  real_or_reals,  ///< one number for all columns, or a list of one for each
  texts,
  choice_or_reals,
  choice_or_rows,  ///< a name, or [[...], ...] with equally many numbers in each row
  intervals,       ///< [[low, high], ...]
  states,          ///< [[...], ...], each a state of the system or a point of a plane
  named_numbers,   ///< {name = number, ...}, or a list of numbers for each name
  named_texts,     ///< {name = "text", ...}
};

/// Limits of a number, or of each number of a list.
struct Limits {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool positive = false;  ///< greater than 0
  bool nonzero = false;
  bool power_of_two = false;  ///< a power of two, or 0, whatever `least` is

  bool hold(double value) const {
    if (power_of_two && value == 0) return true;
    return !(power_of_two && !(value > 0 && std::exp2(std::floor(std::log2(value))) == value)) && value >= least &&
           value <= most && !(positive && !(value > 0)) && !(nonzero && value == 0);
  }
};

/// Description of a key.
struct KeyInfo {
  const char* name;
  Type type;
  const char* unit;     ///< "1" where the key has none
  const char* meaning;  ///< phrase that says what the value is
  Limits limits{};
  const char* advice = "";                 ///< what to do about a number beyond the limits or an empty interval
  std::span<const char* const> choices{};  ///< values of a choice
  int size = 0;                            ///< number of elements of a list; 0: any
  bool required = false;
  /// Whether a run can be resumed only with the same value: yes, unless a row says no, because the value changes no bit
  /// of what is stored before the run ends, or because identity() compares its effect instead.
  bool identity = true;
  const char* attribute = nullptr;  ///< attribute of the result file that has the value; null: none
};

/// The names of a choice, in the order of its values.
template <class Choice>
inline constexpr std::array<const char*, 0> choice_names{};
template <>
inline constexpr std::array choice_names<Variables>{"momentum", "velocity"};
template <>
inline constexpr std::array choice_names<BackendChoice>{"auto", "reference", "cpu", "cuda"};
template <>
inline constexpr std::array choice_names<Precision>{"double", "single"};
template <>
inline constexpr std::array choice_names<std::optional<Isa>>{"auto", isa_names[0], isa_names[1], isa_names[2]};
template <>
inline constexpr std::array choice_names<Direction>{"up", "down", "both"};

template <class Choice>
const char* name_of(Choice choice) {
  return choice_names<Choice>[static_cast<int>(choice)];
}

namespace detail {

template <class T>
concept IsChoice = std::is_enum_v<T> || std::is_same_v<T, std::optional<Isa>>;

/// Whether a field of type T may be without a value: a choice always has one.
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = !IsChoice<std::optional<T>>;

template <class T>
constexpr Type type_of() {
  if constexpr (IsChoice<T>) return Type::choice;
  if constexpr (std::is_same_v<T, bool>) return Type::boolean;
  if constexpr (std::is_same_v<T, std::int64_t>) return Type::integer;
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>) return Type::real;
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>> ||
                std::is_same_v<T, std::filesystem::path>)
    return Type::text;
  if constexpr (std::is_same_v<T, std::array<std::int64_t, 2>>) return Type::integers;
  if constexpr (std::is_same_v<T, std::vector<double>>) return Type::reals;
  if constexpr (std::is_same_v<T, std::array<std::string, 2>> || std::is_same_v<T, std::vector<std::string>> ||
                std::is_same_v<T, std::optional<std::vector<std::string>>>)
    return Type::texts;
  if constexpr (std::is_same_v<T, std::array<Interval, 2>> || std::is_same_v<T, std::vector<Interval>>)
    return Type::intervals;
  if constexpr (std::is_same_v<T, Rows>) return Type::states;
  if constexpr (std::is_same_v<T, NamedNumbers>) return Type::named_numbers;
  if constexpr (std::is_same_v<T, NamedTexts>) return Type::named_texts;
}

template <class T>
constexpr int size_of() {
  if constexpr (requires { std::tuple_size<T>::value; }) return static_cast<int>(std::tuple_size_v<T>);
  return 0;
}

template <class T>
constexpr std::span<const char* const> choices_of() {
  if constexpr (IsChoice<T>) return choice_names<T>;
  return {};
}

template <class T>
Value to_value(const T& field) {
  if constexpr (std::is_same_v<T, std::optional<Isa>>) {
    return choice_names<T>[field ? static_cast<int>(*field) + 1 : 0];
  } else if constexpr (IsChoice<T>) {
    return name_of(field);
  } else if constexpr (is_optional<T>) {
    return field ? Value(*field) : Value();
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return field.string();
  } else if constexpr (type_of<T>() == Type::intervals) {
    Rows rows{.numbers = {}, .width = 2};
    for (const Interval& interval : field) rows.numbers.insert(rows.numbers.end(), interval.begin(), interval.end());
    return rows;
  } else if constexpr (size_of<T>() > 0) {
    return std::vector<typename T::value_type>(field.begin(), field.end());
  } else {
    return field;
  }
}

/// Sets a field to a value of its type that check_shape() lets pass.
template <class T>
void from_value(const Value& value, T& field) {
  if constexpr (IsChoice<T>) {
    int index = 0;
    while (std::get<std::string>(value) != choice_names<T>[index]) ++index;
    if constexpr (std::is_enum_v<T>)
      field = static_cast<T>(index);
    else
      field = index == 0 ? T() : T(static_cast<Isa>(index - 1));
  } else if constexpr (is_optional<T>) {
    field = std::get<typename T::value_type>(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    field = std::get<std::string>(value);
  } else if constexpr (type_of<T>() == Type::intervals) {
    const std::vector<double>& numbers = std::get<Rows>(value).numbers;
    if constexpr (size_of<T>() == 0) field.resize(numbers.size() / 2);
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = {numbers[2 * i], numbers[2 * i + 1]};
  } else if constexpr (size_of<T>() > 0) {
    const auto& list = std::get<std::vector<typename T::value_type>>(value);
    std::copy(list.begin(), list.end(), field.begin());
  } else {
    field = std::get<T>(value);
  }
}

template <class Member>
struct MemberOf;
template <class S, class T>
struct MemberOf<T S::*> {
  using Spec = S;
  using Field = T;
};

}  // namespace detail

/// Row of the table of a part of the specification: a key, and access to the member of the part that the key sets.
template <class Spec>
struct Key : KeyInfo {
  Value (*get)(const Spec&);
  void (*set)(Spec&, const Value&);  ///< value: one that check_shape() lets pass
};

/// Description of a key as far as it does not follow from the member of the specification that the key sets.
struct KeyText {
  const char* name;
  const char* unit = "1";
  const char* meaning;
  Limits limits{};
  const char* advice = "";
  bool required = false;
  bool identity = true;
  const char* attribute = nullptr;
  std::optional<Type> type{};  ///< type of the value; none: it follows from the member
};

template <auto member>
constexpr auto key(const KeyText& text) {
  using Spec = typename detail::MemberOf<decltype(member)>::Spec;
  using Field = typename detail::MemberOf<decltype(member)>::Field;
  return Key<Spec>{{.name = text.name,
                    .type = text.type.value_or(detail::type_of<Field>()),
                    .unit = text.unit,
                    .meaning = text.meaning,
                    .limits = text.limits,
                    .advice = text.advice,
                    .choices = detail::choices_of<Field>(),
                    .size = detail::size_of<Field>(),
                    .required = text.required,
                    .identity = text.identity,
                    .attribute = text.attribute},
                   [](const Spec& spec) { return detail::to_value(spec.*member); },
                   [](Spec& spec, const Value& value) { detail::from_value(value, spec.*member); }};
}

/// Table of the configuration: its name, and as its keys the rows of a part of the specification.
template <class Spec>
struct Table {
  const char* name;
  const char* variant;  ///< condition under which the table has these keys, e.g. `with from = "line"`; empty: always
  std::span<const Key<Spec>> keys;
};
template <class Spec>
inline constexpr Table<Spec> table_of;

}  // namespace polhode
