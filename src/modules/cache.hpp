// The cache of modules on the disk: safe to share among processes, and not to be trusted where others may write.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Folder of the cache: $POLHODE_CACHE, else $XDG_CACHE_HOME/polhode, else ~/.cache/polhode. Where none of them can be
/// used for shared objects, a folder of this process, which is removed at its end; `notice` is told that in a line.
/// Throws UnavailableError where others may write to it. Found once.
const std::filesystem::path& cache_folder();

/// A folder in the cache, which is made if it is not there, for its owner alone.
std::filesystem::path folder_in_cache(const std::string& name);
/// Folders of a cache that is there, also where nothing can be written, and of the one of this process. Throws
/// UnavailableError where others may write.
std::vector<std::filesystem::path> folders_of_cache();

/// Whose a file is: of the cache, so that it must be the user's or root's; or installed beside the program, by whom the
/// user trusts with that.
enum class Owner { user, installer };

/// Whether a file is the module with a key, and whole. Where others may write to it, it is none if it is installed;
/// else throws UnavailableError.
bool is_sound_module(const std::filesystem::path& file, const std::string& key, Owner owner = Owner::user);

/// The bytes of a file; none where it cannot be read.
std::vector<char> content_of(const std::filesystem::path& file);
/// The shared object in the bytes of the module with a key; nothing where they are another's, or damaged.
std::optional<std::span<const char>> object_in(std::span<const char> module, const std::string& key);

/// Makes a file of a shared object the module with a key: seals it against damage, and moves it in place, both durably.
void seal_module(const std::filesystem::path& object, const std::filesystem::path& file, const std::string& key);

/// Lock of a module that is being made, for the processes of this machine. Waits for it.
class ModuleLock {
 public:
  explicit ModuleLock(const std::filesystem::path& module);
  ModuleLock(const ModuleLock&) = delete;
  ModuleLock& operator=(const ModuleLock&) = delete;
  ModuleLock(ModuleLock&& other) noexcept;
  ~ModuleLock();

 private:
  std::filesystem::path path_;
  int descriptor_;
};

/// Told what people may want to know, in a line: what is compiled, and where. Nothing by default.
using ModuleNotice = void (*)(const std::string& line);
void set_module_notice(ModuleNotice notice);
void tell(const std::string& line);

}  // namespace polhode
