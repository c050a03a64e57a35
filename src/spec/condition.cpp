#include "spec/condition.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>
#include <system_error>

#include "error.hpp"
#include "spec/angle_limits.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

/// The text with its relations set apart, so that "pi1>0" has three words.
std::string with_spaces(std::string_view text) {
  std::string spaced;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool relation = text[i] == '<' || text[i] == '>';
    if (relation) spaced += ' ';
    spaced += text[i];
    if (relation && i + 1 < text.size() && text[i + 1] == '=') spaced += text[++i];
    if (relation) spaced += ' ';
  }
  return spaced;
}

}  // namespace

SectionCondition parse_condition(const SystemEntry& system, std::string_view text) {
  const auto fail = [&](const std::string& why) -> void {
    throw InputError(fmt::format("cannot use section.where = \"{}\" ({}). Write for example \"{} > 0 and {} < 0.5\".",
                                 text, why, system.observables[0].name, system.observables[1].name));
  };
  std::vector<std::string> names;
  for (const Quantity& quantity : system.observables) names.emplace_back(quantity.name);

  SectionCondition condition;
  std::istringstream words{with_spaces(text)};
  std::string name, relation, number, conjunction = "and";
  while (words >> name) {
    if (conjunction != "and") fail(fmt::format("expected \"and\" before \"{}\"", name));
    const int observable = system.find_observable(name);
    if (observable < 0) fail(fmt::format("unknown observable \"{}\"{}", name, nearest_known(name, names)));
    if (!(words >> relation >> number)) fail("a comparison is: observable, relation, number");

    Comparison comparison{observable, Relation::less, 0};
    if (relation == "<")
      comparison.relation = Relation::less;
    else if (relation == "<=")
      comparison.relation = Relation::less_equal;
    else if (relation == ">")
      comparison.relation = Relation::greater;
    else if (relation == ">=")
      comparison.relation = Relation::greater_equal;
    else
      fail(fmt::format("unknown relation \"{}\", there are < <= > >=", relation));

    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, comparison.value);
    if (error != std::errc{} || stop != end || !std::isfinite(comparison.value))
      fail(fmt::format("\"{}\" is not a number", number));
    if (condition.count == max_comparisons)
      throw InputError(
          fmt::format("cannot use section.where (it has more than {} comparisons). Use fewer.", max_comparisons));
    const Angle angle = system.observables[observable].angle;
    if (angle != Angle::no && std::abs(comparison.value) > std::numbers::pi)  // satisfied by all angles or by none
      throw InputError(fmt::format("cannot use section.where = \"{}\" ({} is in {} there). Give a value in it.", text,
                                   name, interval_in_words(angle)));
    if (angle == Angle::unbounded) condition.unbounded |= std::uint64_t{1} << condition.count;
    condition.comparisons[condition.count++] = comparison;
    conjunction.clear();
    words >> conjunction;
  }
  if (condition.count > 0 && !conjunction.empty()) fail(fmt::format("nothing follows \"{}\"", conjunction));
  return condition;
}

}  // namespace polhode
