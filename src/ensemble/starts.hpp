// Where the trajectories of an ensemble start: states that are held, or drawn again whenever they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ensemble/random_states.hpp"

namespace polhode {

class Starts {
 public:
  /// None.
  Starts() = default;
  /// states[n][dim].
  Starts(int dim, std::vector<double> states);
  /// n states, as they are drawn for the run.
  Starts(const ResolvedRun& run, RandomStates states, std::int64_t n);

  std::int64_t count() const { return n_; }
  int dim() const { return dim_; }
  /// Whether they are not in memory.
  bool are_drawn() const { return drawn_.has_value(); }
  /// Those that are held, [n][dim].
  const std::vector<double>& held() const { return held_; }
  /// The same from a trajectory on, to be changed.
  double* held(std::int64_t first) { return held_.data() + (first - first_held_) * dim_; }
  /// Forgets those that are held but for the trajectories from `first` on; their number does not change.
  void keep(std::int64_t first, std::int64_t count);
  /// Of starts that are drawn: rows[count][dim] before they are made initial states. Throws InputError where there is
  /// none.
  void draw(std::int64_t first, std::int64_t count, double* rows) const { drawn_->states.draw(first, count, rows); }

  /// The states of the trajectories from `first` on: rows[count][dim], or columns[dim][count]. By so many threads at
  /// most; 0: one for each processor.
  void copy_rows(std::int64_t first, std::int64_t count, std::int64_t threads, double* rows) const;
  void copy_columns(std::int64_t first, std::int64_t count, std::int64_t threads, double* columns) const;

 private:
  void copy_block(std::int64_t first, std::int64_t count, double* rows) const;

  int dim_ = 1;
  std::int64_t n_ = 0;
  std::vector<double> held_;
  std::int64_t first_held_ = 0;
  /// What is drawn, and what makes initial states of it.
  struct Drawn {
    RandomStates states;
    const StartFunctions* functions;
    std::vector<double> parameters;
    Momentum momentum;
  };
  std::optional<Drawn> drawn_;
};

/// At most so many of them, evenly from all: [count][dim].
std::vector<double> some_of(const Starts& starts, std::int64_t count);

}  // namespace polhode
