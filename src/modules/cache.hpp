// The cache of modules on the disk: safe to share among processes, and not to be trusted where others may write.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Folder of the cache: $POLHODE_CACHE, else $XDG_CACHE_HOME/polhode, else ~/.cache/polhode, whichever is set first.
/// Where that cannot hold shared objects, a folder of this process, removed when the process ends; tell() says so.
/// Throws UnavailableError where the folder is another user's or others may write to it, or none can be made. Found
/// once.
const std::filesystem::path& cache_folder();

/// Folder of this name in the cache; made, for the user alone, where it is missing. Throws IoError where it cannot hold
/// modules, UnavailableError where it is another user's or others may write to it.
std::filesystem::path folder_in_cache(const std::string& name);
/// Folders in the cache, even if nothing can be written there, and in the folder of this process. Throws
/// UnavailableError where the cache, or anything in it, is another user's or others may write to it.
std::vector<std::filesystem::path> folders_of_cache();

/// Who may own the file of a module. user: one in the cache belongs to the user or root. installer: one beside the
/// program belongs to whoever installed that, whom the user trusts.
enum class Owner { user, installer };

/// Whether a file is the module with this key, and whole. A file that others may write to is no such module for
/// Owner::installer; for Owner::user it throws UnavailableError, as does a file of another user.
bool is_sound_module(const std::filesystem::path& file, const std::string& key, Owner owner = Owner::user);

/// Bytes of a file; none where it cannot be opened.
std::vector<char> content_of(const std::filesystem::path& file);
/// Shared object in the bytes of the module with this key; nothing where they are damaged or of another module.
std::optional<std::span<const char>> object_in(std::span<const char> module, const std::string& key);

/// Makes the compiled file `object` the module with this key: appends a checksum, then renames it to `file`, both
/// synced to the disk. Throws IoError where that fails.
void seal_module(const std::filesystem::path& object, const std::filesystem::path& file, const std::string& key);

/// Lock of a module that is being made, among the processes of this machine. The constructor waits for it.
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

/// Function that is given lines for people: which modules were compiled, and how long it took; which kernel is slow;
/// that the cache cannot hold modules. None by default.
using ModuleNotice = void (*)(const std::string& line);
void set_module_notice(ModuleNotice notice);
/// Gives a line to the function that set_module_notice() has set, if any.
void tell(const std::string& line);

}  // namespace polhode
