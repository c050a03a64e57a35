// Status of a trajectory. One that has failed or crossed a terminal section retains the state before that step, one
// whose energy has changed too much the state at which it was compared; its neighbours go on.
#pragma once

#include <cstdint>

namespace polhode {

enum class Status : std::uint8_t {
  ok,
  not_converged,
  not_finite,
  left_domain,
  event,
  singular,
  no_moments,
  no_generating_function,
  energy_changed
};

inline constexpr const char* status_text[] = {
    "ok",
    "the implicit equation of the step did not converge (step too large for this state?)",
    "the state became infinite or not a number",
    "the state left the domain of the system",
    "it crossed the terminal section",
    "the constraint Jacobian lost rank (points that coincide or are in line?)",
    "the step is too long for modified moments of inertia (a quarter turn or more, or one is not positive)",
    "the map has no such generating function here (beyond its domain)",
    "the energy changed by more than run.energy_limit",
};
inline constexpr int n_statuses = sizeof(status_text) / sizeof(status_text[0]);

/// Whether a trajectory has come to the end of its run, or to its event.
constexpr bool has_reached_end(Status status) { return status == Status::ok || status == Status::event; }
/// Whether an end is a result; every other one is a failure. open: leaving the domain of the system is a result.
constexpr bool is_result(Status status, bool open) {
  return has_reached_end(status) || (open && status == Status::left_domain);
}

}  // namespace polhode
