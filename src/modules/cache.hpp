// The cache of modules on the disk: safe to share among processes, and not to be trusted where others may write.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Folder of the cache: $POLHODE_CACHE; if that is not set, $XDG_CACHE_HOME/polhode; if neither is, ~/.cache/polhode.
/// Where nothing can be written to this folder, or nothing in it executed, a temporary folder, which is removed when
/// the process ends; tell() says so. Throws UnavailableError where the folder is another user's or others may write to
/// it, or where no temporary folder can be made. Once found, it is not looked for again.
const std::filesystem::path& cache_folder();

/// Folder `name` in cache_folder(); made, for the user alone, where it is missing. Throws IoError where it cannot hold
/// modules, UnavailableError where it is another user's or others may write to it, and as cache_folder().
std::filesystem::path folder_in_cache(const std::string& name);
/// Paths of the folders in the cache, even if nothing can be written to the cache, and of those in the temporary folder
/// that cache_folder() has made, if it has; sorted. Throws UnavailableError where the cache, or anything in it, is
/// another user's or others may write to it.
std::vector<std::filesystem::path> folders_of_cache();

/// Owner that the file of a module must have. user: this user or root, for a file in the cache. installer: anybody, for
/// a file beside the program or beside a user's header, since the user trusts whoever has put it there.
enum class Owner { user, installer };

/// Whether `file` is the module with this key, and undamaged; false where there is no such file. For Owner::user it
/// throws UnavailableError for a file of another user, or one that others may write to; for Owner::installer the latter
/// is no such module.
bool is_sound_module(const std::filesystem::path& file, const std::string& key, Owner owner = Owner::user);

/// Bytes of a file; none where it cannot be opened.
std::vector<char> content_of(const std::filesystem::path& file);
/// Shared object in `module`, the bytes of the file of a module: all of them but the checksums at the end. Nothing
/// where the bytes are damaged, or the module has another key.
std::optional<std::span<const char>> object_in(std::span<const char> module, const std::string& key);

/// Makes the compiled file `object` the module with this key: appends checksums of its content and of the key, makes it
/// executable, syncs it to the disk and renames it to `file`. Throws IoError where that fails.
void seal_module(const std::filesystem::path& object, const std::filesystem::path& file, const std::string& key);

/// Lock on the making of a module, which one process of this machine has at a time: the file MODULE.lock beside the
/// place `module`. The constructor waits until it has the lock, and throws IoError where the file cannot be made; the
/// destructor removes the file.
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

/// Function that is given lines for people: which modules are being compiled, where that takes long; which were
/// compiled, and how long it took; which kernel is slow; that the cache cannot hold modules. Unless one is set there is
/// none, and the lines are dropped.
using ModuleNotice = void (*)(const std::string& line);
void set_module_notice(ModuleNotice function);
/// Gives a line to the function that set_module_notice() has set, if any.
void tell(const std::string& line);

}  // namespace polhode
