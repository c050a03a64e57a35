// The first rank creates the file as a single process would, with room for all rows, and allocates their disk space, so
// that failures occur there, where HDF5 survives them. Then all ranks write their rows independently, because nothing
// else remains to be written.
#include "output/shared_assembly.hpp"

#include <numeric>
#include <optional>
#include <vector>

#include "output/posix_file.hpp"

namespace polhode {
namespace {

/// Count of the ranks before this one, and of all ranks.
struct Part {
  std::int64_t before, all;
};

Part part_of_all(std::int64_t count, Ranks& ranks) {
  const std::vector<std::int64_t> counts = ranks.gather(count);
  const auto sum = [&](std::size_t of) {
    return std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(of), std::int64_t{0});
  };
  return {sum(static_cast<std::size_t>(ranks.rank())), sum(counts.size())};
}

h5::File open(const std::filesystem::path& path, Ranks& ranks) {
  std::optional<h5::File> file;
  // Detects a folder that is not shared by the machines before MPI has to agree on the file.
  ranks.together("find file", [&] { const PosixFile visible(path, PosixFile::Mode::read); });
  try {
    ranks.together("open file", [&] { file.emplace(h5::File::open_shared(path)); });
  } catch (const Error& error) {
    ranks.abort(error);  // ranks that have opened it could not close it without the others
  }
  return *std::move(file);
}

}  // namespace

void assemble_shared(const std::filesystem::path& path, const RunResult& result, Ranks& ranks) {
  ranks.together("journals", [&] { check_records(result); });
  const Part trajectories = part_of_all(result.ensemble.n, ranks);
  const Part points = part_of_all(result.section.count(), ranks);
  std::vector<double> all_statistics;
  if (result.description.statistics) all_statistics = ranks.collect(result.statistics.numbers());
  const Share share{.trajectories = trajectories.all,
                    .points = points.all,
                    .first = trajectories.before,
                    .first_point = points.before,
                    .statistics = all_statistics};

  ranks.together("create file", [&] {
    if (!ranks.first()) return;
    create_shared(path, result, share);
    PosixFile(path, PosixFile::Mode::open_or_create).reserve();
  });
  {
    h5::File file = open(path, ranks);
    ranks.together("fill file", [&] { fill_shared(file, result, share); });
    ranks.together("close file", [&] { file.close(); });
  }
  ranks.together("sync file", [&] { PosixFile(path, PosixFile::Mode::open_or_create).sync(); });
}

}  // namespace polhode
