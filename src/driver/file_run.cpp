#include "driver/file_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include "backend/cuda/cuda_backend.hpp"
#include "catalog/own_systems.hpp"
#include "driver/agreement.hpp"
#include "driver/shared_modules.hpp"
#include "driver/shared_starts.hpp"
#include "integration/integration.hpp"
#include "modules/modules.hpp"
#include "output/disk_room.hpp"
#include "output/finished_run.hpp"
#include "output/h5.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

void check_output_keys(const OutputSpec& output) {
  for (const auto& key : table_of<OutputSpec>.keys) check_limits("output", key, key.get(output));
  if (output.file.empty()) refuse("output", "file", "it is empty", "Give a file name");
  if (output.file == "-") refuse("output", "file", "HDF5 cannot be written to standard output", "Give a file name");
}

bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

/// Throws InputError for an output that is an input: a run that overwrote its configuration or its initial states could
/// not be repeated.
void refuse_inputs_as_output(const Configuration& configuration) {
  const std::filesystem::path& output = configuration.output.file;
  const auto* const starts = std::get_if<FileStarts>(&configuration.run.ensemble);
  for (const std::filesystem::path& input : {configuration.source, starts ? starts->path : std::filesystem::path()})
    if (are_one_file(input, output))
      throw InputError(
          fmt::format("cannot write {} (it is an input of this run). Choose another output with -o.", output.string()));
}

/// Specification of a rank's run: its threads, where their number is left open, are the rank's share of the processors.
/// Also chooses the rank's GPU among those of its machine.
RunSpec for_rank(RunSpec spec, const Ranks& ranks) {
  if (ranks.size() == 1) return spec;
  ExecutionSpec& execution = spec.execution;
  if (execution.threads == 0) execution.threads = ranks.processors();
  if (execution.backend == BackendChoice::automatic || execution.backend == BackendChoice::cuda)
    choose_cuda_device(ranks.on_machine());
  return spec;
}

void check_compression(std::int64_t level, const Ranks& ranks) {
  if (level == 0) return;
  if (!h5::can_compress())
    throw UnavailableError(
        "output.compression is unavailable (the HDF5 library was built without zlib). Remove it, or set it to 0.");
  if (ranks.size() > 1)
    throw InputError(fmt::format(
        "cannot use output.compression on {} ranks (they write the file together, each its own part). Remove it, or "
        "set it to 0.",
        ranks.size()));
}

/// Throws IoError where the result does not fit on the disk even without section points, whose number nobody knows
/// before a step. Bit i of invariants: invariant i is recorded.
void require_room_for(const PreparedFileRun& file_run, std::int64_t trajectories, std::uint32_t invariants) {
  RunDescription description = describe(file_run.prepared.run, invariants, {});
  description.compression = static_cast<int>(file_run.output.compression);
  require_room(
      disk_room(description, static_cast<double>(trajectories), 0, file_run.output.file, file_run.bytes_written),
      "at least");
}

/// Identity of a run without its number of steps, which may differ where a run goes on from a finished one.
std::string without_steps(std::string identity) {
  const std::string_view key = "run.steps = ";
  const std::size_t begin = identity.find(key);
  if (begin != std::string::npos) identity.erase(begin, identity.find('\n', begin) + 1 - begin);
  return identity;
}

InputError cannot_resume(const std::filesystem::path& output, std::string_view why, std::string_view advice) {
  return InputError(fmt::format("cannot resume '{}' ({}). {}.", output.string(), why, advice));
}

/// Throws InputError where `run` cannot go on from the finished run in its output: that was another run or has all the
/// steps already, or the file lacks the final states, as they were before a projection, or the invariants to go on
/// from.
void check_finished_run(const FinishedRun& finished, const std::filesystem::path& output, const ResolvedRun& run,
                        const std::string& identity) {
  if (finished.identity.empty())
    throw cannot_resume(output, "the file already exists, and does not say what it was run with",
                        "Use --force to start again or choose another output with -o");
  const std::string there = without_steps(finished.identity), here = without_steps(identity);
  if (there != here)
    throw cannot_resume(
        output, fmt::format("it has finished, and the configuration differs: {}", first_difference(there, here)),
        "Use the configuration it was run with and more run.steps");
  if (run.spec.execution.steps <= finished.steps)
    throw cannot_resume(output, fmt::format("it has finished, after {} steps", finished.steps),
                        "Give more run.steps to go on, or use --force to start again");
  if (!run.spec.record.final || !run.spec.record.invariants)
    throw cannot_resume(output,
                        fmt::format("it has finished, and has no {} to go on from",
                                    run.spec.record.final ? "invariants" : "final states"),
                        "Use --force to start again, with more run.steps");
  if (run.is_set("final_projection"))
    throw cannot_resume(output, "it has finished, and final_projection has moved its final momenta",
                        "Use --force to start again, with more run.steps");
}

/// Number of trajectories of a slice in the checkpoint that a rank goes on from; 0 without one. Throws InputError where
/// the checkpoint is of another run.
std::int64_t slice_of_checkpoint(const std::filesystem::path& output, const std::string& identity, int rank) {
  const auto checkpoint = PartFolder::read_checkpoint(output, rank);
  if (!checkpoint) return 0;
  if (checkpoint->identity != identity)
    throw InputError(
        fmt::format("cannot resume {} (the configuration differs: {}). Use the configuration it was started with.",
                    output.string(), first_difference(checkpoint->identity, identity)));
  return checkpoint->slice;
}

}  // namespace

PreparedFileRun prepare_file_run(const Configuration& configuration, const RunOptions& options, const ReadPart& read,
                                 Ranks& ranks, const StartsProgress& progress) {
  using Existing = PartFolder::Existing;
  PreparedFileRun file_run{.prepared = {},
                           .output = configuration.output,
                           .configuration_text = configuration.text,
                           .existing = options.force ? Existing::replace : Existing::refuse,
                           .identity = {},
                           .checkpoint_identity = {},
                           .checkpoint_slice = 0,
                           .begin = 0,
                           .bytes_written = 0,
                           .missing = {}};
  ranks.together("inputs", [&] {
    if (options.resume && options.force)
      throw InputError("cannot use --resume and --force together (one continues, the other starts anew). Choose one.");
    check_output_keys(configuration.output);
    if (!options.resume) refuse_inputs_as_output(configuration);  // the file it goes on from may have both in it
  });
  if (const auto own = own_header_of(configuration.run.system)) share_descriptions({*own}, ranks);
  ranks.together("run", [&] { file_run.prepared.run = resolve(for_rank(configuration.run, ranks)); });
  std::optional<FinishedRun> finished;
  const std::filesystem::path& output = file_run.output.file;
  // As the first rank sees it, which is the first to make a folder. Ranks that do not resume are asked, too: they are
  // told below that they differ.
  const auto to_resume = static_cast<Existing>(ranks.gather(static_cast<int>(PartFolder::to_resume(output)))[0]);
  const bool goes_on = ranks.gather(PartFolder::goes_on(output))[0] != 0;
  if (options.resume) file_run.existing = to_resume;
  ranks.together("finished run", [&] {
    if (options.resume && goes_on) finished = read_finished_run(output);
  });
  // Before starts are made and kernels compiled.
  ranks.together("output", [&] {
    if (ranks.first()) PartFolder::check_output(output, file_run.existing, options.dry);
  });
  PreparedRun& prepared = file_run.prepared;
  const ProcessShare share = share_of_starts(ranks);
  const bool is_own = prepared.run.system->own != nullptr;  // whose starts need a module
  // As the first rank has it: the environment, which may forbid to compile, may have come to this rank alone.
  const bool compiles = ranks.gather(options.dry && !compiling_is_allowed())[0] == 0;
  const OnAbsent on_absent = compiles ? OnAbsent::compile : OnAbsent::list;
  if (is_own) file_run.missing = share_kernels(prepared.run, on_absent, ranks);
  ranks.in_parts("size", [&] {
    if (file_run.existing != Existing::refuse) file_run.bytes_written = PartFolder::bytes_of(file_run.output.file);
    const std::int64_t least = least_count(prepared.run, share);
    if (least > 0) require_room_for(file_run, least, 0);
  });
  ranks.in_parts("starts", [&] { prepared.initial = make_share(prepared.run, read, progress, share); });
  gather_parts(prepared.initial, ranks);
  // Ranks that do something else are told so.
  ranks.in_parts(prepared.initial.starts.are_drawn() ? "drawn starts" : "held starts",
                 [&] { examine_share(prepared.run, prepared.initial, progress, share); });
  reduce(prepared.initial.findings, ranks);
  const StartsFingerprint starts = fingerprint(prepared.initial.starts, ranks);
  if (!is_own) file_run.missing = share_kernels(prepared.run, on_absent, ranks);
  ranks.together("plan", [&] {
    complete(prepared, file_run.missing.empty() ? Kernels::loaded : Kernels::absent);
    auto* const from_file = std::get_if<FileStarts>(&prepared.run.spec.ensemble);
    if (from_file && are_one_file(from_file->path, output)) {  // as a result says it of itself, wherever it is moved to
      from_file->path.clear();
      file_run.configuration_text.clear();
    }
    file_run.identity = identity(prepared.run, prepared.plan.step_plan, prepared.chosen.name, starts);
    file_run.checkpoint_identity = file_run.identity + fmt::format("ranks = {}\n", ranks.size());
    if (finished) {
      check_finished_run(*finished, output, prepared.run, file_run.identity);
      file_run.begin = finished->steps;
      file_run.checkpoint_identity += fmt::format("begun by = {} steps, {}\n", finished->steps, finished->created);
    }
    check_compression(configuration.output.compression, ranks);
    require_room_for(file_run, prepared.n(), prepared.plan.invariants);
  });
  if (ranks.size() > 1)
    require_same(
        fmt::format("{}output.file = {}\n--resume is {}, --force is {}\n{}", file_run.checkpoint_identity,
                    output.string(), options.resume, options.force, configuration_text(prepared.run.spec, "ensemble")),
        "configuration is not that", ranks);
  ranks.together("checkpoints", [&] {
    if (options.resume)
      file_run.checkpoint_slice = slice_of_checkpoint(output, file_run.checkpoint_identity, ranks.rank());
  });
  return file_run;
}

RunDescription describe(const PreparedFileRun& file_run, const std::vector<std::int64_t>& counts) {
  RunDescription description = describe(file_run.prepared, counts);
  if (!file_run.configuration_text.empty()) description.config = file_run.configuration_text;
  description.identity = file_run.identity;
  description.compression = static_cast<int>(file_run.output.compression);
  return description;
}

std::int64_t agree_on_slice(const PreparedFileRun& file_run, Ranks& ranks) {
  const ResolvedRun& run = file_run.prepared.run;
  std::int64_t likes = 0;
  ranks.together("memory", [&] { likes = slice_of(run, *file_run.prepared.chosen.backend); });
  const std::int64_t least = std::ranges::min(ranks.gather(likes));
  const std::int64_t begun = std::ranges::max(ranks.gather(file_run.checkpoint_slice));
  if (begun > 0) return begun;
  return run.spec.execution.slice > 0 ? least : fair_slice(file_run.prepared.n(), least, ranks.size());
}

}  // namespace polhode
