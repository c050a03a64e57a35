#include "result/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "result/assembly.hpp"

namespace polhode {
namespace {

using VisitShape = std::function<void(const Shape& shape, double element)>;

/// Writer of an array that keeps nothing.
class NoArray final : public ArrayWriter {
 public:
  void set_attribute(const std::string&, const Attribute&) override {}
  void write(const std::vector<std::string>&) override {}
  void fill(const std::function<void(RowWriter&)>&) override {}
};

/// Writer of a group that shows the shapes of its arrays to a function, and keeps nothing.
class ShapesOfGroup final : public GroupWriter {
 public:
  explicit ShapesOfGroup(const VisitShape& visit) : visit_(visit) {}

  void set_attribute(const std::string&, const Attribute&) override {}
  std::unique_ptr<GroupWriter> create_group(const std::string&) override {
    return std::make_unique<ShapesOfGroup>(visit_);
  }
  std::unique_ptr<ArrayWriter> create_array(const std::string&, Element element,
                                            const Dimensions& dimensions) override {
    visit_(shape_of(dimensions), element == Element::uint8 ? 1 : 8);
    return std::make_unique<NoArray>();
  }

 private:
  const VisitShape& visit_;
};

}  // namespace

void for_each_shape(const RunDescription& run, double trajectories, double points, const VisitShape& visit) {
  const auto whole = [](double count) { return static_cast<std::int64_t>(std::min(std::ceil(count), 0x1p61)); };
  const std::int64_t n = whole(trajectories);
  ShapesOfGroup root(visit);
  lay_out(root, run, {.trajectories = n, .points = whole(points), .slice = std::max<std::int64_t>(n, 1)});
}

double array_bytes(const RunDescription& run, double trajectories, double points) {
  double bytes = 0;
  for_each_shape(run, trajectories, points, [&](const Shape& shape, double element) {
    double elements = 1;
    for (const std::uint64_t size : shape) elements *= static_cast<double>(size);
    bytes += elements * element;
  });
  return bytes;
}

}  // namespace polhode
