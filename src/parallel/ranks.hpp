// The processes that share a run: the ranks of MPI (ranks_mpi.cpp), or this one alone (ranks_alone.cpp, of the program
// that needs no MPI). What is said to concern all ranks has to be called by all of them, in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace polhode {

class Ranks {
 public:
  /// This process alone.
  Ranks();
  /// All that were started with it. One at a time, and before the arguments are looked at.
  Ranks(int& argc, char**& argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }
  /// Of those on this machine, from 0 on.
  int on_machine() const;
  /// How many threads are this rank's part of the processors that the ranks on this machine may use.
  int processors() const;

  /// Carries out a task on all ranks and waits for them. Where it fails on any rank, this throws the same Error on all
  /// of them: that of the first rank that failed. `step` names the task; ranks that meet in different ones were given
  /// different things to do, which is an InputError.
  void together(std::string_view step, const std::function<void()>& task);

  /// Whether all ranks have thrown what is being handled.
  bool failed_together() const;

  // On all ranks; these do not fail.
  void barrier();
  std::vector<std::int64_t> gather(std::int64_t value);  ///< [rank]
  void add(std::span<std::int64_t> values);              ///< one by one, to their sums
  void take_largest(std::span<double> values);           ///< one by one
  std::string from_first(const std::string& text);
  /// Of all ranks, one after another, on the first one; nothing on the others. Fails, on all, where that has no memory.
  std::vector<double> collect(std::span<const double> values);

  /// While ranks work on their own: whether another one has left early. Does not wait.
  bool others_stop();
  /// Ends work on one's own and waits until all ranks have. True where any left early.
  bool leave(bool early);

  /// The end of all ranks at once, where they can no longer agree on one.
  [[noreturn]] void abort(const Error& error);

 private:
  struct Mpi;
  std::unique_ptr<Mpi> mpi_;  ///< nothing where this process is alone
  int rank_ = 0, size_ = 1;
};

}  // namespace polhode
