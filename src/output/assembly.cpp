// The first rank lays the file out, through HDF5, which gives every array its place in it, and allocates the disk
// space, so that a full disk is seen at once. Then the threads of all ranks write their rows into those places, without
// HDF5: their bytes do not overlap, and nothing else remains to be written.
//
// Compressed arrays have no such places. Their rows go through HDF5, one thread at a time.
#include "output/assembly.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contract.hpp"
#include "output/h5.hpp"
#include "output/posix_file.hpp"
#include "parallel/part_of_all.hpp"

namespace polhode {
namespace {

/// Writer of rows through HDF5.
class DatasetRows final : public RowWriter {
 public:
  explicit DatasetRows(h5::Dataset dataset) : RowWriter(dataset.shape()), dataset_(std::move(dataset)) {}

  void write(std::uint64_t first, std::span<const double> rows) override { dataset_.write(first, rows); }
  void write(std::uint64_t first, std::span<const std::int64_t> rows) override { dataset_.write(first, rows); }
  void write(std::uint64_t first, std::span<const std::uint8_t> rows) override { dataset_.write(first, rows); }
  void write_block(const Shape& start, const Shape& extent, std::span<const double> values) override {
    dataset_.write_block(start, extent, values);
  }

  h5::Dataset& dataset() { return dataset_; }

 private:
  h5::Dataset dataset_;
};

class DatasetWriter final : public ArrayWriter {
 public:
  explicit DatasetWriter(h5::Dataset dataset) : rows_(std::move(dataset)) {}

  void set_attribute(const std::string& name, const Attribute& value) override {
    rows_.dataset().set_attribute(name, value);
  }
  void write(const std::vector<std::string>& values) override { rows_.dataset().write(values); }
  void fill(const std::function<void(RowWriter&)>& write) override { write(rows_); }

 private:
  DatasetRows rows_;
};

class H5GroupWriter final : public GroupWriter {
 public:
  /// Writer of `group`, which must outlive the writer.
  explicit H5GroupWriter(h5::Group& group) : group_(group) {}
  explicit H5GroupWriter(h5::Group&& group) : own_(std::move(group)), group_(*own_) {}

  void set_attribute(const std::string& name, const Attribute& value) override { group_.set_attribute(name, value); }
  std::unique_ptr<GroupWriter> create_group(const std::string& name) override {
    return std::make_unique<H5GroupWriter>(group_.create_group(name));
  }
  std::unique_ptr<ArrayWriter> create_array(const std::string& name, Element element,
                                            const Dimensions& dimensions) override {
    h5::Dataset dataset = group_.create_dataset(name, element, shape_of(dimensions));
    for (std::size_t i = 0; i < dimensions.size(); ++i)
      if (!dimensions[i].path.empty()) dataset.name_dimension(static_cast<unsigned>(i), dimensions[i].path);
    return std::make_unique<DatasetWriter>(std::move(dataset));
  }

 private:
  std::optional<h5::Group> own_;
  h5::Group& group_;
};

/// Writer of the rows of an array that has a place in the file.
class FileRows final : public PlacedRows {
 public:
  /// Writer of the rows of `dataset` into `file`, which must outlive the writer.
  FileRows(PosixFile& file, const h5::Dataset& dataset)
      : PlacedRows(dataset.shape()), file_(file), offset_(dataset.offset()) {}

 private:
  void put(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    POLHODE_EXPECT(offset_);
    file_.write(bytes, *offset_ + offset);
  }

  PosixFile& file_;
  std::optional<std::uint64_t> offset_;
};

template <class T>
void copy_rows(const h5::Dataset& from, h5::Dataset& to, const Shape& shape) {
  std::uint64_t elements = 1;
  for (const std::uint64_t size : shape) elements *= size;
  std::vector<T> rows(elements);
  from.read(0, rows);
  to.write(0, rows);
}

/// Copies the statistics in `earlier`, the result of the run that this one goes on from, into the first rows of the
/// statistics in `file`: this run has not taken them again.
void copy_statistics(const std::filesystem::path& earlier, h5::File& file) {
  const h5::File source = h5::File::open(earlier);
  const auto from = source.find_group("/statistics"), to = file.find_group("/statistics");
  if (!from || !to) return;
  const std::uint64_t times = from->dataset("time").shape().front(), all_times = to->dataset("time").shape().front();
  for (const std::string& name : to->names()) {
    const auto some = from->find_dataset(name);
    auto all = to->find_dataset(name);
    if (!some || !all || all->is_name_only() || all->type() == "text") continue;
    const Shape shape = some->shape();
    if (shape.empty() || shape.front() != times || all->shape().front() != all_times) continue;
    if (all->type() == "int64")
      copy_rows<std::int64_t>(*some, *all, shape);
    else
      copy_rows<double>(*some, *all, shape);
  }
}

/// Writes everything but the rows of trajectories and section points. Where `earlier` is not empty, statistics are
/// copied from it (copy_statistics()).
void lay_out(h5::File& file, const RunRecords& records, const Totals& totals, const std::filesystem::path& earlier) {
  H5GroupWriter root(file);
  polhode::lay_out(root, records.description, totals);
  if (!earlier.empty()) copy_statistics(earlier, file);
}

void assemble_compressed(const std::filesystem::path& path, const RunRecords& records, const Totals& totals,
                         const std::filesystem::path& earlier) {
  h5::File file = h5::File::create(path, records.description.compression);
  lay_out(file, records, totals, earlier);
  const FindRows find = [&](const std::string& name) { return std::make_unique<DatasetRows>(file.dataset(name)); };
  fill_rows(find, records, {}, 1);
  file.close();
}

void create(const std::filesystem::path& path, const RunRecords& records, const Totals& totals,
            const std::filesystem::path& earlier) {
  {
    h5::File file = h5::File::create(path);
    lay_out(file, records, totals, earlier);
    file.close();
  }
  PosixFile(path, PosixFile::Mode::open_or_create).reserve();
}

void fill(const std::filesystem::path& path, const RunRecords& records, const Position& position, Ranks& ranks) {
  const h5::File layout = h5::File::open(path);
  PosixFile file(path, PosixFile::Mode::open_or_create);
  if (ranks.size() > 1) file.share(static_cast<std::uint64_t>(ranks.rank()));
  const FindRows find = [&](const std::string& name) { return std::make_unique<FileRows>(file, layout.dataset(name)); };
  const std::int64_t threads = records.description.threads;
  fill_rows(find, records, position, threads > 0 ? threads : ranks.processors());
  file.sync();
}

}  // namespace

void assemble(const std::filesystem::path& path, const RunRecords& records, Ranks& ranks,
              const std::filesystem::path& earlier) {
  ranks.together("journals", [&] { check_records(records); });  // before any file is created
  const PartOfAll trajectories = part_of_all(records.ensemble.n, ranks),
                  points = part_of_all(count_points(records), ranks);
  std::vector<double> all_statistics;
  if (records.description.statistics) all_statistics = ranks.collect(records.statistics.numbers());
  const Totals totals{
      .trajectories = trajectories.all, .points = points.all, .slice = records.slice, .statistics = all_statistics};
  if (records.description.compression > 0) {
    POLHODE_EXPECT(ranks.size() == 1);
    return assemble_compressed(path, records, totals, earlier);
  }
  ranks.together("create file", [&] {
    if (ranks.first()) create(path, records, totals, earlier);
  });
  ranks.together("fill file", [&] { fill(path, records, {trajectories.before, points.before}, ranks); });
}

}  // namespace polhode
