#include "result/run_description.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <ctime>

namespace polhode {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace polhode
