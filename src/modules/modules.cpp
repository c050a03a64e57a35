#include "modules/modules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <ios>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <system_error>

#include "contract.hpp"
#include "error.hpp"
#include "modules/cache.hpp"
#include "modules/compiler.hpp"
#include "modules/headers.hpp"
#include "modules/nvcc.hpp"
#include "modules/process.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

std::mutex mutex;
/// Tables by key.
std::map<std::string, const ModuleTable*>& loaded() {
  static std::map<std::string, const ModuleTable*> tables;
  return tables;
}

bool& compiling_is_forbidden() {
  static bool forbidden = [] {
    const char* const value = std::getenv("POLHODE_NO_COMPILE");
    return value && *value && std::string_view(value) != "0";
  }();
  return forbidden;
}

std::string file_name(const ModuleSource& source) { return source.stem + ".so"; }

/// The table of a file, if it is the module that is asked for. Throws UnavailableError where it cannot be loaded.
const ModuleTable* load(const Path& file, const ModuleSource& source, Owner owner = Owner::user) {
  if (!is_sound_module(file, source.key, owner)) return nullptr;
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto* const table = handle ? static_cast<const ModuleTable*>(dlsym(handle, "polhode_module")) : nullptr;
  if (!table || std::string_view(table->key) != source.key) {
    const char* const why = handle ? nullptr : dlerror();
    throw UnavailableError(fmt::format("cannot load {} ({}). Remove {} and try again.", source.in_words,
                                       why ? why : "it is not what its name says", file.string()));
  }
  loaded().emplace(source.key, table);
  return table;
}

/// Its place in the cache.
Path place_of(const ModuleSource& source) {
  return folder_in_cache(Compiler::find(source.target).folder()) / file_name(source);
}

/// Folders of the cache to look in: that of the target's compiler, or without one all, since the bits are the same.
std::vector<Path> cached_folders(const Target& target) {
  std::vector<Path> folders = folders_of_cache();
  try {
    const std::string& name = Compiler::find(target).folder();
    std::erase_if(folders, [&](const Path& folder) { return folder.filename() != name; });
  } catch (const UnavailableError&) {
  }
  return folders;
}

const ModuleTable* find_on_disk(const ModuleSource& source) {
  if (!source.own_header.empty())  // beside which a package has them
    if (const ModuleTable* const table =
            load(Path(source.own_header).parent_path() / "kernels" / file_name(source), source, Owner::installer))
      return table;
  for (const Path& folder : installed_modules())
    if (const ModuleTable* const table = load(folder / file_name(source), source, Owner::installer)) return table;
  for (const Path& folder : cached_folders(source.target))
    if (const ModuleTable* const table = load(folder / file_name(source), source)) return table;
  return nullptr;
}

/// The first error of a compiler's log, if there is one in or beside a file that is named, there.
std::string first_error(const Path& log, const std::string& own_header) {
  std::ifstream stream(log);
  const std::string folder = own_header.empty() ? "" : Path(own_header).parent_path().string();
  std::string line, first, error;
  while (std::getline(stream, line)) {
    const bool is_error = line.find("error") != std::string::npos;
    if (is_error && !folder.empty() && line.starts_with(folder)) return line;
    if (is_error && error.empty()) error = line;
    if (first.empty()) first = line;
  }
  return !error.empty() ? error : first.empty() ? "the compiler failed and did not say why" : first;
}

/// Modules that are being made: their locks, and files beside the place where they will be.
struct Attempt {
  const ModuleSource* source;
  Path place;
  ModuleLock lock;
  Path file(const char* extension) const { return fmt::format("{}.{}{}", place.string(), getpid(), extension); }
};

/// Why an attempt has failed; empty where it has made its module. spills: what it takes memory for.
std::string problem_with(const Attempt& attempt, JobEnd end, const std::string& spills) {
  if (end == JobEnd::too_long) return "the compiler took ten minutes";
  if (end == JobEnd::not_started) return "the compiler cannot be started";
  if (end == JobEnd::failed || !std::filesystem::exists(attempt.file(".new")))
    return first_error(attempt.file(".log"), attempt.source->own_header);
  return spills;
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

/// Removes the files of attempts, also of those that were killed; under the module's lock.
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

/// Keeps the log of a compilation that failed beside the place of its module, and says why it did.
[[noreturn]] void fail(const Attempt& attempt, const std::string& why) {
  std::error_code ignored;
  Path log = attempt.place;
  log += ".log";
  std::filesystem::rename(attempt.file(".log"), log, ignored);
  remove_leftovers(attempt.place);
  // What has no place in a file is not about one: an option, or the compiler itself.
  static const std::regex at_a_place(":[0-9]+:[0-9]+: .*error|\\([0-9]+\\): error");
  if (!attempt.source->own_header.empty() && std::regex_search(why, at_a_place))
    throw InputError(fmt::format("cannot compile {} ({}). Correct it; all that the compiler says is in {}.",
                                 attempt.source->own_header, why, log.string()));
  throw UnavailableError(fmt::format("cannot compile {} ({}). See {}.", attempt.source->in_words, why, log.string()));
}

/// Verdict on a kernel for GPUs that takes memory where it should do with registers: a mistake, or slow.
enum class Spills { refused, told };

/// Compiles modules at their places, but for those that others have made meanwhile. Where some fail the others are made
/// first.
int compile(std::vector<std::pair<const ModuleSource*, Path>> wanted, Spills policy) {
  std::vector<Attempt> attempts;
  std::ranges::sort(wanted, {},
                    [](const auto& one) { return one.second; });  // so that no two processes wait for each other
  for (const auto& [source, place] : wanted) {
    Attempt attempt{source, place, ModuleLock(place)};
    if (!is_sound_module(place, source->key)) attempts.push_back(std::move(attempt));
  }
  if (attempts.empty()) return 0;
  std::map<const Compiler*, std::string> in_words;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Job> jobs;
  for (const Attempt& attempt : attempts) {
    const Target& target = attempt.source->target;
    const Compiler& compiler = Compiler::find(target);
    if (!in_words.contains(&compiler)) in_words.emplace(&compiler, compiler.in_words());
    remove_leftovers(attempt.place);
    jobs.push_back({compiler.commands(target, attempt.file(".cpp"), attempt.file(".new")), attempt.file(".log")});
    write(attempt.file(".cpp"), attempt.source->complete(in_words.at(&compiler)));
  }
  const std::vector<JobEnd> ends = run_jobs(jobs);
  std::string names;
  std::optional<std::pair<const Attempt*, std::string>> failed;  // of those the first that was asked for
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    const std::string spills = attempt.source->may_spill ? "" : spills_in(attempt.file(".log"));
    const std::string problem = problem_with(attempt, ends[i], policy == Spills::refused ? spills : "");
    if (problem.empty()) seal_module(attempt.file(".new"), attempt.place, attempt.source->key);
    if (!problem.empty() && (!failed || attempt.source < failed->first->source)) failed.emplace(&attempt, problem);
    if (problem.empty() && !spills.empty()) tell(fmt::format("{} is slow: {}", attempt.source->in_words, spills));
    names += (names.empty() ? "" : "; ") + attempt.source->in_words;
  }
  for (const Attempt& attempt : attempts)
    if (!failed || &attempt != failed->first) remove_leftovers(attempt.place);
  if (failed) fail(*failed->first, failed->second);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  tell(fmt::format("compiled {}: {:.1f} s", names, time.count()));
  return static_cast<int>(attempts.size());
}

}  // namespace

void forbid_compiling() {
  const std::lock_guard lock(mutex);
  compiling_is_forbidden() = true;
}

const ModuleTable* find_module(const ModuleSource& source) {
  const std::lock_guard lock(mutex);
  static std::set<std::string> looked_for;  // on the disk, once
  if (const auto found = loaded().find(source.key); found != loaded().end()) return found->second;
  if (!looked_for.insert(source.key).second) return nullptr;
  return find_on_disk(source);
}

std::vector<const ModuleTable*> load_modules(const std::vector<ModuleSource>& sources) {
  const std::lock_guard lock(mutex);
  std::vector<const ModuleTable*> tables;
  std::vector<const ModuleSource*> missing;
  for (const ModuleSource& source : sources) {
    const auto found = loaded().find(source.key);
    tables.push_back(found != loaded().end() ? found->second : find_on_disk(source));
    if (!tables.back()) missing.push_back(&source);
  }
  if (missing.empty()) return tables;
  if (compiling_is_forbidden())
    throw UnavailableError(
        fmt::format("there is no kernel {} (and none may be compiled). Run polhode compile CONFIG --for {} first.",
                    missing.front()->in_words, missing.front()->target.name()));
  std::vector<std::pair<const ModuleSource*, Path>> places;
  for (const ModuleSource* const source : missing) places.emplace_back(source, place_of(*source));
  compile(places, Spills::told);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!tables[i]) tables[i] = load(place_of(sources[i]), sources[i]);
    POLHODE_ENSURE(tables[i]);
  }
  return tables;
}

int compile_modules(const std::vector<ModuleSource>& sources, const Path& folder) {
  constexpr std::size_t at_once = 8;  // so that what is interrupted loses no more
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw IoError(fmt::format("cannot make {} ({}). Choose another folder.", folder.string(), error.message()));
  std::vector<std::pair<const ModuleSource*, Path>> missing;
  for (const ModuleSource& source : sources)
    if (const Path place = folder.empty() ? place_of(source) : folder / file_name(source);
        !is_sound_module(place, source.key))
      missing.emplace_back(&source, place);
  int compiled = 0;
  std::optional<UnavailableError> failure;
  for (std::size_t first = 0; first < missing.size(); first += at_once) try {
      compiled += compile({missing.begin() + first, missing.begin() + std::min(first + at_once, missing.size())},
                          Spills::refused);
    } catch (const UnavailableError& error) {
      if (!failure) failure = error;
    }
  if (failure) throw *failure;
  return compiled;
}

std::vector<ModuleSource> without_copies(std::vector<ModuleSource> sources) {
  std::set<std::string> keys;
  std::erase_if(sources, [&](const ModuleSource& source) { return !keys.insert(source.key).second; });
  return sources;
}

const StartFunctions* find_start_functions(const SourceType& system, const char* name, Isa isa) {
  try {
    const ModuleTable* const table = find_module(source_of(system, name, isa));
    return table ? &static_cast<const SystemFunctions*>(table->functions)->starts : nullptr;
  } catch (const UnavailableError&) {  // which a run says that needs the module
    return nullptr;
  }
}

}  // namespace polhode
