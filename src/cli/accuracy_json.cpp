#include "cli/accuracy_json.hpp"

#include <fmt/format.h>

#include "accuracy/method_variants.hpp"
#include "spec/key.hpp"
#include "version.hpp"

namespace polhode {
namespace {

Json common_members(const char* kind, const Orbits& orbits) {
  const ResolvedRun& run = orbits.run();
  return {{"polhode", kind},
          {"version", program_version()},
          {"git", program_git()},
          {"system", run.system->name},
          {"parameters", run.spec.system.parameters},
          {"precision", name_of(run.spec.execution.precision)},
          {"trajectories", orbits.count()}};
}

Json method_of(const MethodSpec& method) {
  Json options = Json::object();
  for (const auto& [name, value] : method.options) options[name] = to_json(value);
  return {{"name", method.name}, {"solver", method.solver}, {"options", options}};
}

Json row_of(const OrderRow& row) {
  return {{"step", row.step},
          {"steps", row.steps},
          {"difference", number(row.apart)},
          {"in_range", row.in_range},
          {"order", number(row.order)}};
}

Json list(const Quantiles& quantiles) {
  Json json = Json::array();
  for (const double error : quantiles.of) json.push_back(number(error));
  return json;
}
Json are_resolved(const Quantiles& errors, const Quantiles& known_from) {
  Json json = Json::array();
  for (std::size_t i = 0; i < shares.size(); ++i) json.push_back(errors.of[i] > known_from.of[i]);
  return json;
}

Json row_of(const WorkPrecisionRow& row, const WorkPrecisionReport& report) {
  return {{"step", row.step},
          {"steps", row.steps},
          {"failed", row.failed},
          {"nanoseconds_per_time", row.nanoseconds},
          {"stages_per_time", row.stages},
          {"state_error", number(row.state.median())},
          {"point_error", number(row.points.median())},
          {"energy_error", number(row.energy)},
          {"other_counts", row.other_counts},
          {"state_resolved", row.state.median() > report.states_known_from.median()},
          {"points_resolved", row.points.median() > report.points_known_from.median()},
          {"state_errors", list(row.state)},
          {"point_errors", list(row.points)},
          {"states_resolved", are_resolved(row.state, report.states_known_from)}};
}

template <class Rows, class... Report>
Json rows_of(const Rows& rows, const Report&... report) {
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(row_of(row, report...));
  return json;
}

}  // namespace

Json to_json(const Orbits& orbits, const OrderReport& report) {
  Json json = common_members("order", orbits);
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
  Json json = common_members("work-precision", orbits);
  json["section"] = report.section;
  json["time"] = report.time;
  json["isa"] = report.isa;
  json["chaotic"] = report.chaotic ? Json(*report.chaotic) : Json();
  json["shares"] = shares;  // of the orbits: a list of errors has one for each share
  Json references = Json::array();
  for (const WorkPrecisionReference& reference : report.references)
    references.push_back({{"label", reference.label},
                          {"step", reference.step},
                          {"change_by_halving", number(reference.change.median())},
                          {"failed", reference.failed}});
  json["references"] = {{"methods", references},
                        {"independent", report.independent},
                        {"states_apart", number(report.states_apart.median())},
                        {"points_apart", number(report.points_apart.median())},
                        {"states_known_from", number(report.states_known_from.median())},
                        {"points_known_from", number(report.points_known_from.median())},
                        {"state_errors_known_from", list(report.states_known_from)}};
  Json curves = Json::array();
  for (const WorkPrecisionCurve& curve : report.curves)
    curves.push_back({{"label", curve.variant.label},
                      {"method", method_of(curve.variant.method)},
                      {"order", curve.variant.order},
                      {"rows", rows_of(curve.rows, report)}});
  json["curves"] = curves;
  Json unusable = Json::array();
  for (const UnusableMethod& method : report.unusable)
    unusable.push_back({{"label", method.label}, {"why", method.why}});
  json["unusable"] = unusable;
  return json;
}

}  // namespace polhode
