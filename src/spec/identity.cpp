#include <fmt/format.h>

#include <span>
#include <string_view>

#include "checksum.hpp"
#include "modules/headers.hpp"
#include "modules/own_header.hpp"
#include "spec/method_options.hpp"
#include "spec/resolved_run.hpp"
#include "spec/schema.hpp"
#include "version.hpp"

namespace polhode {

std::string describe_section(const RunSpec& spec) {
  if (!spec.section) return "";
  const SectionSpec& section = *spec.section;
  std::string text = fmt::format("{} = {:g}, {}", section.name, section.value, name_of(section.direction));
  if (!section.where.empty()) text += ", where " + section.where;
  if (section.terminal) text += ", terminal";
  return text;
}

std::string describe(const OwnHeader& header) { return fmt::format("{}, content {}", header.name, header.content); }

std::string identity(const ResolvedRun& run, const StepPlan& step, const std::string& backend,
                     const StartsFingerprint& starts) {
  std::string text = fmt::format("polhode = {}, headers {}\n", program_version(), headers_hash());
  if (const auto& own = run.system->own)
    text += fmt::format("{} = {}\n", own->formulas ? "formulas" : "header", own->content);
  if (run.system->added) {
    const std::string_view code = run.method->added_in_system;
    Checksum sum;
    sum.add(std::as_bytes(std::span(code)));
    text += fmt::format("observables = {:016x}\n", sum.value());
  }
  for_each_part(run.spec, [&](const auto& table, const auto& part) {
    for (const auto& key : table.keys)
      if (key.identity) text += fmt::format("{}.{} = {}\n", table.name, key.name, to_text(key.get(part)));
  });
  for (const auto& [name, value] : run.spec.system.parameters)
    text += fmt::format("system.{} = {}\n", name, to_text(value));
  for (const auto& [name, value] : run.spec.method.options)
    text += fmt::format("{}.{} = {}\n", table_of<MethodSpec>.name, name, to_text(value));
  text += "sweeps =";
  for (int i = 0; i < step.n_stages; ++i) text += fmt::format(" {}", step.stages[i].sweeps);
  text += '\n';
  if (const auto* random = std::get_if<RandomStarts>(&run.spec.ensemble))
    text += fmt::format("initial states = {}, the first {} of checksum {:016x}\n",
                        distributions[random->distribution.index()], starts.count, starts.checksum);
  else
    text += fmt::format("initial states = {}, checksum {:016x}\n", starts.count, starts.checksum);
  // cpu and cuda give the same bits.
  text += fmt::format("run.backend = {}\n", backend == "reference" ? "reference" : "cpu or cuda");
  return text;
}

}  // namespace polhode
