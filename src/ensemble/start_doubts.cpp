#include "ensemble/start_doubts.hpp"

#include <algorithm>
#include <string_view>

namespace polhode {
namespace {

constexpr const char* of_a_satellite =
    "the planet's radius is the unit of length, and a satellite at its surface has speed 1: are these kilometres and "
    "seconds?";
// No satellite of a planet is so far away; in kilometres all of them are farther.
constexpr double most_radii = 1000;

constexpr StartDoubt doubts[] = {{"j2-satellite", "R", most_radii, of_a_satellite},
                                 {"j2-satellite-cylindrical", "R", most_radii, of_a_satellite},
                                 {"j2-satellite-reduced", "R", most_radii, of_a_satellite}};

}  // namespace

const StartDoubt* find_doubt(const SystemEntry& system) {
  const auto* const found = std::ranges::find(doubts, std::string_view(system.name), &StartDoubt::system);
  return found == std::end(doubts) ? nullptr : found;
}

}  // namespace polhode
