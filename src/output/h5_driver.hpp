// HDF5 file driver for files that are being written, which never reports a failure.
//
// HDF5 1.10 does not survive a failed write: it holds on to data that it could not write, and closing the file then
// ends in a segmentation fault (measured for 264 of 270 limits on the file size). This driver stores the first error,
// discards all later writes, and reports success; the owner of the file checks the error after every call.
#pragma once

#include <hdf5.h>

namespace polhode::h5 {

/// Makes the file access list `access` use the driver; returns a negative number on failure. *error, which must outlive
/// the file, becomes the errno of the first failure, or stays 0; a file that is closed without an error is on disk.
herr_t use_unfailing_driver(hid_t access, int* error);

}  // namespace polhode::h5
