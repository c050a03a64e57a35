#include "driver/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace polhode {

std::string first_difference(const std::string& there, const std::string& here) {
  std::size_t a = 0, b = 0;
  while (a < there.size() || b < here.size()) {
    const std::size_t end_a = std::min(there.find('\n', a), there.size());
    const std::size_t end_b = std::min(here.find('\n', b), here.size());
    const std::string line_a = there.substr(a, end_a - a), line_b = here.substr(b, end_b - b);
    if (line_a != line_b) return fmt::format("\"{}\" there, \"{}\" here", line_a, line_b);
    a = end_a + 1;
    b = end_b + 1;
  }
  return "nothing";
}

void require_same(const std::string& inputs, const char* what, Ranks& ranks) {
  const std::string first = ranks.from(0, inputs);
  ranks.together("comparison", [&] {
    if (inputs != first)
      throw InputError(fmt::format("cannot share this run (its {} of rank 0: {}). Start all ranks with the same.", what,
                                   first_difference(first, inputs)));
  });
}

}  // namespace polhode
