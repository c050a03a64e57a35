// Shared by the tests of files: a folder that goes away again, and a small run with a value in every place that tells
// where it belongs.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <ios>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "backend/backend.hpp"
#include "error.hpp"
#include "output/part_folder.hpp"
#include "result/run_description.hpp"

namespace polhode::test {

/// A new empty folder for as long as this lives.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "polhode_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Limits the size of files that this process writes: a disk that is full at exactly that byte.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  void (*handler_)(int);
};

/// Limits what this process takes in memory beyond what it has, files that are mapped aside.
class MemoryLimit {
 public:
  explicit MemoryLimit([[maybe_unused]] std::uint64_t bytes) {
    ::getrlimit(RLIMIT_DATA, &before_);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which take memory of their own
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("VmData:", 0) != 0) continue;
      const rlimit limit{std::stoull(line.substr(7)) * 1024 + bytes, before_.rlim_max};
      ::setrlimit(RLIMIT_DATA, &limit);
    }
#endif
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { ::setrlimit(RLIMIT_DATA, &before_); }

 private:
  rlimit before_;
};

/// Limits the number of files that this process can open to some more than it has. The sanitizer of undefined behaviour
/// reads an object's vtable, where it has not met it before, through a pipe; if it cannot open one, it takes the vtable
/// for an invalid one. What is called under the limit must therefore have been called without it.
class OpenFileLimit {
 public:
  explicit OpenFileLimit(int more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::open("/dev/null", O_RDONLY);
    ::close(next);
    const rlimit limit{static_cast<rlim_t>(next + more), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  OpenFileLimit(const OpenFileLimit&) = delete;
  OpenFileLimit& operator=(const OpenFileLimit&) = delete;
  ~OpenFileLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_;
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_content(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// The message of the Error that `action` throws, after a check of its exit code; empty if it throws none.
template <class Action>
std::string message_of(const Action& action, ExitCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

/// The digits of a value name its place: snapshot, trajectory and column.
inline double mark(std::int64_t snapshot, std::int64_t trajectory, int column) {
  return static_cast<double>(snapshot) * 1e6 + static_cast<double>(trajectory) * 10 + column;
}

/// Whether a number is the one NaN that stands for what is unknown.
inline bool is_unknown(double x) { return std::bit_cast<std::uint64_t>(x) == 0x7ff8'0000'0000'0000; }

inline bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Of an ensemble in one slice.
inline RunLayout in_one_slice(const BatchShape& ensemble) { return {ensemble, ensemble.n}; }

/// A run of 4 steps with snapshots at 2 and 4; the last trajectory fails after step 3.
struct SmallRun {
  static constexpr std::int64_t n = 5;
  static constexpr int dim = 3;
  RunDescription description;
  static constexpr BatchShape shape{n, dim, 2, 1};
  Batch initial{shape}, final{shape};
  std::vector<double> starts;     ///< [n][dim], the same states as in `initial`
  std::vector<double> snapshots;  ///< [2][dim + 2][n]
  SectionPoints segments[3];      ///< in no order of trajectories; trajectory 1 has no point

  SmallRun() {
    description = {.version = "0.1.0",
                   .git = "abc",
                   .config = "[system]\nname = \"sphärisch\"\n",
                   .settings = {{"system", "test-system"},
                                {"method", "rattle"},
                                {"solver", "cayley"},
                                {"precision", "double"},
                                {"step", 0.25},
                                {"steps", std::int64_t{4}}},
                   .header = std::nullopt,
                   .section = "c = 0, up",
                   .picture = Picture{{"u", "v"}, {"b", "a"}, {-1, 1}, "c"},
                   .backend = "cpu",
                   .device = "none",
                   .isa = "avx2",
                   .created = "2024-05-01T12:00:00Z",
                   .sweeps = 8,
                   .step = 0.25,
                   .steps = 4,
                   .snapshots_every = 2,
                   .first_compared = 2,
                   .columns = {{"a", "m", "first"}, {"b", "m", "second"}, {"c", "m/s", "third"}},
                   .invariants = {{"energy", "J", "H"}, {"Casimir", "1", "C"}},
                   .parameters = {{"mass", "kg", "of the body", {2.5}}, {"axis", "1", "its direction", {0, 0, 1}}}};
    for (int i = 0; i < dim; ++i) {
      for (std::int64_t k = 0; k < n; ++k) {
        initial.state[i * n + k] = mark(0, k, i);
        final.state[i * n + k] = mark(9, k, i);
      }
    }
    for (std::int64_t k = 0; k < n; ++k) {
      for (int i = 0; i < 2; ++i) {
        final.invariants[i * n + k] = mark(7, k, i);
        final.max_drift[i * n + k] = 1e-15 * static_cast<double>(i == 0 ? k : 10 - k);
      }
      final.steps[k] = k == n - 1 ? 3 : 4;
      final.code[k] = k == n - 1 ? 2 : 0;
    }
    for (std::int64_t k = 0; k < n; ++k) {
      for (int i = 0; i < dim; ++i) starts.push_back(mark(0, k, i));
    }
    for (std::int64_t t = 1; t <= 2; ++t) {
      for (int i = 0; i < dim + 2; ++i) {
        for (std::int64_t k = 0; k < n; ++k) snapshots.push_back(mark(t, k, i));
      }
    }
    for (SectionPoints& segment : segments) segment.dim = dim;
    add_point(0, 3, 0, 0.5);
    add_point(0, 0, 0, 0.25);
    add_point(0, 3, 1, 1.0);
    add_point(1, 4, 1, 0.5);
    add_point(1, 0, 2, 0.5);
    add_point(2, 2, 3, 0.75);
    add_point(2, 3, 3, 0.5);
    add_point(2, 0, 3, 0.5);
  }

  /// The final batch of a run that has the points of these segments only.
  Batch final_with(std::initializer_list<int> of) const {
    Batch batch = final;
    batch.section_count.assign(n, 0);
    for (const int segment : of)
      for (const std::int64_t k : segments[segment].trajectory) ++batch.section_count[k];
    return batch;
  }

  void add_point(int segment, std::int64_t trajectory, std::int64_t step, double theta) {
    ++final.section_count[trajectory];
    SectionPoints& points = segments[segment];
    points.trajectory.push_back(trajectory);
    points.step.push_back(step);
    points.theta.push_back(theta);
    for (int i = 0; i < dim; ++i) points.state.push_back(mark(100 + step, trajectory, i));
  }
};

}  // namespace polhode::test
