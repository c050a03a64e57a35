// Every rank writes its datasets' parts by itself: what is one rank's is next to what is another's, and the place of
// each was taken when the file was created.
#include "output/h5_driver.hpp"

namespace polhode::h5 {

herr_t use_shared_driver(hid_t access) { return H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL); }

}  // namespace polhode::h5
