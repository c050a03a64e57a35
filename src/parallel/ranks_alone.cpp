// Ranks of the program without MPI.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <system_error>
#include <thread>

#include "parallel/ranks.hpp"
#include "parallel_for.hpp"

namespace polhode {
namespace {

/// Whether a launcher of Open MPI has started this process as one of several. A process that a user's own MPI program
/// starts has the same environment, but another parent: it is alone.
bool started_as_rank() {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size == nullptr || std::atoi(size) < 2) return false;
  std::string parent;
  std::getline(std::ifstream("/proc/" + std::to_string(::getppid()) + "/comm") >> std::ws, parent);
  for (const char* launcher : {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"})
    if (parent == launcher) return true;
  return false;
}

}  // namespace

struct Ranks::Mpi {};

Ranks::Ranks() = default;

/// Where `mpirun` has started this process as one of several, replaces it by polhode-mpi from the program's folder, or
/// ends it with ExitCode::unavailable if there is none.
Ranks::Ranks(int&, char**& argv) {
  if (!started_as_rank()) return;
  std::error_code ignored;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", ignored).replace_filename("polhode-mpi");
  ::execv(program.c_str(), argv);
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank != nullptr && std::atoi(rank) == 0)
    std::fprintf(stderr,
                 "polhode: cannot run on several ranks (there is no %s). Build it where MPI is found, or start one "
                 "process.\n",
                 program.c_str());
  std::_Exit(static_cast<int>(ExitCode::unavailable));
}

Ranks::~Ranks() = default;

int Ranks::on_machine() const { return 0; }
int Ranks::number_on_machine() const { return 1; }
int Ranks::processors() const { return static_cast<int>(threads_of(0)); }
void Ranks::together(std::string_view, const std::function<void()>& task) { task(); }
void Ranks::in_parts(std::string_view, const std::function<void()>& task) { task(); }
bool Ranks::failed_together() const { return true; }
void Ranks::barrier() {}
std::vector<std::int64_t> Ranks::gather(std::int64_t value) { return {value}; }
void Ranks::add(std::span<std::int64_t>) {}
void Ranks::take_largest(std::span<double>) {}
std::string Ranks::from(int, const std::string& text) { return text; }
std::vector<double> Ranks::collect(std::span<const double> values) { return {values.begin(), values.end()}; }
std::vector<double> Ranks::exchange(std::span<const double> values, std::int64_t first, std::int64_t count) {
  return {values.begin() + first, values.begin() + first + count};
}
bool Ranks::others_stop() { return false; }
bool Ranks::leave(bool early) { return early; }

void Ranks::abort(const Error& error) {
  std::fprintf(stderr, "polhode: %s\n", error.what());
  std::exit(static_cast<int>(error.code()));
}

}  // namespace polhode
