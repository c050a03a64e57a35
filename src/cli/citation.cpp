#include "cli/citation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/publications.hpp"
#include "catalog/table_type.hpp"
#include "error.hpp"
#include "spec/composition.hpp"
#include "spec/table_of_method.hpp"

namespace polhode {
namespace {

/// Text of an attribute; empty where there is none of that name.
std::string text_of(const Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  const auto* const text = found == attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text ? *text : "";
}

/// Runge-Kutta table of the program (explicit_tables.hpp) that an attribute names, or whose coefficients the attribute
/// lists row by row; null for a table of the user's own.
const NamedExplicitTable* find_table(const Attribute& attribute) {
  if (const auto* const name = std::get_if<std::string>(&attribute)) return find_explicit_table(*name);
  if (const auto* const numbers = std::get_if<std::vector<double>>(&attribute))
    for (std::size_t stages = 1; stages <= max_explicit_stages; ++stages)
      if (stages * (stages + 1) == numbers->size()) return find_explicit_table(table_of_rows({*numbers, stages}));
  return nullptr;
}

[[noreturn]] void refuse_unknown(const std::string& result, const char* what, const std::string& name) {
  throw InputError(fmt::format(
      "cannot cite {} (this build has no {} {}). Name its header with --system, or use the build that wrote it.",
      result, what, name));
}

}  // namespace

std::string citation_of(const Attributes& attributes, bool has_shadow_energy, const std::string& result) {
  const std::string system_name = text_of(attributes, "system"), method_name = text_of(attributes, "method");
  const SystemEntry* const system = find_system(system_name);
  if (!system) refuse_unknown(result, "system", system_name);
  const MethodEntry* const method = find_method(system_name, method_name);
  if (!method) refuse_unknown(result, "method", method_name + " on " + system_name);

  std::vector<Publication> cited;
  const auto cite = [&](Sources sources) {
    for (const Publication& publication : sources)
      if (std::ranges::find(cited, publication) == cited.end()) cited.push_back(publication);
  };
  const auto cite_key = [&](const char* key) {
    const Publication publication{key};
    cite({&publication, 1});
  };
  cite(system->sources);
  cite(method->sources);
  if (method->splitting_option)
    if (const SplittingTable* const table = find_splitting(text_of(attributes, method->splitting_option)))
      cite_key(table->source);
  if (method->table_option)
    if (const auto given = attributes.find(method->table_option); given != attributes.end())
      if (const NamedExplicitTable* const table = find_table(given->second)) cite_key(table->source);
  if (has_shadow_energy) cite(shadow_sources);
  if (const CompositionTable* const table = find_composition(text_of(attributes, "composition")))
    cite_key(table->source);

  std::vector<const char*> texts;
  for (const Publication& publication : cited) {
    texts.push_back(bibtex_of(publication));
    if (!texts.back())
      throw InputError(fmt::format("cannot cite {} (there is no text of {}). Give its system's header one.", result,
                                   publication.key));
  }

  std::string text = fmt::format(
      "@software{{polhode,\n  author  = {{{{The polhode developers}}}},\n"
      "  title   = {{polhode: ensembles of constrained {{Hamiltonian}} systems}},\n  version = {{{}}}\n}}\n",
      text_of(attributes, "version"));
  for (const char* publication : texts) text += fmt::format("\n{}\n", publication);
  return text;
}

}  // namespace polhode
