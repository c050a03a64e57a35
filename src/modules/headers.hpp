// Headers that modules are compiled from: where they are, and whether they are those of the program.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Names of the headers that modules include, most of which the program includes, too; each is a path in one of the
/// HeaderFolders. The list is made by cmake/Modules.cmake.
std::span<const char* const> shared_headers();
/// Hash of the content of all shared headers when the program was built.
const char* headers_hash();

/// Name of a shared header, and a hash of what it and all shared headers that it includes, directly or not, contained
/// when the program was built.
struct HeaderHash {
  const char *header, *hash;
};
/// Hashes of the shared headers, in the order of shared_headers().
std::span<const HeaderHash> hashes_of_headers();

/// Folders for the compiler to include from.
struct HeaderFolders {
  std::filesystem::path include;  ///< folder that has polhode/ in it
  std::filesystem::path sources;  ///< folder that has backend/, system/ and modules/ in it
  std::filesystem::path device;   ///< folder that has kernels/ in it
};

/// Hash of the content of headers, each of which is in one of the folders; empty if one cannot be read.
std::string hash_of_all(const HeaderFolders& folders, std::span<const char* const> headers);
/// Hashes of `headers`, in their order: each is that of a header and of the other `headers` that it includes, directly
/// or not. Throws std::runtime_error where one cannot be read, or includes in quotes what is not one of `headers`.
std::vector<std::string> hashes_of_closures(const HeaderFolders& folders, std::span<const char* const> headers);
/// Hash of all that a source contains which includes `headers`, made of the `hashes` of shared headers. Throws
/// std::logic_error for a header without a hash.
std::string hash_of_headers(std::span<const std::string> headers, std::span<const HeaderHash> hashes);

/// Folders with the headers that the program was built from: those of its checkout, or those beside the file that this
/// code is in or up to two folders above, in the prefix that the program was to be installed in, or in $POLHODE_HOME.
/// Throws UnavailableError where no headers are found, or only others than the program was built from. Once found, they
/// are not looked for again.
const HeaderFolders& header_folders();

/// Folders where libraries of the program, such as libpolhode_references.so, may be; not all of them need exist.
std::vector<std::filesystem::path> library_folders();
/// Existing folders of modules that are installed with the program.
std::vector<std::filesystem::path> folders_of_installed_modules();

}  // namespace polhode
