// Reading of files that may be damaged, first by a child process.
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "output/failure.hpp"

namespace polhode {

/// Returns read(), which reads the file `path`, after a child process has survived the same call: on some damaged files
/// HDF5 1.10 crashes or loops for ever, which then ends the child alone. Throws InputError if it has ended the child,
/// or if no child can be started. Forks, so the program must not have other threads yet.
template <class Read>
auto read_after_trial(const std::filesystem::path& path, const Read& read) {
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
  const rlim_t seconds = 5 + (ignored ? 0 : bytes >> 25);  // CPU time; a good file takes a second per gigabyte
  const pid_t child = ::fork();
  if (child < 0)
    throw cannot_read(path, std::generic_category().message(errno) + ", when a process was started",
                      "Raise the limit on processes (ulimit -u).");
  if (child == 0) {
    const rlimit no_core{0, 0}, cpu{seconds, seconds};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_CPU, &cpu);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // does not outlive its parent
    ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
    try {
      read();
    } catch (const std::exception&) {  // reported by the parent, which reads again
    }
    ::_exit(0);
  }
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended == child && status != 0)
    throw cannot_read(path, "damaged: the HDF5 library cannot cope with it", "Give the .h5 file of a finished run.");
  return read();
}

}  // namespace polhode
