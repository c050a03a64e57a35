// How a file that is being written reaches the disk: an HDF5 file driver that never fails.
//
// HDF5 1.10 does not survive a failed write: it keeps what it could not write, and closing the file then ends in a
// segmentation fault (measured at 264 of 270 limits on the size of the file). This driver remembers the first error,
// drops what is written after it, and reports success; the owner of the file asks for the error after every call.
#pragma once

#include <hdf5.h>

namespace polhode::h5 {

/// Makes a file access list use the driver. *error, which must outlive the file, becomes the errno of the first failure
/// and stays 0 without one; a file that is closed without error is on the disk.
herr_t use_unfailing_driver(hid_t access, int* error);

/// Makes a file access list use MPI, so that all ranks can write into one file. Negative in the program without MPI
/// (h5_driver_alone.cpp).
herr_t use_shared_driver(hid_t access);

}  // namespace polhode::h5
