#include "memory/array_writers.hpp"

#include <cstring>
#include <type_traits>

#include "contract.hpp"
#include "parallel_for.hpp"

namespace polhode {
namespace {

Array::Values unset(Element element, std::uint64_t count) {
  switch (element) {
    case Element::float64: return Elements<double>(count);
    case Element::int64: return Elements<std::int64_t>(count);
    case Element::uint8: return Elements<std::uint8_t>(count);
    case Element::text: return Elements<std::string>(count);
  }
  return {};
}

class MemoryRows final : public PlacedRows {
 public:
  /// Writer of the rows of `array`, which must outlive the writer.
  explicit MemoryRows(Array& array) : PlacedRows(array.shape), array_(array) {}

 private:
  void put(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    std::visit(
        [&](auto& values) {
          using T = std::decay_t<decltype(values[0])>;
          if constexpr (std::is_arithmetic_v<T>) {
            POLHODE_EXPECT(offset + bytes.size() <= values.size() * sizeof(T));
            std::memcpy(reinterpret_cast<std::byte*>(values.data()) + offset, bytes.data(), bytes.size());
          }
        },
        array_.values);
  }

  Array& array_;
};

class MemoryArrayWriter final : public ArrayWriter {
 public:
  /// Writer of `array`, which must outlive the writer.
  explicit MemoryArrayWriter(Array& array) : array_(array), rows_(array) {}

  void set_attribute(const std::string& name, const Attribute& value) override { array_.attributes[name] = value; }
  void write(const std::vector<std::string>& values) override { array_.values = values; }
  void fill(const std::function<void(RowWriter&)>& write) override { write(rows_); }

 private:
  Array& array_;
  MemoryRows rows_;
};

class MemoryGroupWriter final : public GroupWriter {
 public:
  /// Writer of a group of a result. path: "" for the root, otherwise e.g. "/section".
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
    array = {.shape = shape, .values = unset(element, product(shape)), .attributes = {}, .dimensions = {}};
    for (const Dimension& dimension : dimensions) array.dimensions.push_back(dimension.path);
    return std::make_unique<MemoryArrayWriter>(array);
  }

 private:
  Result& result_;
  std::string path_;
};

}  // namespace

void write_into(Result& result, const RunRecords& records) {
  MemoryGroupWriter root(result, "");
  lay_out(root, records.description,
          {.trajectories = records.ensemble.n,
           .points = count_points(records),
           .slice = records.slice,
           .statistics = records.statistics.numbers()});
  const FindRows find = [&](const std::string& path) { return std::make_unique<MemoryRows>(result.arrays.at(path)); };
  fill_rows(find, records, {}, threads_of(records.description.threads));
}

}  // namespace polhode
