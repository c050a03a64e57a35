// Shared driver of the program without MPI.
#include "output/h5_driver.hpp"

namespace polhode::h5 {

herr_t use_shared_driver(hid_t) { return -1; }

}  // namespace polhode::h5
