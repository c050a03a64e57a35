// polhode cite: the publications behind a result, as BibTeX.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/publications.hpp"
#include "catalog/table_type.hpp"
#include "cli/commands.hpp"
#include "cli/result_contents.hpp"
#include "error.hpp"
#include "output/result_file.hpp"
#include "spec/composition.hpp"
#include "spec/table_of_method.hpp"

namespace polhode {
namespace {

/// Value of an attribute; empty where the file has none of that name.
std::string value_of(const ResultInfo& info, std::string_view name) {
  const auto found = std::ranges::find(info.attributes, name, &ResultInfo::Text::name);
  return found == info.attributes.end() ? "" : found->value;
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

[[noreturn]] void refuse_unknown(const std::filesystem::path& file, const char* what, const std::string& name) {
  throw InputError(fmt::format(
      "cannot cite '{}' (this build has no {} {}). Name its header with --system, or use the build that wrote it.",
      file.string(), what, name));
}

}  // namespace

ExitCode cite_command(const std::filesystem::path& file) {
  const ResultInfo info = read_info(file);
  const std::string system_name = value_of(info, "system"), method_name = value_of(info, "method");
  const SystemEntry* const system = find_system(system_name);
  if (!system) refuse_unknown(file, "system", system_name);
  const MethodEntry* const method = find_method(system_name, method_name);
  if (!method) refuse_unknown(file, "method", method_name + " on " + system_name);

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
    if (const SplittingTable* const table = find_splitting(value_of(info, method->splitting_option)))
      cite_key(table->source);
  if (method->table_option) {
    const ResultContents contents = read_contents(file);
    const auto given = contents.attributes.find(method->table_option);
    if (given != contents.attributes.end())
      if (const NamedExplicitTable* const table = find_table(given->second)) cite_key(table->source);
  }
  if (std::ranges::find(info.arrays, "/snapshots/shadow_energy", &ResultInfo::Array::path) != info.arrays.end())
    cite(shadow_sources);
  if (const CompositionTable* const table = find_composition(value_of(info, "composition"))) cite_key(table->source);

  std::vector<const char*> texts;
  for (const Publication& publication : cited) {
    texts.push_back(bibtex_of(publication));
    if (!texts.back())
      throw InputError(fmt::format("cannot cite '{}' (there is no text of {}). Give its system's header one.",
                                   file.string(), publication.key));
  }

  fmt::print(
      "@software{{polhode,\n  author  = {{{{The polhode developers}}}},\n"
      "  title   = {{polhode: ensembles of constrained {{Hamiltonian}} systems}},\n  version = {{{}}}\n}}\n",
      value_of(info, "version"));
  for (const char* text : texts) fmt::print("\n{}\n", text);
  return ExitCode::done;
}

}  // namespace polhode
