#include "modules/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <span>
#include <string_view>
#include <thread>

extern char** environ;

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto longest_run = std::chrono::minutes(10);
constexpr auto pause = std::chrono::milliseconds(2);
constexpr auto between_checks = std::chrono::milliseconds(50);

std::atomic<WaitCheck> wait_check{nullptr};

/// Process groups of the jobs that run; 0 in a free place. An array of atomic numbers, since a signal handler reads
/// them.
std::array<std::atomic<pid_t>, 64> running{};

void replace_running(pid_t before, pid_t now) {
  for (auto& place : running) {
    pid_t expected = before;
    if (place.compare_exchange_strong(expected, now)) return;
  }
}

std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

/// File actions and attributes of a process to be started.
class SpawnOptions {
 public:
  SpawnOptions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // The handlers of this program are none of the new one; neither is what it ignores or blocks.
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  void append_to(const char* file) {
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
  }
  void write_to(int descriptor) {
    posix_spawn_file_actions_adddup2(&actions_, descriptor, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  /// Starts a program; returns the number of its process, or 0 if it cannot be started.
  pid_t spawn(const std::vector<std::string>& command) {
    std::vector<char*> arguments = arguments_of(command), variables;
    std::string locale = "LC_ALL=C";  // in which errors are looked for
    for (char** variable = environ; *variable; ++variable)
      if (!std::string_view(*variable).starts_with("LC_ALL=")) variables.push_back(*variable);
    variables.push_back(locale.data());
    variables.push_back(nullptr);
    pid_t process = 0;
    return posix_spawnp(&process, arguments[0], &actions_, &attributes_, arguments.data(), variables.data()) == 0
               ? process
               : 0;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

bool succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

/// A job that has been started, at `index` of a list, and its command `command`, which runs as `process` since
/// `begin`.
struct RunningJob {
  std::size_t index;
  std::size_t command = 0;
  pid_t process = 0;
  Clock::time_point begin{};

  /// Starts the command `command` of the job; false where it cannot be started.
  bool start(const Job& job) {
    SpawnOptions options;
    options.append_to(job.log.c_str());
    process = options.spawn(job.commands[command]);
    begin = Clock::now();
    if (process > 0) replace_running(0, process);
    return process > 0;
  }
};

/// Jobs that are running; the destructor kills those that are left.
class StartedJobs : public std::vector<RunningJob> {
 public:
  StartedJobs() = default;
  StartedJobs(const StartedJobs&) = delete;
  StartedJobs& operator=(const StartedJobs&) = delete;
  ~StartedJobs() {
    for (const RunningJob& job : *this) {
      kill(-job.process, SIGKILL);
      waitpid(job.process, nullptr, 0);
      replace_running(job.process, 0);
    }
  }
};

/// Output of a process, which is the first of its group, at the other end of the pipe `from`. At the deadline the group
/// is killed.
ProcessOutput output_until(Clock::time_point deadline, pid_t process, int from) {
  ProcessOutput output{false, {}};
  pollfd pipe{.fd = from, .events = POLLIN, .revents = 0};
  for (;;) {
    const bool is_late = Clock::now() > deadline;
    if (is_late) kill(-process, SIGKILL);
    char buffer[4096];
    if (!is_late && poll(&pipe, 1, static_cast<int>(pause.count())) > 0) {
      const ssize_t n = read(from, buffer, sizeof buffer);
      if (n > 0)
        output.text.append(buffer, static_cast<std::size_t>(n));
      else
        pipe.fd = -1;  // nothing more comes: poll() only waits
    } else if (int status = 0; is_late || pipe.fd < 0) {
      const pid_t ended = waitpid(process, &status, is_late ? 0 : WNOHANG);
      if (ended == 0) continue;
      output.ok = ended == process && succeeded(status) && !is_late;
      return output;
    }
  }
}

}  // namespace

ProcessOutput output_of(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {false, {}};
  SpawnOptions options;
  options.write_to(ends[1]);
  const pid_t process = options.spawn(command);
  close(ends[1]);
  ProcessOutput output{false, {}};
  if (process > 0) {
    replace_running(0, process);
    output = output_until(deadline, process, ends[0]);
    replace_running(process, 0);
  }
  close(ends[0]);
  return output;
}

void set_wait_check(WaitCheck function) { wait_check = function; }

std::vector<JobEnd> run_jobs(const std::vector<Job>& jobs) {
  std::vector<JobEnd> ends(jobs.size(), JobEnd::not_started);
  StartedJobs started;
  Clock::time_point last_check = Clock::now();
  const std::size_t most_at_a_time = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, running.size());
  for (std::size_t next = 0; next < jobs.size() || !started.empty();) {
    for (; next < jobs.size() && started.size() < most_at_a_time; ++next)
      if (RunningJob job{next}; job.start(jobs[next])) started.push_back(job);
    std::erase_if(started, [&](RunningJob& job) {
      int status = 0;
      const bool is_late = Clock::now() - job.begin > longest_run;
      if (is_late) kill(-job.process, SIGKILL);
      const pid_t ended = waitpid(job.process, &status, is_late ? 0 : WNOHANG);
      if (ended == 0) return false;
      replace_running(job.process, 0);
      // Where somebody else has waited for it, what it has written must tell.
      const bool done = (ended < 0 || succeeded(status)) && !is_late;
      if (done && ++job.command < jobs[job.index].commands.size()) return !job.start(jobs[job.index]);
      ends[job.index] = is_late ? JobEnd::too_long : done ? JobEnd::done : JobEnd::failed;
      return true;
    });
    if (const WaitCheck check = wait_check; check && Clock::now() - last_check > between_checks) {
      check();
      last_check = Clock::now();
    }
    if (!started.empty()) std::this_thread::sleep_for(pause);
  }
  return ends;
}

void kill_jobs() {
  for (const auto& place : running)
    if (const pid_t group = place.load(); group > 0) kill(-group, SIGKILL);
}

}  // namespace polhode
