#include "memory/array_writers.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "contract.hpp"

namespace polhode {
namespace {

std::uint64_t product(std::span<const std::uint64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies());
}

Array::Values zeros(Element element, std::uint64_t count) {
  switch (element) {
    case Element::float64: return std::vector<double>(count);
    case Element::int64: return std::vector<std::int64_t>(count);
    case Element::uint8: return std::vector<std::uint8_t>(count);
    case Element::text: return std::vector<std::string>(count);
  }
  return {};
}

class MemoryArrayWriter final : public ArrayWriter {
 public:
  /// The array must outlive this writer.
  explicit MemoryArrayWriter(Array& array) : ArrayWriter(array.shape), array_(array) {}

  void set_attribute(const std::string& name, const Attribute& value) override { array_.attributes[name] = value; }
  void write(std::uint64_t first, std::span<const double> rows) override { write_rows(first, rows); }
  void write(std::uint64_t first, std::span<const std::int64_t> rows) override { write_rows(first, rows); }
  void write(std::uint64_t first, std::span<const std::uint8_t> rows) override { write_rows(first, rows); }
  void write(const std::vector<std::string>& values) override { array_.values = values; }

  void write_block(const Shape& start, const Shape& extent, std::span<const double> values) override {
    const auto sizes = std::span(shape()), block = std::span(extent);
    const std::uint64_t row = product(sizes.subspan(1)), run = product(block.subspan(1));
    const std::uint64_t before = start[1] * product(sizes.subspan(2));
    POLHODE_EXPECT(values.size() == extent[0] * run && before + run <= row);
    auto& all = std::get<std::vector<double>>(array_.values);
    for (std::uint64_t i = 0; i < extent[0]; ++i)
      std::ranges::copy(values.subspan(i * run, run), all.begin() + (start[0] + i) * row + before);
  }

 private:
  template <class T>
  void write_rows(std::uint64_t first, std::span<const T> rows) {
    auto& all = std::get<std::vector<T>>(array_.values);
    const std::uint64_t place = shape().empty() ? 0 : first * product(std::span(shape()).subspan(1));
    POLHODE_EXPECT(place + rows.size() <= all.size());
    std::ranges::copy(rows, all.begin() + place);
  }

  Array& array_;
};

class MemoryGroupWriter final : public GroupWriter {
 public:
  /// path: "" for the root, otherwise "/section".
  MemoryGroupWriter(Result& result, std::string path) : result_(result), path_(std::move(path)) {}

  void set_attribute(const std::string& name, const Attribute& value) override {
    result_.attributes[path_.empty() ? "/" : path_][name] = value;
  }
  std::unique_ptr<GroupWriter> create_group(const std::string& name) override {
    return std::make_unique<MemoryGroupWriter>(result_, path_ + "/" + name);
  }
  std::unique_ptr<ArrayWriter> create_array(const std::string& name, Element element,
                                            const Dimensions& dimensions) override {
    Array& array = result_.arrays[path_ + "/" + name];
    const Shape shape = shape_of(dimensions);
    array = {.shape = shape, .values = zeros(element, product(shape)), .attributes = {}, .dimensions = {}};
    for (const Dimension& dimension : dimensions) array.dimensions.push_back(dimension.path);
    return std::make_unique<MemoryArrayWriter>(array);
  }

 private:
  Result& result_;
  std::string path_;
};

}  // namespace

void write_into(Result& arrays, const RunResult& result) {
  MemoryGroupWriter root(arrays, "");
  write_result(root, result);
}

}  // namespace polhode
