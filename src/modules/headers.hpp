// Headers that modules are compiled from: where they are, and whether they are those of the program.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Headers that modules include, most of them the program too, relative to one of HeaderFolders (cmake/Modules.cmake).
std::span<const char* const> shared_headers();
/// Hash of their content when the program was built.
const char* headers_hash();

/// Folders for the compiler to include from.
struct HeaderFolders {
  std::filesystem::path include;  ///< with polhode/
  std::filesystem::path sources;  ///< with backend/, system/ and modules/
  std::filesystem::path device;   ///< with kernels/
};

/// Hash of the content of files, each of which is in one of the folders; empty if one cannot be read.
std::string hash_of_files(const HeaderFolders& folders, std::span<const char* const> files);

/// Headers of this program: beside the file that this code is in, where it was built, or in $POLHODE_HOME. Throws
/// UnavailableError where there are none, or others than the program was built from. Found once.
const HeaderFolders& header_folders();

/// Folders where libraries of the program may be.
std::vector<std::filesystem::path> library_folders();
/// Folders of modules that are installed with the program.
std::vector<std::filesystem::path> installed_modules();

}  // namespace polhode
