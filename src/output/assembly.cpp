#include "output/assembly.hpp"

#include <optional>
#include <utility>

namespace polhode {
namespace {

class DatasetWriter final : public ArrayWriter {
 public:
  DatasetWriter(h5::Dataset dataset, const Shape& shape) : ArrayWriter(shape), dataset_(std::move(dataset)) {}

  void set_attribute(const std::string& name, const Attribute& value) override { dataset_.set_attribute(name, value); }
  void write(std::uint64_t first, std::span<const double> rows) override { dataset_.write(first, rows); }
  void write(std::uint64_t first, std::span<const std::int64_t> rows) override { dataset_.write(first, rows); }
  void write(std::uint64_t first, std::span<const std::uint8_t> rows) override { dataset_.write(first, rows); }
  void write(const std::vector<std::string>& values) override { dataset_.write(values); }
  void write_block(const Shape& start, const Shape& extent, std::span<const double> values) override {
    dataset_.write_block(start, extent, values);
  }

 private:
  h5::Dataset dataset_;
};

class H5GroupWriter final : public GroupWriter {
 public:
  /// The group must outlive this writer.
  explicit H5GroupWriter(h5::Group& group) : group_(group) {}
  explicit H5GroupWriter(h5::Group&& group) : own_(std::move(group)), group_(*own_) {}

  void set_attribute(const std::string& name, const Attribute& value) override { group_.set_attribute(name, value); }
  std::unique_ptr<GroupWriter> create_group(const std::string& name) override {
    return std::make_unique<H5GroupWriter>(group_.create_group(name));
  }
  std::unique_ptr<ArrayWriter> create_array(const std::string& name, Element element,
                                            const Dimensions& dimensions) override {
    const Shape shape = shape_of(dimensions);
    h5::Dataset dataset = group_.create_dataset(name, element, shape);
    for (std::size_t i = 0; i < dimensions.size(); ++i)
      if (!dimensions[i].path.empty()) dataset.name_dimension(static_cast<unsigned>(i), dimensions[i].path);
    return std::make_unique<DatasetWriter>(std::move(dataset), shape);
  }

 private:
  std::optional<h5::Group> own_;
  h5::Group& group_;
};

}  // namespace

void assemble(const std::filesystem::path& path, const RunResult& result) {
  check_records(result);  // before any file is created
  h5::File file = h5::File::create(path, result.description.compression);
  H5GroupWriter root(file);
  write_result(root, result);
  file.close();
}

void create_shared(const std::filesystem::path& path, const RunResult& result, const Share& share) {
  h5::File file = h5::File::create(path, 0, h5::File::Storage::when_created);
  H5GroupWriter root(file);
  create_shared(root, result, share);
  file.close();
}

void fill_shared(h5::File& file, const RunResult& result, const Share& share) {
  H5GroupWriter root(file);
  fill_shared(root, result, share);
}

}  // namespace polhode
