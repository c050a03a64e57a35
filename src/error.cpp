#include "error.hpp"

#include <exception>
#include <new>

namespace polhode {

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return IoError("out of memory (the ensemble or its output is too large). Use fewer trajectories.");
  } catch (const std::exception& error) {
    return IoError("internal error (" + std::string(error.what()) + "). Please report it.");
  }
}

}  // namespace polhode
