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
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "wait_check.hpp"

extern char** environ;

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto longest_run = std::chrono::minutes(10);
constexpr auto pause = std::chrono::milliseconds(2);

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

/// Process that has ended.
struct Ended {
  bool is_known;   ///< whether nobody else has waited for it
  bool succeeded;  ///< whether it has ended with 0; unknown where somebody else has waited
};

/// How a process of `running` has ended; nothing while it goes on, unless `waits`. Its number is given back to the
/// system when no signal handler finds it in `running` any more.
std::optional<Ended> end_of(pid_t process, bool waits) {
  siginfo_t ended{};
  int result = 0;
  do {
    result = waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT | (waits ? 0 : WNOHANG));
  } while (result != 0 && errno == EINTR);
  if (result == 0 && ended.si_pid == 0) return std::nullopt;
  replace_running(process, 0);
  int status = 0;
  const bool is_known = waitpid(process, &status, 0) == process;
  return Ended{is_known, is_known && succeeded(status)};
}

/// Program that is running; the destructor kills its group.
class RunningProgram {
 public:
  explicit RunningProgram(pid_t process) : process_(process) { replace_running(0, process); }
  RunningProgram(RunningProgram&& other) noexcept : process_(std::exchange(other.process_, 0)) {}
  RunningProgram& operator=(RunningProgram&& other) noexcept {
    std::swap(process_, other.process_);
    return *this;
  }
  ~RunningProgram() {
    if (process_ == 0) return;
    kill_group();
    end_of(process_, true);
  }
  void kill_group() const { kill(-process_, SIGKILL); }
  /// How it has ended; nothing while it goes on, unless `waits`.
  std::optional<Ended> end(bool waits) {
    const std::optional<Ended> ended = end_of(process_, waits);
    if (ended) process_ = 0;
    return ended;
  }

 private:
  pid_t process_;
};

/// Job that has been started, at `index` of a list, and its command `command`, which runs since `begin`.
struct RunningJob {
  std::size_t index;
  std::size_t command;
  RunningProgram program;
  Clock::time_point begin;
};

/// Command of a job, started; nothing where it cannot be.
std::optional<RunningJob> start(const Job& job, std::size_t index, std::size_t command) {
  SpawnOptions options;
  options.append_to(job.log.c_str());
  const pid_t process = options.spawn(job.commands[command]);
  if (process == 0) return std::nullopt;
  return RunningJob{index, command, RunningProgram(process), Clock::now()};
}

/// Output of a program at the other end of the pipe `from`. At the deadline its group is killed.
ProcessOutput output_until(Clock::time_point deadline, RunningProgram program, int from) {
  ProcessOutput output{false, {}};
  pollfd pipe{.fd = from, .events = POLLIN, .revents = 0};
  for (WaitChecks check;; check()) {
    const bool is_late = Clock::now() > deadline;
    if (is_late) program.kill_group();
    char buffer[4096];
    if (!is_late && poll(&pipe, 1, static_cast<int>(pause.count())) > 0) {
      const ssize_t n = read(from, buffer, sizeof buffer);
      if (n > 0)
        output.text.append(buffer, static_cast<std::size_t>(n));
      else
        pipe.fd = -1;  // nothing more comes: poll() only waits
    } else if (is_late || pipe.fd < 0) {
      const std::optional<Ended> ended = program.end(is_late);
      if (!ended) continue;
      output.ok = ended->succeeded && !is_late;
      return output;
    }
  }
}

/// Pipe whose ends are closed with it.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
  }
  void close_writing() { close(std::exchange(ends[1], -1)); }
};

}  // namespace

ProcessOutput output_of(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  Pipe pipe;
  if (pipe.ends[0] < 0) return {false, {}};
  SpawnOptions options;
  options.write_to(pipe.ends[1]);
  const pid_t process = options.spawn(command);
  pipe.close_writing();
  if (process == 0) return {false, {}};
  return output_until(deadline, RunningProgram(process), pipe.ends[0]);
}

std::vector<JobEnd> run_jobs(const std::vector<Job>& jobs, const std::function<void()>& meanwhile) {
  std::vector<JobEnd> ends(jobs.size(), JobEnd::not_started);
  std::vector<RunningJob> started;
  WaitChecks check;
  const std::size_t most_at_a_time = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, running.size());
  for (std::size_t next = 0; next < jobs.size() || !started.empty();) {
    for (; next < jobs.size() && started.size() < most_at_a_time; ++next)
      if (auto job = start(jobs[next], next, 0)) started.push_back(std::move(*job));
    std::erase_if(started, [&](RunningJob& job) {
      const bool is_late = Clock::now() - job.begin > longest_run;
      if (is_late) job.program.kill_group();
      const std::optional<Ended> ended = job.program.end(is_late);
      if (!ended) return false;
      // Where somebody else has waited for it, what it has written must tell.
      const bool done = (ended->succeeded || !ended->is_known) && !is_late;
      ends[job.index] = is_late ? JobEnd::too_long : done ? JobEnd::done : JobEnd::failed;
      if (!done || job.command + 1 == jobs[job.index].commands.size()) return true;
      auto following = start(jobs[job.index], job.index, job.command + 1);
      if (!following) {
        ends[job.index] = JobEnd::not_started;
        return true;
      }
      job = std::move(*following);
      return false;
    });
    check();
    meanwhile();
    if (!started.empty()) std::this_thread::sleep_for(pause);
  }
  return ends;
}

void kill_jobs() {
  for (const auto& place : running)
    if (const pid_t group = place.load(); group > 0) kill(-group, SIGKILL);
}

}  // namespace polhode
