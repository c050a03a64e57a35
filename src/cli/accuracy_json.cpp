#include "cli/accuracy_json.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <span>
#include <system_error>

#include "accuracy/method_variants.hpp"
#include "error.hpp"
#include "output/posix_file.hpp"
#include "spec/key.hpp"
#include "version.hpp"

namespace polhode {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// NaN, which JSON does not have, is null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json head(const char* kind, const Orbits& orbits) {
  const ResolvedRun& run = orbits.run();
  return {{"polhode", kind},
          {"version", program_version()},
          {"git", program_git()},
          {"system", run.system->name},
          {"parameters", run.spec.system.parameters},
          {"precision", name_of(run.spec.integration.precision)},
          {"trajectories", orbits.count()}};
}

Json option(const OptionValue& value) {
  return std::visit([](const auto& content) { return Json(content); }, value);
}

Json method_of(const MethodSpec& method) {
  Json options = Json::object();
  for (const auto& [name, value] : method.options) options[name] = option(value);
  return {{"name", method.name}, {"solver", method.solver}, {"options", options}};
}

Json row_of(const OrderRow& row) {
  return {{"step", row.step},
          {"steps", row.steps},
          {"difference", number(row.apart)},
          {"in_range", row.in_range},
          {"order", number(row.order)}};
}

Json row_of(const WorkPrecisionRow& row) {
  return {{"step", row.step},
          {"steps", row.steps},
          {"failed", row.failed},
          {"nanoseconds_per_time", row.nanoseconds},
          {"stages_per_time", row.stages},
          {"state_error", number(row.state)},
          {"point_error", number(row.points)},
          {"energy_error", number(row.energy)},
          {"other_counts", row.other_counts},
          {"state_resolved", row.state_resolved},
          {"points_resolved", row.points_resolved}};
}

template <class Rows>
Json rows_of(const Rows& rows) {
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(row_of(row));
  return json;
}

}  // namespace

Json to_json(const Orbits& orbits, const OrderReport& report) {
  Json json = head("order", orbits);
  json["method"] = method_of(orbits.run().spec.method);
  json["label"] = in_words(*orbits.run().method, orbits.run().spec.method);
  json["time"] = report.time;
  json["declared"] = report.declared;
  json["declared_is_bound"] = report.declared_is_bound;
  json["measured"] = number(report.measured);
  json["settled"] = report.settled;
  json["rows"] = rows_of(report.rows);
  return json;
}

Json to_json(const Orbits& orbits, const WorkPrecisionReport& report) {
  Json json = head("work-precision", orbits);
  json["section"] = report.section;
  json["time"] = report.time;
  json["isa"] = report.isa;
  Json references = Json::array();
  for (const WorkPrecisionReference& reference : report.references)
    references.push_back({{"label", reference.label},
                          {"step", reference.step},
                          {"change_by_halving", number(reference.change)},
                          {"failed", reference.failed}});
  json["references"] = {{"methods", references},
                        {"independent", report.independent},
                        {"states_apart", number(report.states_apart)},
                        {"points_apart", number(report.points_apart)},
                        {"states_known_from", number(report.states_known_from)},
                        {"points_known_from", number(report.points_known_from)}};
  Json curves = Json::array();
  for (const WorkPrecisionCurve& curve : report.curves)
    curves.push_back({{"label", curve.variant.label},
                      {"method", method_of(curve.variant.method)},
                      {"order", curve.variant.order},
                      {"rows", rows_of(curve.rows)}});
  json["curves"] = curves;
  Json unusable = Json::array();
  for (const UnusableMethod& method : report.unusable)
    unusable.push_back({{"label", method.label}, {"why", method.why}});
  json["unusable"] = unusable;
  return json;
}

void check_json_file(const fs::path& file, bool replace) {
  if (file.empty()) return;
  if (file.extension() != ".json")
    throw InputError(
        fmt::format("cannot write '{}' (the figures are JSON). Give a name that ends in .json.", file.string()));
  std::error_code error;
  const fs::path folder = folder_of(file);
  if (!fs::is_directory(folder, error) || access(folder.c_str(), W_OK) != 0)
    throw InputError(fmt::format(
        "cannot write '{}' (its folder does not exist or cannot be written to). Choose another name.", file.string()));
  if (fs::is_directory(file, error))
    throw InputError(fmt::format("cannot write '{}' (it is a folder). Choose another name.", file.string()));
  if (!replace && fs::exists(file, error))
    throw InputError(fmt::format(
        "output '{}' already exists (nothing has been written). Use --force to replace it or choose another name.",
        file.string()));
}

void write_json_file(const fs::path& file, const Json& json) {
  if (file.empty()) return;
  const fs::path part = file.parent_path() / fmt::format(".{}.{}.part", file.filename().string(), getpid());
  try {
    const std::string text = json.dump(2) + "\n";
    PosixFile output(part, PosixFile::Mode::create);
    output.write(std::as_bytes(std::span(text)), 0);
    output.sync();
    rename_durably(part, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

}  // namespace polhode
