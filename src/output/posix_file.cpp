#include "output/posix_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "output/failure.hpp"

namespace polhode {
namespace {

int flags(PosixFile::Mode mode) {
  switch (mode) {
    case PosixFile::Mode::read: return O_RDONLY | O_CLOEXEC;
    case PosixFile::Mode::create: return O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
    case PosixFile::Mode::open_or_create: return O_RDWR | O_CREAT | O_CLOEXEC;
  }
  std::abort();
}

}  // namespace

PosixFile::PosixFile(std::filesystem::path path, Mode mode)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), flags(mode), 0666)) {
  if (descriptor_ >= 0) return;
  if (mode == Mode::read) throw cannot_read(path_, errno);
  throw cannot_write(path_, errno);
}

PosixFile::PosixFile(PosixFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t PosixFile::size() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) throw cannot_read(path_, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void PosixFile::read(std::span<std::byte> bytes, std::uint64_t offset) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw cannot_read(path_, errno);
    if (count == 0) throw cannot_read(path_, "the file is truncated", "Check that it is complete.");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void PosixFile::write(std::span<const std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw cannot_write(path_, count < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void PosixFile::truncate(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) throw cannot_write(path_, errno);
}

void PosixFile::reserve() {
  const auto bytes = static_cast<off_t>(size());
  if (bytes == 0) return;
  while (::fallocate(descriptor_, 0, 0, bytes) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS) return;  // this file system cannot reserve space
    if (errno != EINTR) throw cannot_write(path_, errno);
  }
}

void PosixFile::sync() {
  if (::fsync(descriptor_) != 0) throw cannot_write(path_, errno);
}

void PosixFile::share(std::uint64_t byte) {
  struct flock part {};
  part.l_type = F_WRLCK;
  part.l_whence = SEEK_SET;
  part.l_start = static_cast<off_t>(byte);
  part.l_len = 1;
  // A file system without such locks needs none.
  [[maybe_unused]] const int ignored = ::fcntl(descriptor_, F_SETLK, &part);
}

bool PosixFile::try_lock() {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  throw cannot_write(path_, errno);
}

Mapping::Mapping(const PosixFile& file, std::uint64_t size) : size_(size) {
  if (size == 0) return;  // mmap refuses an empty range
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (address == MAP_FAILED) throw cannot_read(file.path(), errno);
  data_ = static_cast<const std::byte*>(address);
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) throw cannot_write(to, errno);
  sync_folder(folder_of(to));
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw cannot_write(folder, errno);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0 && error != EINVAL) throw cannot_write(folder, error);  // some file systems cannot sync a folder
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace polhode
