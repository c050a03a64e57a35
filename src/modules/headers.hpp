// Headers that modules are compiled from: where they are, and whether they are those of the program.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Headers that modules include (the program includes most of them, too), relative to one of HeaderFolders
/// (cmake/Modules.cmake).
std::span<const char* const> shared_headers();
/// Hash of the content of all shared headers when the program was built.
const char* headers_hash();

/// Hash of what a header and all headers that it includes, directly or not, contained when the program was built.
struct HeaderHash {
  const char *header, *hash;
};
/// Hashes of the shared headers, in their order.
std::span<const HeaderHash> hashes_of_headers();

/// Folders for the compiler to include from.
struct HeaderFolders {
  std::filesystem::path include;  ///< with polhode/
  std::filesystem::path sources;  ///< with backend/, system/ and modules/
  std::filesystem::path device;   ///< with kernels/
};

/// Hash of the content of headers, each of which is in one of the folders; empty if one cannot be read.
std::string hash_of_all(const HeaderFolders& folders, std::span<const char* const> headers);
/// Hash of each of `headers` with those of them that it includes, directly or not. Throws std::runtime_error where one
/// cannot be read, or includes in quotes what is not one of `headers`.
std::vector<std::string> hashes_of_closures(const HeaderFolders& folders, std::span<const char* const> headers);
/// Hash of all that a source with these includes contains. hashes: those of the shared headers. Throws std::logic_error
/// for a header without a hash.
std::string hash_of_headers(std::span<const std::string> headers, std::span<const HeaderHash> hashes);

/// Folders with the headers of this program: where it was built, beside the file that this code is in, where it was to
/// be installed, or in $POLHODE_HOME. Throws UnavailableError where there are none, or only others than the program was
/// built from. Found once.
const HeaderFolders& header_folders();

/// Folders where libraries of the program may be.
std::vector<std::filesystem::path> library_folders();
/// Folders of modules that are installed with the program.
std::vector<std::filesystem::path> installed_modules();

}  // namespace polhode
