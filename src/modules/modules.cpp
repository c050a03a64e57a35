#include "modules/modules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <ios>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "backend/cpu/isa.hpp"
#include "contract.hpp"
#include "error.hpp"
#include "modules/cache.hpp"
#include "modules/compiler.hpp"
#include "modules/headers.hpp"
#include "modules/nvcc.hpp"
#include "modules/own_header.hpp"
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

/// Whether only the user or root may change what is in a folder.
bool is_ours(const Path& folder) {
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) return false;
  return (status.st_uid == geteuid() || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
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

/// The first answer about the files where a module may be that is not empty.
template <class Ask>
auto first_answer(const ModuleSource& source, const Ask& ask) {
  const auto in = [&](const Path& folder, Owner owner) { return ask(folder / file_name(source), owner); };
  decltype(in(Path(), Owner::user)) answer{};
  if (const Path folder = Path(source.own_header).parent_path() / "kernels";  // where a package has them
      !source.own_header.empty() && is_ours(folder.parent_path()) && is_ours(folder))
    if ((answer = in(folder, Owner::installer))) return answer;
  for (const Path& folder : installed_modules())
    if ((answer = in(folder, Owner::installer))) return answer;
  for (const Path& folder : cached_folders(source.target))
    if ((answer = in(folder, Owner::user))) return answer;
  return answer;
}

const ModuleTable* find_on_disk(const ModuleSource& source) {
  return first_answer(source, [&](const Path& file, Owner owner) { return load(file, source, owner); });
}

std::optional<Path> find_file(const ModuleSource& source) {
  return first_answer(source, [&](const Path& file, Owner owner) {
    return is_sound_module(file, source.key, owner) ? std::optional(file) : std::nullopt;
  });
}

/// The table of a module that is loaded or on the disk, or null.
const ModuleTable* find_anywhere(const ModuleSource& source) {
  const auto found = loaded().find(source.key);
  return found != loaded().end() ? found->second : find_on_disk(source);
}

/// Whether a line of a compiler's log is an error at a place in one of the files.
bool is_error_in(const std::string& line, const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [&](const std::string& file) {
    if (!line.starts_with(file)) return false;
    const std::string_view place = std::string_view(line).substr(file.size());  // ":LINE:COLUMN: ", by nvcc "(LINE): "
    return (place.starts_with(':') || place.starts_with('(')) && place.find("error") != std::string_view::npos;
  });
}

/// A compiler's complaint.
struct Complaint {
  std::string text;
  bool is_of_user = false;  ///< about the user's files, or about what they use
};

/// The first error of a compiler's log, before others that in the user's header or in what it includes.
Complaint first_error(const Path& log, const ModuleSource& source) {
  std::vector<std::string> files;
  if (!source.own_header.empty()) files = read_own_header(source.own_header).files;
  std::ifstream stream(log);
  std::string line, first;
  std::optional<Complaint> error;
  while (std::getline(stream, line)) {
    if (is_error_in(line, files)) return {line, true};
    constexpr std::string_view undefined = "undefined reference to ";
    if (const std::size_t at = line.find(undefined); at != std::string::npos && !files.empty())
      return {fmt::format("it uses {}, which is in no library that a module has", line.substr(at + undefined.size())),
              true};
    // An error without a line is about an option, or the compiler itself.
    const std::size_t at = std::min(line.find(": error: "), line.find(": fatal error: "));
    const bool has_a_line =
        at != std::string::npos && at > 0 && (line[at - 1] == ')' || (line[at - 1] >= '0' && line[at - 1] <= '9'));
    if (line.find("error") != std::string::npos && !error) error = {line, !files.empty() && has_a_line};
    if (first.empty()) first = line;
  }
  if (error) return *error;
  return {first.empty() ? "the compiler failed and did not say why" : first};
}

/// Modules that are being made: their locks, and files beside the place where they will be.
struct Attempt {
  const ModuleSource* source;
  Path place;
  ModuleLock lock;
  Path file(const char* extension) const { return fmt::format("{}.{}{}", place.string(), getpid(), extension); }
};

/// Why an attempt has failed; nothing where it has made its module. spills: what it takes memory for.
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
  int compiled = 0;
  std::optional<std::pair<const Attempt*, Complaint>> failed;  // of those the first that was asked for
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
    names += (names.empty() ? "" : "; ") + attempt.source->in_words;
    ++compiled;
  }
  for (const Attempt& attempt : attempts)
    if (!failed || &attempt != failed->first) remove_leftovers(attempt.place);
  if (failed) fail(*failed->first, failed->second);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (compiled > 0) tell(fmt::format("compiled {}: {:.1f} s", names, time.count()));
  return compiled;
}

using ModuleSources = std::vector<const ModuleSource*>;

/// Command that would compile modules which are missing.
std::string command_for(const ModuleSources& missing) {
  std::string command = "polhode compile";
  if (const std::string& header = missing.front()->own_header; !header.empty())
    command += fmt::format(" --system {}", header);
  std::vector<std::string> targets;
  for (const ModuleSource* const source : missing)
    if (const std::string name = source->target.name();
        source->key.find("\nkernel\n") != std::string::npos && std::ranges::find(targets, name) == targets.end())
      targets.push_back(name);
  const bool are_of_this_machine = targets.empty() || targets == std::vector{Target(best_isa()).name()};
  return command + " CONFIG" + (are_of_this_machine ? "" : fmt::format(" --for {}", fmt::join(targets, ",")));
}

/// Compiles what is missing into the cache, unless that is forbidden.
void compile_missing(const ModuleSources& missing) {
  if (missing.empty()) return;
  if (compiling_is_forbidden())
    throw UnavailableError(fmt::format("there is no kernel {} (and none may be compiled). Run {} first.",
                                       missing.front()->in_words, command_for(missing)));
  std::vector<std::pair<const ModuleSource*, Path>> places;
  for (const ModuleSource* const source : missing) places.emplace_back(source, place_of(*source));
  compile(places, Spills::told);
}

ModuleSources pointers_to(const std::vector<ModuleSource>& sources) {
  ModuleSources pointers;
  for (const ModuleSource& source : sources) pointers.push_back(&source);
  return pointers;
}

/// Place in the cache of a module that another machine has compiled: where those of this one's compiler are looked for,
/// or, where it has none, a folder of their own.
Path place_of_received(const ModuleSource& source) {
  try {
    return place_of(source);
  } catch (const UnavailableError&) {
    return folder_in_cache("received") / file_name(source);
  }
}

}  // namespace

bool compiling_is_allowed() {
  const std::lock_guard lock(mutex);
  return !compiling_is_forbidden();
}

void allow_compiling(bool allowed) {
  const std::lock_guard lock(mutex);
  compiling_is_forbidden() = !allowed;
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
  ModuleSources missing;
  for (const ModuleSource& source : sources) {
    tables.push_back(find_anywhere(source));
    if (!tables.back()) missing.push_back(&source);
  }
  compile_missing(missing);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!tables[i]) tables[i] = load(place_of(sources[i]), sources[i]);
    POLHODE_ENSURE(tables[i] || sources[i].is_guess);
  }
  return tables;
}

std::vector<ModuleSource> missing_modules(const std::vector<ModuleSource>& sources) {
  const std::lock_guard lock(mutex);
  std::vector<ModuleSource> missing;
  for (const ModuleSource& source : sources)
    if (!find_anywhere(source)) missing.push_back(source);
  return missing;
}

bool is_on_disk(const ModuleSource& source) {
  const std::lock_guard lock(mutex);
  return find_file(source).has_value();
}

void make_modules(const std::vector<ModuleSource>& sources) {
  const std::lock_guard lock(mutex);
  compile_missing(pointers_to(sources));
}

std::string command_to_make(const std::vector<ModuleSource>& sources) { return command_for(pointers_to(sources)); }

std::string read_module(const ModuleSource& source) {
  const std::lock_guard lock(mutex);
  const std::optional<Path> file = find_file(source);
  const std::vector<char> content = file ? content_of(*file) : std::vector<char>();
  return {content.begin(), content.end()};
}

void receive_module(const ModuleSource& source, const std::string& bytes) {
  const std::lock_guard lock(mutex);
  const auto object = object_in(bytes, source.key);
  if (!object)
    throw UnavailableError(fmt::format("cannot use {} (what another process has sent is {}). Start again.",
                                       source.in_words, bytes.empty() ? "gone" : "damaged, or another kernel"));
  const Path place = place_of_received(source);
  const Attempt attempt{&source, place, ModuleLock(place)};
  if (!is_sound_module(attempt.place, source.key)) {
    remove_leftovers(attempt.place);
    write(attempt.file(".new"), {object->begin(), object->end()});
    seal_module(attempt.file(".new"), attempt.place, source.key);
  }
  load(attempt.place, source);
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
