// The states at step 0, of which a result asks for blocks: they need not be in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace polhode {

class InitialRows {
 public:
  /// Function that writes the states of trajectories first, ..., first + count - 1 to rows[count][dim].
  using Copy = std::function<void(std::int64_t first, std::int64_t count, double* rows)>;

  InitialRows(Copy copy) : copy_(std::move(copy)) {}
  /// Rows of states[n][dim], which must outlive this object.
  InitialRows(const std::vector<double>& states) : states_(&states) {}

  /// States [count][dim] of the trajectories from `first` on.
  std::vector<double> operator()(std::int64_t first, std::int64_t count, std::int64_t dim) const {
    if (states_) return {states_->begin() + first * dim, states_->begin() + (first + count) * dim};
    std::vector<double> rows(static_cast<std::size_t>(count * dim));
    copy_(first, count, rows.data());
    return rows;
  }

 private:
  const std::vector<double>* states_ = nullptr;
  Copy copy_;
};

}  // namespace polhode
