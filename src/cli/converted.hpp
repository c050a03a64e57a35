// Configurations for another description of their system (catalog/conversion.hpp).
#pragma once

#include <string>

#include "cli/config.hpp"
#include "polhode/core/read_states.hpp"

namespace polhode {

/// Text of a configuration, with the starts of the given one, for another description of its system, the system called
/// `to`. overrides: changes of the configuration that is made. Throws InputError where `to` is not the name of another
/// description, a start has no counterpart in that, there are too many starts to list, or the configuration that is
/// made would be refused.
std::string converted_text(const Configuration& configuration, const std::string& to, const Overrides& overrides,
                           const ReadStates& read);

}  // namespace polhode
