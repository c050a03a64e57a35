// The processes that share a run: MPI ranks (ranks_mpi.cpp), or this process alone (ranks_alone.cpp, for the program
// without MPI). Functions that are documented as collective must be called by all ranks, in the same order.
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
  /// Single rank, of this process alone.
  Ranks();
  /// Ranks of all processes started with this one. To be constructed at most once in a process, before its arguments
  /// are read: MPI may take some of them off.
  Ranks(int& argc, char**& argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }
  /// Number of this rank among the ranks on this machine, counted from 0.
  int on_machine() const;
  int number_on_machine() const;
  /// Number of threads for this rank: its share of the processors that the ranks on this machine may use.
  int processors() const;

  /// Runs a task on all ranks and waits for them (collective). If it fails on any rank, throws the same Error on all of
  /// them: that of the lowest rank on which it failed, which the message names unless it is rank 0. `step` names the
  /// task; where the names differ, ranks were given different runs, which is an InputError.
  void together(std::string_view step, const std::function<void()>& task);
  /// Runs a task of which each rank does a part, all at the same time (collective): rank 0 the first part, and so on in
  /// the order of ranks. If it fails, throws on all ranks the Error that one process doing all parts would meet first,
  /// as together() does but without naming a rank.
  void in_parts(std::string_view step, const std::function<void()>& task);

  /// Whether all ranks have thrown the error that is being handled.
  bool failed_together() const;

  // Collective; these do not fail.
  void barrier();
  std::vector<std::int64_t> gather(std::int64_t value);  ///< the values of all ranks, [rank]
  void add(std::span<std::int64_t> values);              ///< replaces each value by its sum over all ranks
  void take_largest(std::span<double> values);           ///< replaces each value by its largest on any rank
  std::string from(int rank, const std::string& text);   ///< the text of the rank `rank`, on all ranks
  /// Values of all ranks, in rank order, on the first rank; empty on the others. Collective; fails on all ranks if the
  /// first one lacks the memory.
  std::vector<double> collect(std::span<const double> values);
  /// Values first, ..., first + count - 1 of the array that the `values` of all ranks form in rank order. Each rank
  /// asks for its own range. Collective; fails on all ranks if one of them lacks the memory.
  std::vector<double> exchange(std::span<const double> values, std::int64_t first, std::int64_t count);

  /// Whether any rank has called leave(true), while ranks work independently. Does not wait.
  bool others_stop();
  /// Ends this rank's independent work and waits until all ranks have ended theirs. early: whether this rank stops
  /// before its work is done. Returns whether any rank does.
  bool leave(bool early);

  /// Terminates all ranks at once with the exit code of `error`, where they can no longer agree on an end. Prints the
  /// error.
  [[noreturn]] void abort(const Error& error);

 private:
  enum class Blame { rank, none };
  void meet(std::string_view step, const std::function<void()>& task, Blame blame);

  struct Mpi;
  std::unique_ptr<Mpi> mpi_;  ///< null in Ranks(), and in the program without MPI
  int rank_ = 0, size_ = 1;
};

}  // namespace polhode
