#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>

#include "parallel/ranks.hpp"
#include "parallel_for.hpp"

namespace polhode {
namespace {

/// Waits for a request without occupying a processor that other ranks may need: the blocking calls of MPI spin.
void wait(MPI_Request& request) {
  using namespace std::chrono_literals;
  auto pause = 20us;
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::microseconds>(2 * pause, 5ms);
  }
}

/// Range begin, ..., end - 1 of an array that all ranks have together.
struct Range {
  std::int64_t begin, end;

  bool empty() const { return begin >= end; }
  friend Range operator&(const Range& a, const Range& b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
  }
};

/// Calls send(begin, length) for parts of a range that fit into a message, whose length is an int.
template <class Send>
void for_messages(const Range& range, const Send& send) {
  constexpr std::int64_t most = std::int64_t{1} << 26;
  for (std::int64_t k = range.begin; k < range.end; k += most) send(k, static_cast<int>(std::min(most, range.end - k)));
}

/// Report of a rank at the end of a task.
struct Report {
  int code;                   ///< exit code of the rank's error; 0: none
  std::array<char, 28> step;  ///< name of the task, cut off to fit
};

}  // namespace

struct Ranks::Mpi {
  MPI_Comm machine = MPI_COMM_NULL;  ///< the ranks on this machine
  int on_machine = 0, number_on_machine = 1, processors = 1;
  bool failed = false;  ///< whether all ranks have already thrown the same error

  // Rounds of others_stop(): whether any rank has left early, and whether any is still working.
  std::array<int, 2> mine{}, all{};
  MPI_Request round = MPI_REQUEST_NULL;
  bool stopping = false;

  void begin_round(bool early, bool working) {
    mine = {early, working};
    MPI_Iallreduce(mine.data(), all.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &round);
  }

  /// Counts the processors of this rank: those available to the ranks on this machine, divided in proportion to what
  /// each of them may use. Ranks that are bound to processors of their own get all of these; ranks that may use the
  /// same ones divide them equally.
  void count_processors() {
    cpu_set_t own, any;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof(own), &own) != 0)  // more processors than the set holds
      for (unsigned i = 0; i < std::min<unsigned>(std::thread::hardware_concurrency(), CPU_SETSIZE); ++i)
        CPU_SET(i, &own);
    MPI_Allreduce(&own, &any, sizeof(own), MPI_BYTE, MPI_BOR, machine);
    int count = CPU_COUNT(&own), sum = 0;
    MPI_Allreduce(&count, &sum, 1, MPI_INT, MPI_SUM, machine);
    processors = std::max(1, count * CPU_COUNT(&any) / std::max(sum, 1));
  }
};

Ranks::Ranks() = default;

Ranks::Ranks(int& argc, char**& argv) : mpi_(std::make_unique<Mpi>()) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &mpi_->machine);
  MPI_Comm_rank(mpi_->machine, &mpi_->on_machine);
  MPI_Comm_size(mpi_->machine, &mpi_->number_on_machine);
  mpi_->count_processors();
}

Ranks::~Ranks() {
  if (!mpi_) return;
  MPI_Comm_free(&mpi_->machine);
  MPI_Finalize();
}

int Ranks::on_machine() const { return mpi_ ? mpi_->on_machine : 0; }
int Ranks::number_on_machine() const { return mpi_ ? mpi_->number_on_machine : 1; }
int Ranks::processors() const { return mpi_ ? mpi_->processors : static_cast<int>(threads_of(0)); }

void Ranks::together(std::string_view step, const std::function<void()>& task) { meet(step, task, Blame::rank); }
void Ranks::in_parts(std::string_view step, const std::function<void()>& task) { meet(step, task, Blame::none); }

void Ranks::meet(std::string_view step, const std::function<void()>& task, Blame blame) {
  if (size_ == 1) return task();
  std::optional<Error> failure;
  try {
    task();
  } catch (...) {
    if (mpi_->failed) throw;
    failure = current_error();
  }
  Report mine{failure ? static_cast<int>(failure->code()) : 0, {}};
  std::copy_n(step.begin(), std::min(step.size(), mine.step.size() - 1), mine.step.begin());
  std::vector<Report> all(static_cast<std::size_t>(size_));
  MPI_Request request;
  MPI_Iallgather(&mine, sizeof(mine), MPI_BYTE, all.data(), sizeof(mine), MPI_BYTE, MPI_COMM_WORLD, &request);
  wait(request);

  const auto failed = std::ranges::find_if(all, [](const Report& report) { return report.code != 0; });
  if (failed != all.end()) {
    mpi_->failed = true;
    const int from = static_cast<int>(failed - all.begin());
    std::string message = from == rank_ ? failure->what() : "";
    int bytes = static_cast<int>(message.size());
    MPI_Bcast(&bytes, 1, MPI_INT, from, MPI_COMM_WORLD);
    message.resize(static_cast<std::size_t>(bytes));
    MPI_Bcast(message.data(), bytes, MPI_CHAR, from, MPI_COMM_WORLD);
    if (blame == Blame::rank && from != 0) message = fmt::format("rank {}: {}", from, message);
    throw Error(ExitCode{failed->code}, message);
  }
  for (const Report& report : all)
    if (std::strcmp(report.step.data(), all[0].step.data()) != 0) {
      mpi_->failed = true;
      throw InputError(
          fmt::format("cannot share a run (rank {} has been given something else to do than rank 0). "
                      "Start all ranks with the same command.",
                      &report - all.data()));
    }
}

bool Ranks::failed_together() const { return size_ == 1 || mpi_->failed; }

void Ranks::barrier() {
  if (size_ == 1) return;
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  wait(request);
}

std::vector<std::int64_t> Ranks::gather(std::int64_t value) {
  if (size_ == 1) return {value};
  std::vector<std::int64_t> all(static_cast<std::size_t>(size_));
  MPI_Allgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
  return all;
}

void Ranks::add(std::span<std::int64_t> values) {
  if (size_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void Ranks::take_largest(std::span<double> values) {
  if (size_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

std::string Ranks::from(int rank, const std::string& text) {
  if (size_ == 1) return text;
  auto bytes = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&bytes, 1, MPI_INT64_T, rank, MPI_COMM_WORLD);
  std::string result = rank == rank_ ? text : std::string(static_cast<std::size_t>(bytes), '\0');
  for_messages({0, bytes}, [&](std::int64_t begin, int length) {
    MPI_Bcast(result.data() + begin, length, MPI_CHAR, rank, MPI_COMM_WORLD);
  });
  return result;
}

std::vector<double> Ranks::collect(std::span<const double> values) {
  const std::vector<std::int64_t> counts = gather(static_cast<std::int64_t>(values.size()));
  return exchange(values, 0, first() ? std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) : 0);
}

std::vector<double> Ranks::exchange(std::span<const double> values, std::int64_t first, std::int64_t count) {
  const std::vector<std::int64_t> firsts = gather(first), wanted = gather(count);
  const std::vector<std::int64_t> held = gather(static_cast<std::int64_t>(values.size()));
  std::vector<Range> has;
  for (std::int64_t begin = 0; const std::int64_t size : held) {
    has.push_back({begin, begin + size});
    begin += size;
  }
  std::vector<double> result;
  together("exchange", [&] { result.resize(static_cast<std::size_t>(count)); });  // before anything is sent
  std::vector<MPI_Request> requests;
  const Range own = has[rank_], here{first, first + count};
  for (int rank = 0; rank < size_; ++rank) {
    const Range there{firsts[rank], firsts[rank] + wanted[rank]};
    if (rank == rank_) {
      const Range kept = own & here;
      if (!kept.empty())
        std::copy_n(values.data() + (kept.begin - own.begin), kept.end - kept.begin,
                    result.data() + (kept.begin - first));
      continue;
    }
    for_messages(has[rank] & here, [&](std::int64_t begin, int length) {
      MPI_Irecv(result.data() + (begin - first), length, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &requests.emplace_back());
    });
    for_messages(own & there, [&](std::int64_t begin, int length) {
      MPI_Isend(values.data() + (begin - own.begin), length, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
    });
  }
  for (MPI_Request& request : requests) wait(request);
  return result;
}

bool Ranks::others_stop() {
  if (size_ == 1) return false;
  if (mpi_->stopping) return true;
  if (mpi_->round == MPI_REQUEST_NULL) mpi_->begin_round(false, true);
  int done = 0;
  MPI_Test(&mpi_->round, &done, MPI_STATUS_IGNORE);
  if (done) mpi_->stopping = mpi_->all[0] != 0;
  return mpi_->stopping;
}

bool Ranks::leave(bool early) {
  if (size_ == 1) return early;
  // The last round is one that all ranks have begun here, so that all of them recognise it as the last.
  do {
    if (mpi_->round == MPI_REQUEST_NULL) mpi_->begin_round(early, false);
    wait(mpi_->round);
  } while (mpi_->all[1] != 0);
  mpi_->stopping = false;
  return mpi_->all[0] != 0;
}

void Ranks::abort(const Error& error) {
  fmt::print(stderr, "polhode: {}\n", error.what());
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(error.code()));
  std::abort();
}

}  // namespace polhode
