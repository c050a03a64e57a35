#include "modules/compilation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <ios>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "error.hpp"
#include "modules/cache.hpp"
#include "modules/compiler.hpp"
#include "modules/nvcc.hpp"
#include "modules/own_header.hpp"
#include "modules/process.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;
using Clock = std::chrono::steady_clock;

/// Whether a line of a compiler's log is an error at a place in one of the files.
bool is_error_in(const std::string& line, const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [&](const std::string& file) {
    if (!line.starts_with(file)) return false;
    const std::string_view place = std::string_view(line).substr(file.size());  // ":LINE:COLUMN: ", by nvcc "(LINE): "
    return (place.starts_with(':') || place.starts_with('(')) && place.find("error") != std::string_view::npos;
  });
}

/// Reason in words why a module has not been made: a line of the compiler's log, or what else went wrong.
struct Complaint {
  std::string text;
  bool is_of_user = false;  ///< whether the user's header is the reason, or a file or function that it uses
};

/// Complaint from a compiler's log. For the module of a user's header: the first error at a place in the header's
/// files, or undefined reference, whichever comes first. Where there is neither, and for other modules: the first line
/// with "error" in it, else the first line that is not empty, else that the compiler did not say why.
Complaint first_error(const Path& log, const ModuleSource& source) {
  std::vector<std::string> files;
  if (!source.own_header.empty()) files = read_own_header(source.own_header).files;
  std::ifstream stream(log);
  std::string line, first_line;
  std::optional<Complaint> error;
  while (std::getline(stream, line)) {
    if (is_error_in(line, files)) return {line, true};
    constexpr std::string_view undefined = "undefined reference to ";
    if (const std::size_t begin = line.find(undefined); begin != std::string::npos && !files.empty())
      return {
          fmt::format("it uses {}, which is in no library that a module has", line.substr(begin + undefined.size())),
          true};
    // An error without a line is about an option, or the compiler itself.
    const std::size_t at = std::min(line.find(": error: "), line.find(": fatal error: "));
    const bool has_a_line =
        at != std::string::npos && at > 0 && (line[at - 1] == ')' || (line[at - 1] >= '0' && line[at - 1] <= '9'));
    if (line.find("error") != std::string::npos && !error) error = {line, !files.empty() && has_a_line};
    if (first_line.empty()) first_line = line;
  }
  if (error) return *error;
  return {first_line.empty() ? "the compiler failed and did not say why" : first_line};
}

/// Module that is being made: its lock, and the names of temporary files beside the place where it will be.
struct Attempt {
  const ModuleSource* source;
  Path place;
  ModuleLock lock;
  Path file(const char* extension) const { return fmt::format("{}.{}{}", place.string(), getpid(), extension); }
};

/// Reason why an attempt has failed, after its compilation has come to the end `end`; nothing where it has succeeded.
/// spills: the words of spills_in() (nvcc.hpp) on its kernel, if a kernel that spills is refused; else empty.
std::optional<Complaint> problem_with(const Attempt& attempt, JobEnd end, const std::string& spills) {
  if (end == JobEnd::too_long) return Complaint{"the compiler took ten minutes"};
  if (end == JobEnd::not_started) return Complaint{"the compiler cannot be started"};
  if (end == JobEnd::failed || !std::filesystem::exists(attempt.file(".new")))
    return first_error(attempt.file(".log"), *attempt.source);
  if (!spills.empty()) return Complaint{spills};
  const ModuleSource& source = *attempt.source;
  if (!source.own_header.empty() && read_own_header(source.own_header).content != source.own_content)
    return Complaint{"it has changed while it was compiled", true};
  return {};
}

void write(const Path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw IoError(
        fmt::format("cannot write {} (is the disk full?). Free some space, or set POLHODE_CACHE to another folder.",
                    file.string()));
}

/// Names of the modules of attempts, for people.
std::string names_of(const std::vector<const Attempt*>& attempts) {
  std::vector<std::string> names;
  for (const Attempt* const attempt : attempts) names.push_back(attempt->source->in_words);
  return fmt::to_string(fmt::join(names, "; "));
}

/// Line that is told once, where a compilation takes longer than people wait without a word.
class TellOfLongCompilation {
 public:
  TellOfLongCompilation(std::string names, Clock::time_point begin)
      : names_(std::move(names)), due_(begin + std::chrono::seconds(8)) {}
  void operator()() {
    if (is_told_ || Clock::now() < due_) return;
    tell(fmt::format("still compiling {}", names_));
    is_told_ = true;
  }

 private:
  std::string names_;
  Clock::time_point due_;
  bool is_told_ = false;
};

/// Removes the temporary files of all attempts to make the module at `place`, also of those that were killed. Keeps the
/// lock, and, as long as the module is not there, the log of its failure. The caller must have the lock.
void remove_leftovers(const Path& place) {
  std::error_code ignored;
  const std::string name = place.filename().string();
  for (const auto& entry : std::filesystem::directory_iterator(place.parent_path(), ignored)) {
    const std::string other = entry.path().filename().string();
    const bool is_kept =
        other == name + ".lock" || (other == name + ".log" && !std::filesystem::exists(place, ignored));
    if (other.starts_with(name + ".") && !is_kept) std::filesystem::remove(entry.path(), ignored);
  }
}

/// Keeps the log of a failed attempt beside the place of its module, removes its other files, and throws the reason: an
/// InputError where it is the user's header, else an UnavailableError.
[[noreturn]] void fail(const Attempt& attempt, const Complaint& why) {
  std::error_code ignored;
  Path log = attempt.place;
  log += ".log";
  std::filesystem::rename(attempt.file(".log"), log, ignored);
  remove_leftovers(attempt.place);
  if (why.is_of_user)
    throw InputError(fmt::format("cannot compile {} ({}). Correct it; all that the compiler says is in {}.",
                                 attempt.source->own_header, why.text, log.string()));
  throw UnavailableError(
      fmt::format("cannot compile {} ({}). See {}.", attempt.source->in_words, why.text, log.string()));
}

}  // namespace

int compile_at(std::vector<ModulePlace> wanted, Spills policy) {
  std::vector<Attempt> attempts;
  std::ranges::sort(wanted, {},
                    [](const auto& one) { return one.second; });  // so that no two processes wait for each other
  for (const auto& [source, place] : wanted) {
    Attempt attempt{source, place, ModuleLock(place)};
    if (!is_sound_module(place, source->key)) attempts.push_back(std::move(attempt));
  }
  if (attempts.empty()) return 0;
  std::map<const Compiler*, std::string> in_words;
  const Clock::time_point begin = Clock::now();
  std::vector<Job> jobs;
  std::vector<const Attempt*> begun, compiled;
  for (const Attempt& attempt : attempts) {
    const Target& target = attempt.source->target;
    const Compiler& compiler = Compiler::find(target);
    if (!in_words.contains(&compiler)) in_words.emplace(&compiler, compiler.in_words());
    remove_leftovers(attempt.place);
    jobs.push_back({compiler.commands(target, attempt.file(".cpp"), attempt.file(".new")), attempt.file(".log")});
    write(attempt.file(".cpp"), attempt.source->complete(in_words.at(&compiler)));
    begun.push_back(&attempt);
  }
  TellOfLongCompilation tell_once(names_of(begun), begin);
  const std::vector<JobEnd> ends = run_jobs(jobs, [&] { tell_once(); });
  std::optional<std::pair<const Attempt*, Complaint>> failed;  // the one that was asked for first
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    const std::string spills = attempt.source->may_spill ? "" : spills_in(attempt.file(".log"));
    const std::optional<Complaint> problem =
        problem_with(attempt, ends[i], policy == Spills::refused ? spills : std::string());
    if (problem) {
      const bool is_first = !failed || attempt.source < failed->first->source;
      if (!attempt.source->is_guess && is_first) failed.emplace(&attempt, *problem);
      continue;
    }
    seal_module(attempt.file(".new"), attempt.place, attempt.source->key);
    if (!spills.empty()) tell(fmt::format("{} is slow: {}", attempt.source->in_words, spills));
    compiled.push_back(&attempt);
  }
  for (const Attempt& attempt : attempts)
    if (!failed || &attempt != failed->first) remove_leftovers(attempt.place);
  if (failed) fail(*failed->first, failed->second);
  const std::chrono::duration<double> time = Clock::now() - begin;
  if (!compiled.empty()) tell(fmt::format("compiled {}: {:.1f} s", names_of(compiled), time.count()));
  return static_cast<int>(compiled.size());
}

void write_at(const Path& place, const ModuleSource& source, const std::string& object) {
  const Attempt attempt{&source, place, ModuleLock(place)};
  if (is_sound_module(place, source.key)) return;
  remove_leftovers(place);
  write(attempt.file(".new"), object);
  seal_module(attempt.file(".new"), place, source.key);
}

}  // namespace polhode
