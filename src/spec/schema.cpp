#include "spec/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "error.hpp"
#include "spec/method_options.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

template <class Spec>
DocumentedTable document(const Spec& defaults = {}) {
  const Table<Spec>& table = table_of<Spec>;
  DocumentedTable documented{table.name, table.variant, {}};
  for (const Key<Spec>& key : table.keys) documented.keys.push_back({key, key.required ? Value() : key.get(defaults)});
  return documented;
}

/// Table with `key` before its own keys: the choice, e.g. `from`, that says which of several tables of one name this
/// is.
DocumentedTable chosen_by(const KeyInfo& key, DocumentedTable table) {
  table.keys.insert(table.keys.begin(), {key, Value()});
  return table;
}

/// Table of a distribution of random starts: `from`, `distribution`, the keys of all distributions, then its own.
template <class Distribution>
DocumentedTable document_random() {
  const DocumentedTable own = document<Distribution>();
  DocumentedTable table = chosen_by(distribution_key, document<RandomStarts>());
  table.variant = own.variant;
  table.keys.insert(table.keys.end(), own.keys.begin(), own.keys.end());
  return chosen_by(from_key, table);
}

/// Number in words: a power of two as such from 2^20 on, where nobody knows its digits by heart.
std::string in_words(double value) {
  if (value >= 0x1p20 && value < 0x1p63 && std::has_single_bit(static_cast<std::uint64_t>(value)))
    return fmt::format("2^{}", std::countr_zero(static_cast<std::uint64_t>(value)));
  return fmt::format("{}", value);
}

std::vector<double> numbers_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return {static_cast<double>(*integer)};
  if (const auto* real = std::get_if<double>(&value)) return {*real};
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) return *reals;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value))
    return {integers->begin(), integers->end()};
  return {};
}

}  // namespace

std::vector<DocumentedTable> documented_schema() {
  DocumentedTable method = document<MethodSpec>();
  for (const DocumentedKey& option : all_option_keys()) method.keys.push_back(option);
  return {document<SystemSpec>(),
          method,
          chosen_by(from_key, document<SectionStarts>()),
          chosen_by(from_key, document<LineStarts>()),
          chosen_by(from_key, document<GivenStarts>()),
          chosen_by(from_key, document<FileStarts>()),
          document_random<Microcanonical>(),
          document_random<Canonical>(),
          document_random<Cloud>(),
          document_random<RandomAttitudes>(),
          chosen_by(from_key, document<RelativeEquilibriumStarts>()),
          document<ExecutionSpec>(),
          document<SectionSpec>(),
          document<DensitySpec>(),
          document<StatisticsSpec>(),
          document<RecordSpec>(),
          document<OutputSpec>()};
}

void refuse_missing(const char* table, const KeyInfo& key) {
  if (key.choices.empty()) refuse_missing(table, key.name, key.meaning);
  const auto last = key.choices.size() - 1;
  refuse_missing(table, key.name,
                 fmt::format("{}: \"{}\" or \"{}\"", key.meaning, fmt::join(key.choices.first(last), "\", \""),
                             key.choices[last]));
}

void refuse_missing(const char* table, const char* key, const std::string& meaning) {
  throw InputError(fmt::format("{}.{} is missing ({}). Give it in [{}].", table, key, meaning, table));
}

void refuse(const char* table, const char* key, const std::string& why, const std::string& advice) {
  throw InputError(fmt::format("cannot use {}.{} ({}). {}.", table, key, why, advice));
}

void refuse_value(const char* table, const KeyInfo& key, const Value& value, const std::string& why) {
  throw InputError(fmt::format("cannot use {}.{} = {} ({}). {}.", table, key.name, to_text(value), why, key.advice));
}

void check_shape(const char* table, const KeyInfo& key, const Value& value) {
  if (const auto* chosen = std::get_if<std::string>(&value); chosen && !key.choices.empty()) {
    const std::vector<std::string> choices(key.choices.begin(), key.choices.end());
    const std::string& text = *chosen;
    if (std::ranges::find(choices, text) == choices.end())
      refuse(table, key.name, fmt::format("unknown value \"{}\"{}", text, nearest_known(text, choices)),
             "Choose one of those");
  }
  if (key.size == 0) return;
  const auto require_size = [&](std::size_t size, const char* what) {
    if (static_cast<int>(size) != key.size)
      refuse(table, key.name, fmt::format("it has {} {}", size, what), fmt::format("Give {}", key.size));
  };
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) require_size(integers->size(), "numbers");
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) require_size(texts->size(), "names");
  if (const auto* rows = std::get_if<Rows>(&value)) require_size(rows->numbers.size() / rows->width, "pairs");
}

void check_limits(const char* table, const KeyInfo& key, const Value& value) {
  for (const double number : numbers_of(value)) {
    if (key.type == Type::real && std::isnan(number) && key.required) refuse_missing(table, key);
    if (!std::isfinite(number)) refuse(table, key.name, "it is not finite", "Give a finite number");
    if (!key.limits.hold(number)) refuse_value(table, key, value, fmt::format("it must be {}", describe(key.limits)));
  }
  if (key.type != Type::intervals) return;
  const std::vector<double>& edges = std::get<Rows>(value).numbers;
  for (std::size_t i = 0; i < edges.size(); i += 2)
    if (!(edges[i] < edges[i + 1] && std::isfinite(edges[i + 1] - edges[i])))
      refuse(table, key.name, fmt::format("it has [{}, {}]", edges[i], edges[i + 1]), key.advice);
}

std::string describe(const Limits& limits) {
  if (limits.nonzero) return "finite and not zero";
  if (limits.positive) return "positive";
  if (limits.power_of_two)
    return fmt::format("a power of two from {} to {}", in_words(limits.least), in_words(limits.most));
  if (!std::isfinite(limits.least)) return "";
  if (std::isfinite(limits.most))
    return fmt::format("between {} and {}", in_words(limits.least), in_words(limits.most));
  return fmt::format("at least {}", in_words(limits.least));
}

}  // namespace polhode
