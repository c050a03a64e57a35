#include "ensemble/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "error.hpp"

namespace polhode {

void require_memory(std::int64_t n, const ResolvedRun& run) {
  static const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double bytes = static_cast<double>(n) * 3 * 8 * run.system->dim;
  if (bytes > physical)
    throw InputError(fmt::format(
        "the ensemble does not fit into memory ({} trajectories or more need {:.0f} GB of {:.0f}). Use fewer.", n,
        bytes / 1e9, physical / 1e9));
}

}  // namespace polhode
