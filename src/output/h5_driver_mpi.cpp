// Every rank writes its parts of the datasets independently: parts of different ranks do not overlap, and their storage
// was allocated when the file was created.
#include "output/h5_driver.hpp"

namespace polhode::h5 {

herr_t use_shared_driver(hid_t access) { return H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL); }

}  // namespace polhode::h5
