// Starts of the trajectories of an ensemble: states that are held, or drawn again whenever they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ensemble/random_states.hpp"

namespace polhode {

class Starts {
 public:
  /// No starts.
  Starts() = default;
  /// Starts at states[n][dim].
  Starts(int dim, std::vector<double> states);
  /// Starts at n random states of the run's system, drawn again whenever they are asked for.
  Starts(const ResolvedRun& run, RandomStates states, std::int64_t n);

  std::int64_t count() const { return n_; }
  int dim() const { return dim_; }
  /// Whether the starts are drawn again whenever they are asked for, and not held in memory.
  bool are_drawn() const { return drawn_.has_value(); }
  /// States that are held, [count_held()][dim]: those of the trajectories from first_held() on.
  const std::vector<double>& held() const { return held_; }
  std::int64_t first_held() const { return first_held_; }
  std::int64_t count_held() const { return static_cast<std::int64_t>(held_.size()) / dim_; }
  /// Held states from trajectory `first` on, to be changed.
  double* held(std::int64_t first) { return held_.data() + (first - first_held_) * dim_; }
  /// Whether this process has the state of a trajectory, held or to be drawn.
  bool has(std::int64_t trajectory) const {
    return drawn_ || (trajectory >= first_held_ && trajectory < first_held_ + count_held());
  }
  /// Sets the place of the held states in the ensemble: they belong to the trajectories from `first` on, of n in all.
  void place(std::int64_t first, std::int64_t n);
  /// Holds the states [k][dim] of the trajectories from `first` on in place of those held so far; count() stays.
  void hold(std::int64_t first, std::vector<double> states);
  /// Draws states rows[count][dim] of the trajectories from `first` on, of which prepare_starts() has still to make
  /// initial states; only if are_drawn(). Throws InputError where no state can be drawn.
  void draw(std::int64_t first, std::int64_t count, double* rows) const { drawn_->states.draw(first, count, rows); }

  /// Copies the initial states of the trajectories from `first` on to rows[count][dim], by at most `threads` threads;
  /// 0: one for each processor. This process must have these states.
  void copy_rows(std::int64_t first, std::int64_t count, std::int64_t threads, double* rows) const;
  /// Copies the initial states of the trajectories from `first` on to columns[dim][count], otherwise as copy_rows().
  void copy_columns(std::int64_t first, std::int64_t count, std::int64_t threads, double* columns) const;

 private:
  void copy_block(std::int64_t first, std::int64_t count, double* rows) const;

  int dim_ = 1;
  std::int64_t n_ = 0;
  std::vector<double> held_;
  std::int64_t first_held_ = 0;
  /// Random states, with the arguments of prepare_starts() that makes initial states of them.
  struct Drawn {
    RandomStates states;
    const SystemEntry* system;
    std::vector<double> parameters;
    Momentum momentum;
  };
  std::optional<Drawn> drawn_;
};

/// Sample of at most `count` starts, evenly spaced in the ensemble, without those that this process does not have:
/// [k][dim].
std::vector<double> sample_of(const Starts& starts, std::int64_t count);

}  // namespace polhode
