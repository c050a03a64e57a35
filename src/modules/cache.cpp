#include "modules/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <ios>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "checksum.hpp"
#include "error.hpp"
#include "wait_check.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

std::atomic<ModuleNotice> notice{nullptr};

/// Throws UnavailableError if a path, whose `status` is that of lstat() or stat(), belongs neither to this user nor to
/// root, or if its group or others may write to it.
void require_own(const Path& path, const struct stat& status) {
  const bool is_own = status.st_uid == geteuid() || status.st_uid == 0;
  if (!is_own)
    throw UnavailableError(
        fmt::format("cannot use kernels in {} (it belongs to another user). Set POLHODE_CACHE to a folder of your own.",
                    path.string()));
  if (!S_ISLNK(status.st_mode) && (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw UnavailableError(
        fmt::format("cannot use kernels in {0} (others may write to it). Run chmod go-w '{0}', or set "
                    "POLHODE_CACHE to a folder of your own.",
                    path.string()));
}

/// Reason in words why `folder` cannot be written to, or files in it cannot be executed; empty if both can be done.
/// Makes the folder, for the user alone, where it is missing, with the folders that contain it. Throws as
/// require_own().
std::string why_no_modules(const Path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return std::strerror(errno);
  struct stat status;
  if (stat(folder.c_str(), &status) != 0) return std::strerror(errno);
  if (!S_ISDIR(status.st_mode)) return std::strerror(ENOTDIR);
  require_own(folder, status);
  struct statvfs system;
  if (access(folder.c_str(), W_OK | X_OK) != 0 || statvfs(folder.c_str(), &system) != 0) return std::strerror(errno);
  return (system.f_flag & ST_NOEXEC) != 0 ? "no program in it may be executed" : "";
}

/// Folder that the environment variables of cache_folder() ask for; empty where none does. $XDG_CACHE_HOME, as its
/// specification says, and $HOME are ignored where they are not absolute.
Path wanted_folder() {
  const auto value = [](const char* name) { return std::getenv(name) ? Path(std::getenv(name)) : Path(); };
  if (const Path asked = value("POLHODE_CACHE"); !asked.empty()) return std::filesystem::absolute(asked);
  if (const Path cache = value("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "polhode";
  if (const Path home = value("HOME"); home.is_absolute()) return home / ".cache/polhode";
  return {};
}

/// Temporary folder for the kernels of this process, removed when the process ends: for a machine where no folder of
/// the user's own can hold kernels. mkdtemp makes it for the user alone, under a name that nobody else has. The
/// constructor throws UnavailableError where it cannot be made.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "polhode-kernels-XXXXXX").string();
    if (error) errno = error.value();
    if (error || !mkdtemp(name.data()))
      throw UnavailableError(
          fmt::format("cannot compile kernels (no folder can be made: {}). Set POLHODE_CACHE to a folder "
                      "of your own.",
                      std::strerror(errno)));
    path_ = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const Path& path() const { return path_; }

 private:
  Path path_;
};

/// Path of the PrivateFolder; empty as long as none had to be made.
Path& private_folder() {
  static Path path;
  return path;
}

Path find_folder() {
  const Path wanted = wanted_folder();
  const std::string why_not = wanted.empty() ? "HOME is not set" : why_no_modules(wanted);
  if (why_not.empty()) return wanted;
  static const PrivateFolder own;
  private_folder() = own.path();
  tell(fmt::format("{} ({}): they are compiled for this process alone",
                   wanted.empty() ? "there is no folder for kernels" : wanted.string() + " cannot hold kernels",
                   why_not));
  return own.path();
}

/// End of the file of a module, after the shared object, where the loader does not look: a mark, a checksum of the
/// object, and one of the key.
struct Seal {
  std::array<char, 8> mark{'p', 'o', 'l', 'h', 'o', 'd', 'e', '1'};
  std::uint64_t object = 0, key = 0;  ///< checksums of the shared object and of the module's key

  bool operator==(const Seal&) const = default;
};

std::uint64_t checksum_of(std::span<const char> bytes) {
  Checksum sum;
  sum.add(std::as_bytes(bytes));
  return sum.value();
}

Seal seal_of(std::span<const char> object, const std::string& key) {
  Seal seal;
  seal.object = checksum_of(object);
  seal.key = checksum_of(key);
  return seal;
}

[[noreturn]] void fail(const Path& file, const std::string& why) {
  throw IoError(fmt::format("cannot write {} ({}). Free some space, or set POLHODE_CACHE to another folder.",
                            file.string(), why));
}
[[noreturn]] void fail(const Path& file, int error) { fail(file, std::strerror(error)); }

}  // namespace

void set_module_notice(ModuleNotice function) { notice = function; }
void tell(const std::string& line) {
  if (const ModuleNotice function = notice) function(line);
}

const Path& cache_folder() {
  static const Path folder = find_folder();
  return folder;
}

std::vector<Path> folders_of_cache() {
  std::vector<Path> folders;
  const auto is_own_folder = [](const Path& folder) {
    struct stat status;
    if (lstat(folder.c_str(), &status) != 0) return false;
    require_own(folder, status);
    return S_ISDIR(status.st_mode);
  };
  std::error_code ignored;
  for (const Path& cache : {wanted_folder(), private_folder()}) {
    if (cache.empty() || !is_own_folder(std::filesystem::canonical(cache, ignored))) continue;
    for (const auto& entry : std::filesystem::directory_iterator(cache, ignored))
      if (is_own_folder(entry.path())) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

Path folder_in_cache(const std::string& name) {
  const Path folder = cache_folder() / name;
  if (const std::string why = why_no_modules(folder); !why.empty()) fail(folder, why);
  return folder;
}

bool is_sound_module(const Path& file, const std::string& key, Owner owner) {
  struct stat status;
  if (lstat(file.c_str(), &status) != 0) return false;
  if (owner == Owner::user) require_own(file, status);
  if (!S_ISREG(status.st_mode) || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return false;
  return object_in(content_of(file), key).has_value();
}

std::vector<char> content_of(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::optional<std::span<const char>> object_in(std::span<const char> module, const std::string& key) {
  Seal seal;
  if (module.size() < sizeof seal) return {};
  const std::span<const char> object = module.first(module.size() - sizeof seal);
  std::memcpy(&seal, module.data() + object.size(), sizeof seal);
  return seal == seal_of(object, key) ? std::optional(object) : std::nullopt;
}

void seal_module(const Path& object, const Path& file, const std::string& key) {
  const Seal seal = seal_of(content_of(object), key);
  const int descriptor = open(object.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) fail(object, errno);
  const bool written = write(descriptor, &seal, sizeof seal) == static_cast<ssize_t>(sizeof seal) &&
                       fchmod(descriptor, 0755) == 0 && fsync(descriptor) == 0;
  const int error = errno;
  close(descriptor);
  if (!written) fail(object, error);
  if (std::rename(object.c_str(), file.c_str()) != 0) fail(file, errno);
  if (const int folder = open(file.parent_path().c_str(), O_RDONLY | O_CLOEXEC); folder >= 0) {
    fsync(folder);
    close(folder);
  }
}

ModuleLock::ModuleLock(const Path& module) : path_(module) {
  path_ += ".lock";
  // The process that had the lock has removed its file: only a file that still has the name is the lock.
  for (bool is_held = false; !is_held;) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0) fail(path_, errno);
    try {
      wait_until([&] {
        if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EINTR && errno != EWOULDBLOCK) fail(path_, errno);
        return false;
      });
    } catch (...) {
      close(descriptor_);
      throw;
    }
    struct stat held, named;
    is_held = fstat(descriptor_, &held) == 0 && stat(path_.c_str(), &named) == 0 && held.st_ino == named.st_ino;
    if (!is_held) close(descriptor_);
  }
}
ModuleLock::ModuleLock(ModuleLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
ModuleLock::~ModuleLock() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace polhode
