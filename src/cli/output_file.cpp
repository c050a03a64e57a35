#include "cli/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <system_error>

#include "error.hpp"
#include "output/posix_file.hpp"

namespace polhode {

namespace fs = std::filesystem;

void check_output_file(const fs::path& file, const char* extension, const char* content, bool replace) {
  if (file.empty()) return;
  if (file.extension() != extension)
    throw InputError(
        fmt::format("cannot write '{}' ({}). Give a name that ends in {}.", file.string(), content, extension));
  std::error_code error;
  const fs::path folder = folder_of(file);
  if (!fs::is_directory(folder, error) || access(folder.c_str(), W_OK) != 0)
    throw InputError(fmt::format(
        "cannot write '{}' (its folder does not exist or cannot be written to). Choose another name.", file.string()));
  if (fs::is_directory(file, error))
    throw InputError(fmt::format("cannot write '{}' (it is a folder). Choose another name.", file.string()));
  if (!replace && fs::exists(file, error))
    throw InputError(fmt::format(
        "output '{}' already exists (nothing has been written). Use --force to replace it or choose another name.",
        file.string()));
}

void write_output_file(const fs::path& file, const std::string& text) {
  if (file.empty()) return;
  const fs::path part = file.parent_path() / fmt::format(".{}.{}.part", file.filename().string(), getpid());
  try {
    PosixFile output(part, PosixFile::Mode::create);
    output.write(std::as_bytes(std::span(text)), 0);
    output.sync();
    rename_durably(part, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

}  // namespace polhode
