#include "output/h5_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>

#if __has_include(<H5FDdevelop.h>)  // in HDF5 1.14 and later
#include <H5FDdevelop.h>
#endif

namespace polhode::h5 {
namespace {

/// Data of the driver in a file access list, from which open() takes them.
struct Settings {
  int* error;
};

struct OpenFile : H5FD_t {
  int descriptor;
  int* error;
  haddr_t allocated;  ///< end of the file for the library (EOA)
  haddr_t end;        ///< end of the file, as if no write had failed
};

OpenFile& self(H5FD_t* file) { return *static_cast<OpenFile*>(file); }
const OpenFile& self(const H5FD_t* file) { return *static_cast<const OpenFile*>(file); }

H5FD_t* open(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* settings = static_cast<const Settings*>(H5Pget_driver_info(access));
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  // The library first checks whether the file exists, so only the last attempt counts.
  *settings->error = descriptor < 0 ? errno : 0;
  if (descriptor < 0) return nullptr;
  auto* file = new OpenFile{};
  file->descriptor = descriptor;
  file->error = settings->error;
  file->end = static_cast<haddr_t>(std::max<off_t>(::lseek(descriptor, 0, SEEK_END), 0));
  return file;
}

herr_t close(H5FD_t* file) {
  OpenFile& opened = self(file);
  if (*opened.error == 0 && ::fsync(opened.descriptor) != 0) *opened.error = errno;
  if (::close(opened.descriptor) != 0 && *opened.error == 0) *opened.error = errno;
  delete &opened;
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return self(file).allocated; }

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).allocated = address;
  return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) { return self(file).end; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  OpenFile& opened = self(file);
  auto* bytes = static_cast<std::byte*>(buffer);
  while (size > 0 && *opened.error == 0) {
    const ssize_t count = ::pread(opened.descriptor, bytes, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) *opened.error = errno;
    if (count <= 0) break;
    bytes += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  std::memset(bytes, 0, size);  // zeros past the end, as in the library's own drivers
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  OpenFile& opened = self(file);
  opened.end = std::max(opened.end, address + size);
  const auto* bytes = static_cast<const std::byte*>(buffer);
  while (size > 0 && *opened.error == 0) {
    const ssize_t count = ::pwrite(opened.descriptor, bytes, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      *opened.error = count < 0 ? errno : ENOSPC;
      break;
    }
    bytes += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenFile& opened = self(file);
  opened.end = opened.allocated;
  if (*opened.error == 0 && ::ftruncate(opened.descriptor, static_cast<off_t>(opened.end)) != 0) *opened.error = errno;
  return 0;
}

hid_t register_driver() {
  static H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 300;  // from the range that HDF5 leaves to drivers of applications
#endif
  driver.name = "polhode_unfailing";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_SEMI;  // closing a file with open objects is an error, not a delay
  driver.fapl_size = sizeof(Settings);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = get_eoa;
  driver.set_eoa = set_eoa;
  driver.get_eof = get_eof;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  constexpr H5FD_mem_t free_lists[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(free_lists, driver.fl_map);
  return H5FDregister(&driver);
}

}  // namespace

herr_t use_unfailing_driver(hid_t access, int* error) {
  static const hid_t driver = register_driver();
  const Settings settings{error};
  return H5Pset_driver(access, driver, &settings);
}

}  // namespace polhode::h5
