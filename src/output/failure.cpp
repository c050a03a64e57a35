#include "output/failure.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace polhode {
namespace {

std::string text(int error) { return std::generic_category().message(error); }

/// Advice to do what `first` says and then to continue: what has been written remains if it includes a checkpoint.
std::string then_go_on(const char* first) {
  return fmt::format("{} and run again, with --resume if there is a .part folder.", first);
}

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return then_go_on("Free some space");
    case EFBIG: return then_go_on("Raise the limit on file sizes (ulimit -f)");
    case ENOENT:
    case ENOTDIR: return "Create the folder or choose another with -o.";
    case EACCES:
    case EPERM:
    case EROFS: return "Choose a folder that can be written with -o.";
    default: return then_go_on("Check the disk");
  }
}

IoError cannot_write(const std::filesystem::path& path, const std::string& why, const std::string& suggestion) {
  return IoError(fmt::format("cannot write '{}' ({}). {}", path.string(), why, suggestion));
}

}  // namespace

IoError cannot_write(const std::filesystem::path& path, int error) {
  return cannot_write(path, text(error), remedy(error));
}

IoError cannot_write(const std::filesystem::path& path, const std::string& why) {
  return cannot_write(path, why, then_go_on("Check the disk"));
}

InputError cannot_read(const std::filesystem::path& path, const std::string& why, const std::string& suggestion) {
  return InputError(fmt::format("cannot read '{}' ({}). {}", path.string(), why, suggestion));
}

InputError cannot_read(const std::filesystem::path& path, int error) {
  return cannot_read(path, text(error), "Check its name and permissions.");
}

}  // namespace polhode
