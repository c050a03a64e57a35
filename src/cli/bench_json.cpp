#include "cli/bench_json.hpp"

#include "accuracy/method_variants.hpp"
#include "spec/key.hpp"
#include "version.hpp"

namespace polhode {
namespace {

Json json_of(const Spread& rate) {
  return {
      {"median", number(rate.median)}, {"lower_quartile", number(rate.lower)}, {"upper_quartile", number(rate.upper)}};
}

Json json_of(const WholeRun& run, const Throughput& report) {
  if (!run.problem.empty()) return {{"recorded", run.recorded}, {"problem", run.problem}};
  return {{"recorded", run.recorded},
          {"steps_per_second", json_of(run.rate)},
          {"share_of_time_loop", number(run.rate.median / report.time_loop.median)},
          {"repetitions", run.repetitions},
          {"seconds", run.seconds},
          {"seconds_of_starts", run.starts},
          {"seconds_of_integration", run.integration},
          {"section_points", run.points},
          {"bytes", run.bytes}};
}

Json limits_of(const Throughput& report) {
  Json limits = {{"fmas_per_second", number(report.fmas)},
                 {"from", report.measured ? "measured" : "properties of the device"}};
  if (report.measured) {
    limits["fmas_per_second_of_one_thread"] = number(report.measured->fmas_of_thread);
    limits["bytes_copied_per_second"] = report.measured->copied;
  }
  return limits;
}

Json operations_of(const Throughput& report) {
  if (!report.per_step) return nullptr;
  return {{"fma", report.per_step->fused},
          {"other", report.per_step->others},
          {"divisions", report.per_step->divisions},
          {"flops", report.per_step->flops()}};
}

Json json_of(const Throughput& report) {
  if (!report.unavailable.empty()) return {{"backend", report.backend}, {"unavailable", report.unavailable}};
  Json json = {{"backend", report.backend}, {"device", report.device}, {"isa", report.isa}};
  if (report.threads > 0) json["threads"] = report.threads;
  json["limits"] = limits_of(report);
  json["operations_per_step"] = operations_of(report);
  json["time_loop"] = {{"trajectories", report.loop_trajectories},
                       {"steps", report.loop_steps},
                       {"repetitions", report.loop_repetitions},
                       {"steps_per_second", json_of(report.time_loop)},
                       {"most_steps_per_second", number(report.most_steps_per_second())},
                       {"share_of_limit", number(report.time_loop.median / report.most_steps_per_second())}};
  json["trajectories"] = report.trajectories;
  json["steps"] = report.steps;
  json["whole_runs"] = Json::array();
  for (const WholeRun& run : report.whole_runs) json["whole_runs"].push_back(json_of(run, report));
  return json;
}

}  // namespace

Json to_json(const ResolvedRun& run, const std::vector<Throughput>& reports, std::int64_t repetitions) {
  Json json = {{"polhode", "bench"},
               {"version", program_version()},
               {"git", program_git()},
               {"system", run.system->name},
               {"parameters", run.spec.system.parameters},
               {"method", in_words(*run.method, run.spec.method)},
               {"solver", run.solver().name},
               {"step", run.spec.method.step},
               {"precision", name_of(run.spec.execution.precision)},
               {"repetitions", repetitions},
               {"backends", Json::array()}};
  for (const Throughput& report : reports) json["backends"].push_back(json_of(report));
  return json;
}

}  // namespace polhode
