#include "modules/modules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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
#include "modules/compilation.hpp"
#include "modules/compiler.hpp"
#include "modules/headers.hpp"
#include "wait_check.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

/// Turn of a thread among those that want modules; another one may take as long as a compilation.
class Turn {
 public:
  Turn() {
    wait_until([&] { return lock_.try_lock(); });
  }

 private:
  inline static std::mutex mutex_;
  std::unique_lock<std::mutex> lock_{mutex_, std::defer_lock};
};

/// Tables of the loaded modules, by key.
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

/// Loads the module in a file and returns its table; null where the file is not that module, or not sound. Throws
/// UnavailableError where the module cannot be loaded, and as is_sound_module().
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

/// Place of a module in the cache, in the folder of its compiler. Throws UnavailableError where there is no compiler,
/// and as folder_in_cache().
Path place_of(const ModuleSource& source) {
  return folder_in_cache(Compiler::find(source.target).folder()) / file_name(source);
}

/// Folders of the cache to look in for modules of a target: the folder of the target's compiler; without a compiler all
/// folders, since all compilers give the same bits.
std::vector<Path> cached_folders(const Target& target) {
  std::vector<Path> folders = folders_of_cache();
  try {
    const std::string& name = Compiler::find(target).folder();
    std::erase_if(folders, [&](const Path& folder) { return folder.filename() != name; });
  } catch (const UnavailableError&) {
  }
  return folders;
}

/// First answer of ask(file, owner) that is not empty, for the files that may be the module, in this order: in the
/// folder `kernels` beside a user's header, installed, in the cache. An empty answer where all answers are empty.
template <class Ask>
auto first_answer(const ModuleSource& source, const Ask& ask) {
  const auto in = [&](const Path& folder, Owner owner) { return ask(folder / file_name(source), owner); };
  decltype(in(Path(), Owner::user)) answer{};
  if (const Path folder = Path(source.own_header).parent_path() / "kernels";  // where a package has them
      !source.own_header.empty() && is_ours(folder.parent_path()) && is_ours(folder))
    if ((answer = in(folder, Owner::installer))) return answer;
  for (const Path& folder : folders_of_installed_modules())
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

/// Table of a module that is loaded, or on the disk and loaded now; else null.
const ModuleTable* find_anywhere(const ModuleSource& source) {
  const auto found = loaded().find(source.key);
  return found != loaded().end() ? found->second : find_on_disk(source);
}

using ModuleSources = std::vector<const ModuleSource*>;

/// Command line that would compile the modules, of which there is one at least.
std::string command_for(const ModuleSources& missing) {
  std::string command = "polhode compile";
  if (const std::string& header = missing.front()->own_header; !header.empty())
    command += fmt::format(" --system {}", header);
  std::vector<std::string> targets;
  for (const ModuleSource* const source : missing)
    if (const std::string name = source->target.name();
        (source->key.find("\nkernel\n") != std::string::npos || source->key.find("\nshadow\n") != std::string::npos) &&
        std::ranges::find(targets, name) == targets.end())
      targets.push_back(name);
  const bool are_of_this_machine = targets.empty() || targets == std::vector{Target(best_isa()).name()};
  return command + " CONFIG" + (are_of_this_machine ? "" : fmt::format(" --for {}", fmt::join(targets, ",")));
}

/// Compiles modules into the cache. Throws UnavailableError where compiling is forbidden, and as compile_at().
void compile_missing(const ModuleSources& missing) {
  if (missing.empty()) return;
  if (compiling_is_forbidden())
    throw UnavailableError(fmt::format("there is no kernel {} (and none may be compiled). Run {} first.",
                                       missing.front()->in_words, command_for(missing)));
  std::vector<ModulePlace> places;
  for (const ModuleSource* const source : missing) places.emplace_back(source, place_of(*source));
  compile_at(places, Spills::told);
}

ModuleSources pointers_to(const std::vector<ModuleSource>& sources) {
  ModuleSources pointers;
  for (const ModuleSource& source : sources) pointers.push_back(&source);
  return pointers;
}

/// Place in the cache of a module that another machine has compiled: in the folder of this machine's compiler, or,
/// where there is no compiler or others may write to that folder, in the folder `received`.
Path place_of_received(const ModuleSource& source) {
  try {
    return place_of(source);
  } catch (const UnavailableError&) {
    return folder_in_cache("received") / file_name(source);
  }
}

}  // namespace

bool compiling_is_allowed() {
  const Turn turn;
  return !compiling_is_forbidden();
}

void allow_compiling(bool allowed) {
  const Turn turn;
  compiling_is_forbidden() = !allowed;
}

const ModuleTable* find_module(const ModuleSource& source) {
  const Turn turn;
  static std::set<std::string> looked_for;  // on the disk, once
  if (const auto found = loaded().find(source.key); found != loaded().end()) return found->second;
  if (looked_for.contains(source.key)) return nullptr;
  const ModuleTable* const table = find_on_disk(source);  // throws the same again where it throws
  looked_for.insert(source.key);
  return table;
}

std::vector<const ModuleTable*> load_modules(const std::vector<ModuleSource>& sources) {
  const Turn turn;
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
  const Turn turn;
  std::vector<ModuleSource> missing;
  for (const ModuleSource& source : sources)
    if (!find_anywhere(source)) missing.push_back(source);
  return missing;
}

bool is_on_disk(const ModuleSource& source) {
  const Turn turn;
  return find_file(source).has_value();
}

void make_modules(const std::vector<ModuleSource>& sources) {
  const Turn turn;
  compile_missing(pointers_to(sources));
}

std::string command_to_make(const std::vector<ModuleSource>& sources) { return command_for(pointers_to(sources)); }

std::string read_module(const ModuleSource& source) {
  const Turn turn;
  const std::optional<Path> file = find_file(source);
  const std::vector<char> content = file ? content_of(*file) : std::vector<char>();
  return {content.begin(), content.end()};
}

void receive_module(const ModuleSource& source, const std::string& bytes) {
  const Turn turn;
  const auto object = object_in(bytes, source.key);
  if (!object)
    throw UnavailableError(fmt::format("cannot use {} (what another process has sent is {}). Start again.",
                                       source.in_words, bytes.empty() ? "gone" : "damaged, or another kernel"));
  const Path place = place_of_received(source);
  write_at(place, source, {object->begin(), object->end()});
  load(place, source);
}

int compile_modules(const std::vector<ModuleSource>& sources, const Path& folder) {
  constexpr std::size_t at_once = 8;  // so that what is interrupted loses no more
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw IoError(fmt::format("cannot make {} ({}). Choose another folder.", folder.string(), error.message()));
  std::vector<ModulePlace> missing;
  for (const ModuleSource& source : sources)
    if (const Path place = folder.empty() ? place_of(source) : folder / file_name(source);
        !is_sound_module(place, source.key))
      missing.emplace_back(&source, place);
  int compiled = 0;
  std::optional<UnavailableError> failure;
  for (std::size_t first = 0; first < missing.size(); first += at_once) try {
      compiled += compile_at({missing.begin() + first, missing.begin() + std::min(first + at_once, missing.size())},
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
