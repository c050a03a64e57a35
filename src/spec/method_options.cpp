#include "spec/method_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "error.hpp"
#include "spec/composition.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

/// Type of an option's values, and parts of the messages about a value of another type, and about one beyond the
/// limits.
struct KindOfOption {
  Type type;
  const char* why_wrong_type;
  const char* advice_on_type;
  const char* advice_on_limits = "";
};

KindOfOption describe(MethodOption::Kind kind) {
  switch (kind) {
    case MethodOption::Kind::boolean: return {Type::boolean, "it is neither true nor false", "Give true or false"};
    case MethodOption::Kind::integer:
      return {Type::integer, "it is not an integer", "Give an integer", "Give one of those"};
    case MethodOption::Kind::real: return {Type::real, "it is not a number", "Give a number", "Give such a number"};
    case MethodOption::Kind::reals: return {Type::reals, "it is not a list of numbers", "Give numbers in brackets"};
    case MethodOption::Kind::choice: return {Type::choice, "it is not a string", "Give a string in quotes"};
    case MethodOption::Kind::choice_or_reals:
      return {Type::choice_or_reals, "it is neither a string nor a list of numbers",
              "Give a string in quotes, or numbers in brackets"};
    case MethodOption::Kind::choice_or_rows:
      return {Type::choice_or_rows, "it is neither a string nor a list of lists of numbers",
              "Give a string in quotes, or rows of numbers, each in brackets, in brackets"};
  }
  return {};
}

Value default_of(const MethodOption& option) {
  switch (option.kind) {
    case MethodOption::Kind::boolean: return option.default_number != 0;
    case MethodOption::Kind::integer: return static_cast<std::int64_t>(option.default_number);
    case MethodOption::Kind::real: return option.default_number;
    case MethodOption::Kind::reals: return std::vector<double>();
    case MethodOption::Kind::choice:
    case MethodOption::Kind::choice_or_reals:
    case MethodOption::Kind::choice_or_rows: return std::string(option.default_choice);
  }
  return {};
}

bool fits(MethodOption::Kind kind, const Value& value) {
  switch (kind) {
    case MethodOption::Kind::boolean: return std::holds_alternative<bool>(value);
    case MethodOption::Kind::integer: return std::holds_alternative<std::int64_t>(value);
    case MethodOption::Kind::real: return std::holds_alternative<double>(value);
    case MethodOption::Kind::reals: return std::holds_alternative<std::vector<double>>(value);
    case MethodOption::Kind::choice: return std::holds_alternative<std::string>(value);
    case MethodOption::Kind::choice_or_reals:
      return std::holds_alternative<std::string>(value) || std::holds_alternative<std::vector<double>>(value);
    case MethodOption::Kind::choice_or_rows:
      return std::holds_alternative<std::string>(value) || std::holds_alternative<Rows>(value);
  }
  return false;
}

DocumentedKey key_of(const MethodOption& option) {
  const KindOfOption kind = describe(option.kind);
  return {{.name = option.name,
           .type = kind.type,
           .unit = option.unit,
           .meaning = option.meaning,
           .limits = {.least = option.least, .most = option.most, .positive = option.positive},
           .advice = kind.advice_on_limits,
           .choices = option.choices,
           .attribute = option.attribute ? option.attribute : option.name},
          default_of(option)};
}

std::vector<const MethodOption*> options_of(const MethodEntry& method) {
  std::vector<const MethodOption*> all{&composition_option()};
  for (const MethodOption& option : method.options) all.push_back(&option);
  return all;
}

/// A key that several methods have, which may mean different things to them.
struct SharedKey {
  struct Meaning {
    std::string text;
    Value default_value;
    std::vector<std::string> methods;
  };

  explicit SharedKey(DocumentedKey first) : key(std::move(first)) {}

  void add(const DocumentedKey& same, const char* method) {
    auto at = std::ranges::find_if(
        meanings, [&](const Meaning& m) { return m.text == same.meaning && m.default_value == same.default_value; });
    if (at == meanings.end()) at = meanings.insert(at, {same.meaning, same.default_value, {}});
    if (std::ranges::find(at->methods, method) == at->methods.end()) at->methods.emplace_back(method);
  }
  DocumentedKey documented() const {
    DocumentedKey all = key;
    if (meanings.size() == 1) return all;
    std::vector<std::string> texts;
    for (const Meaning& m : meanings) {
      texts.push_back(fmt::format("{} ({}, default {})", m.text, fmt::join(m.methods, ", "), to_text(m.default_value)));
      if (m.default_value != key.default_value) all.default_value = Value();
    }
    all.all_meanings = fmt::format("{}", fmt::join(texts, "; "));
    return all;
  }

  DocumentedKey key;
  std::vector<Meaning> meanings;
};

}  // namespace

std::vector<DocumentedKey> option_keys(const MethodEntry& method) {
  std::vector<DocumentedKey> keys;
  for (const MethodOption* option : options_of(method)) keys.push_back(key_of(*option));
  return keys;
}

std::vector<DocumentedKey> all_option_keys() {
  std::vector<SharedKey> shared;
  for (const MethodEntry& method : methods())
    for (const DocumentedKey& key : option_keys(method)) {
      const auto same = std::ranges::find(shared, std::string_view(key.name), [](const auto& s) { return s.key.name; });
      SharedKey& shared_key = same == shared.end() ? shared.emplace_back(key) : *same;
      // What one of the methods takes.
      shared_key.key.limits.least = std::min(shared_key.key.limits.least, key.limits.least);
      shared_key.key.limits.most = std::max(shared_key.key.limits.most, key.limits.most);
      shared_key.add(key, method.name);
    }
  std::vector<DocumentedKey> all;
  for (const SharedKey& key : shared) all.push_back(key.documented());
  return all;
}

Value option_of(const MethodEntry& method, const std::map<std::string, Value>& options, std::string_view name) {
  if (const auto given = options.find(std::string(name)); given != options.end()) return given->second;
  for (const MethodOption* option : options_of(method))
    if (option->name == name) return default_of(*option);
  throw std::logic_error(std::string(name));
}

void resolve_options(const MethodEntry& method, MethodSpec& spec) {
  const char* const table = table_of<MethodSpec>.name;
  const std::vector<const MethodOption*> options = options_of(method);
  std::vector<std::string> known;
  for (const Key<MethodSpec>& key : table_of<MethodSpec>.keys) known.emplace_back(key.name);
  for (const MethodOption* option : options) known.emplace_back(option->name);
  for (const auto& [name, value] : spec.options)
    if (std::ranges::find(options, name, &MethodOption::name) == options.end())
      throw InputError(fmt::format("unknown key {}.{} ({} has no such key{}). Correct or remove it.", table, name,
                                   method.name, nearest_known(name, known)));

  for (const MethodOption* option : options) {
    const auto [at, is_missing] = spec.options.try_emplace(option->name, default_of(*option));
    if (is_missing) continue;
    Value& value = at->second;
    const auto* const integer = std::get_if<std::int64_t>(&value);
    const auto* const real = std::get_if<double>(&value);
    if (integer && option->kind == MethodOption::Kind::real)
      value = static_cast<double>(*integer);
    else if (option->kind == MethodOption::Kind::choice && (integer || real))  // which may be a number
      value = integer ? std::to_string(*integer) : fmt::format("{}", *real);
    const KindOfOption kind = describe(option->kind);
    if (real && option->kind == MethodOption::Kind::integer && is_whole(*real))
      refuse(table, option->name, why_no_integer(*real), fmt::format("Give {:.0f}", *real));
    if (!fits(option->kind, value)) refuse(table, option->name, kind.why_wrong_type, kind.advice_on_type);
    const DocumentedKey key = key_of(*option);
    check_shape(table, key, value);
    check_limits(table, key, value);
  }
}

}  // namespace polhode
