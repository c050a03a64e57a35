// Programs that are run and waited for.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace polhode {

struct ProcessOutput {
  bool ok;           ///< whether the program was started and ended with 0, in time
  std::string text;  ///< text on its standard output
};

/// Runs a program, in a process group of its own, and waits for it; after `limit` the group is killed. What the program
/// writes to its standard error is dropped. Throws what the function of set_wait_check() (wait_check.hpp) throws, after
/// it has killed the group.
ProcessOutput output_of(const std::vector<std::string>& command,
                        std::chrono::milliseconds limit = std::chrono::minutes(1));

/// Programs to be run one after the other, as long as they succeed. Their output is appended to the file `log`.
struct Job {
  std::vector<std::vector<std::string>> commands;
  std::filesystem::path log;
};

enum class JobEnd { done, failed, not_started, too_long };

/// Runs jobs in parallel, as many at a time as there are processors, but 64 at most; each program in a process group of
/// its own. A program that takes ten minutes is killed. Returns how each job has ended, in the order of `jobs`. Throws
/// what `meanwhile`, which is called many times a second until they have ended, and the function of set_wait_check()
/// (wait_check.hpp) throw, after it has killed the programs that are running.
std::vector<JobEnd> run_jobs(const std::vector<Job>& jobs, const std::function<void()>& meanwhile);

/// Kills all programs that are running. Safe in a signal handler.
void kill_jobs();

}  // namespace polhode
