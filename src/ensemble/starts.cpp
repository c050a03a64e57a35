#include "ensemble/starts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "contract.hpp"
#include "ensemble/in_blocks.hpp"
#include "ensemble/prepared_starts.hpp"

namespace polhode {

Starts::Starts(int dim, std::vector<double> states)
    : dim_(dim), n_(static_cast<std::int64_t>(states.size()) / dim), held_(std::move(states)) {}

Starts::Starts(const ResolvedRun& run, RandomStates states, std::int64_t n)
    : dim_(run.system->dim),
      n_(n),
      drawn_(Drawn{std::move(states), run.system, run.parameters, run.method->momentum}) {}

void Starts::place(std::int64_t first, std::int64_t n) {
  POLHODE_EXPECT(!drawn_ && first + count_held() <= n);
  first_held_ = first;
  n_ = n;
}

void Starts::hold(std::int64_t first, std::vector<double> states) {
  held_ = std::move(states);
  place(first, n_);
}

void Starts::copy_block(std::int64_t first, std::int64_t count, double* rows) const {
  POLHODE_EXPECT(count == 0 || (has(first) && has(first + count - 1)));
  if (!drawn_) {
    std::copy_n(held_.begin() + (first - first_held_) * dim_, count * dim_, rows);
    return;
  }
  drawn_->states.draw(first, count, rows);
  std::array<Preparation, start_block> prepared;
  const std::int64_t made =
      prepare_starts(*drawn_->system, drawn_->parameters.data(), drawn_->momentum, false, count, rows, prepared.data());
  POLHODE_ENSURE(made == count);  // the whole ensemble has been examined
}

void Starts::copy_rows(std::int64_t first, std::int64_t count, std::int64_t threads, double* rows) const {
  in_blocks(count, threads, {}, [&](std::int64_t from, std::int64_t to) {
    for_start_blocks(from, to, [&](std::int64_t k, std::int64_t n) { copy_block(first + k, n, rows + k * dim_); });
  });
}

void Starts::copy_columns(std::int64_t first, std::int64_t count, std::int64_t threads, double* columns) const {
  in_blocks(count, threads, {}, [&](std::int64_t from, std::int64_t to) {
    std::vector<double> rows(start_block * dim_);
    for_start_blocks(from, to, [&](std::int64_t k, std::int64_t n) {
      copy_block(first + k, n, rows.data());
      for (int i = 0; i < dim_; ++i)
        for (std::int64_t j = 0; j < n; ++j) columns[i * count + k + j] = rows[j * dim_ + i];
    });
  });
}

std::vector<double> sample_of(const Starts& starts, std::int64_t count) {
  const std::int64_t n = starts.count(), taken = std::min(count, n), dim = starts.dim();
  std::vector<double> rows;
  for (std::int64_t k = 0; k < taken; ++k) {
    const std::int64_t trajectory = k * n / taken;
    if (!starts.has(trajectory)) continue;
    rows.resize(rows.size() + dim);
    starts.copy_rows(trajectory, 1, 1, rows.data() + rows.size() - dim);
  }
  return rows;
}

}  // namespace polhode
