#include "output/failure.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace polhode {
namespace {

std::string text(int error) { return std::generic_category().message(error); }

const char* remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return "Free some space and run again.";
    case EFBIG: return "Raise the limit on file sizes (ulimit -f) and run again.";
    case ENOENT:
    case ENOTDIR: return "Create the folder or choose another with -o.";
    case EACCES:
    case EPERM:
    case EROFS: return "Choose a folder that can be written with -o.";
    default: return "Check the disk and run again.";
  }
}

}  // namespace

IoError cannot_write(const std::filesystem::path& path, int error) {
  return IoError(fmt::format("cannot write '{}' ({}). {}", path.string(), text(error), remedy(error)));
}

InputError cannot_read(const std::filesystem::path& path, const std::string& why, const std::string& suggestion) {
  return InputError(fmt::format("cannot read '{}' ({}). {}", path.string(), why, suggestion));
}

InputError cannot_read(const std::filesystem::path& path, int error) {
  return cannot_read(path, text(error), "Check its name and permissions.");
}

}  // namespace polhode
