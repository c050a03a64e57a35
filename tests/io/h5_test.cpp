#include "output/h5.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "support.hpp"

namespace polhode {
namespace {

/// Processor time of writing values to a new dataset of this shape, the best of some.
double seconds_to_write(const std::filesystem::path& path, const h5::Shape& shape, const std::vector<double>& values) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    h5::File file = h5::File::create(path);
    const std::clock_t begin = std::clock();
    file.create_dataset("values", h5::Element::float64, shape).write(0, values);
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    file.close();
  }
  return best;
}

/// The library copies element by element, some twenty times slower, where memory and file differ in rank.
TEST(H5, RowsTakeNoLongerThanAsManyNumbers) {
  const test::TemporaryFolder folder;
  constexpr std::uint64_t rows = 1'000'000;
  const std::vector<double> values(rows * 6, 1.5);
  const double flat = seconds_to_write(folder / "flat.h5", {rows * 6}, values);
  EXPECT_LT(seconds_to_write(folder / "rows.h5", {rows, 6}, values), 5 * flat + 0.01);
  EXPECT_LT(seconds_to_write(folder / "blocks.h5", {rows / 4, 4, 6}, values), 5 * flat + 0.01);
}

TEST(H5, AttributesComeBackAsTheyWere) {
  const test::TemporaryFolder folder;
  const std::vector<std::pair<std::string, h5::Value>> attributes{
      {"integer", std::int64_t{-3}},
      {"list", std::vector<std::string>{"a", ""}},
      {"no numbers", std::vector<double>{}},
      {"number", 0.1},
      {"numbers", std::vector<double>{-1, 0.1}},
      {"one number", std::vector<double>{2}},
      {"text", std::string("sph\u00e4risch")},
  };
  {
    h5::File file = h5::File::create(folder / "attributes.h5");
    for (const auto& [name, value] : attributes) file.set_attribute(name, value);
    file.close();
  }
  const h5::File file = h5::File::open(folder / "attributes.h5");
  for (const auto& [name, value] : attributes) EXPECT_EQ(file.attribute(name), value) << name;
}

TEST(H5, BlocksOfAnyPlaceAndExtent) {
  const test::TemporaryFolder folder;
  constexpr std::uint64_t n = 3, m = 50'000, k = 4;  // the chunks are [1, 32768, 4]
  const h5::Shape shape{n, m, k};
  EXPECT_EQ(h5::chunk_of(shape), (h5::Shape{1, 32768, 4}));
  {
    h5::File file = h5::File::create(folder / "blocks.h5");
    {
      h5::Dataset dataset = file.create_dataset("values", h5::Element::float64, shape);
      for (const std::uint64_t from : {20'000, 0, 40'000}) {
        const std::uint64_t count = std::min<std::uint64_t>(20'000, m - from);
        std::vector<double> block;
        for (std::uint64_t row = 1; row < n; ++row) {
          for (std::uint64_t i = 0; i < count * k; ++i) {
            block.push_back(static_cast<double>((row * m + from) * k + i));
          }
        }
        dataset.write_block({1, from, 0}, {n - 1, count, k}, block);
      }
    }
    file.close();
  }
  const std::vector<double> values = h5::File::open(folder / "blocks.h5").dataset("values").read_all();
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != (i < m * k ? 0 : static_cast<double>(i));
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace polhode
