#include "modules/headers.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <system_error>

#include "error.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

/// Folder of the program or library that has this code; empty where it cannot be found.
Path own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  // A program that was found on $PATH is named as it was called.
  const Path name = info.dli_fname, file = name.has_parent_path() ? name : Path("/proc/self/exe");
  return std::filesystem::canonical(file, ignored).parent_path();
}

/// Installation prefixes, in which include/, lib/ and share/ are looked for: own_folder() and the two above it, the
/// prefix that the program was configured with, if any, and $POLHODE_HOME.
std::vector<Path> prefixes() {
  std::vector<Path> all;
  if (const Path own = own_folder(); !own.empty()) {
    all.push_back(own);                              // of a portable directory
    all.push_back(own.parent_path());                // of bin/ or lib/
    all.push_back(own.parent_path().parent_path());  // of bin/tests
  }
  if (const Path installed = POLHODE_INSTALL_PREFIX; !installed.empty()) all.push_back(installed);
  if (const char* const home = std::getenv("POLHODE_HOME"); home && *home) all.emplace_back(home);
  return all;
}

bool are_headers(const HeaderFolders& folders) {
  std::error_code ignored;
  return std::filesystem::exists(folders.include / "polhode/run/propagate.hpp", ignored) &&
         std::filesystem::exists(folders.sources / "modules/table.hpp", ignored);
}

std::vector<HeaderFolders> candidates() {
  std::vector<HeaderFolders> all;
  if (const Path source = POLHODE_SOURCE; !source.empty()) all.push_back({source / "include", source / "src", source});
  for (const Path& prefix : prefixes()) {
    const Path installed = prefix / "share/polhode/src";
    all.push_back({prefix / "include", installed, installed});
    all.push_back({prefix / "include", prefix / "src", prefix});
  }
  return all;
}

HeaderFolders find_headers() {
  std::optional<HeaderFolders> others;
  for (const HeaderFolders& folders : candidates()) {
    if (!are_headers(folders)) continue;
    if (hash_of_all(folders, shared_headers()) == headers_hash()) return folders;
    if (!others) others = folders;
  }
  if (others)
    throw UnavailableError(fmt::format(
        "cannot compile kernels (the headers in {} are not those that this program was built from). Build it again.",
        others->include.string()));
  throw UnavailableError(
      "cannot compile kernels (the headers of polhode were not found). Set POLHODE_HOME to where it is installed.");
}

}  // namespace

const HeaderFolders& header_folders() {
  static const HeaderFolders found = find_headers();
  return found;
}

std::vector<Path> library_folders() {
  std::vector<Path> folders;
  if (const Path build = POLHODE_BUILD; !build.empty()) folders.push_back(build);
  for (const Path& prefix : prefixes()) {
    folders.push_back(prefix);
    folders.push_back(prefix / POLHODE_INSTALL_LIBRARIES);
  }
  return folders;
}

std::vector<Path> folders_of_installed_modules() {
  std::vector<Path> folders;
  std::error_code ignored;
  for (const Path& prefix : prefixes())
    if (const Path folder = prefix / "lib/polhode/kernels"; std::filesystem::is_directory(folder, ignored))
      folders.push_back(folder);
  return folders;
}

}  // namespace polhode
