#include "output/h5.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace polhode {
namespace {

TEST(H5, AttributesComeBackAsTheyWere) {
  const test::TemporaryFolder folder;
  const std::vector<std::pair<std::string, Attribute>> attributes{
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

/// With coordinates and without, and of no elements.
TEST(H5, DimensionsHaveNames) {
  const test::TemporaryFolder folder;
  {
    h5::File file = h5::File::create(folder / "named.h5");
    file.create_dataset("column", h5::Element::text, {2}).name_dimension(0, "/column");
    for (const std::uint64_t rows : {std::uint64_t{3}, std::uint64_t{0}}) {
      h5::Group group = rows > 0 ? file.create_group("group") : *file.find_group("group");
      h5::Dataset dataset =
          group.create_dataset(fmt::format("rows{}", rows), h5::Element::float64, h5::Shape{rows, 5, 2});
      dataset.name_dimension(0, fmt::format("/group/row{}", rows));
      dataset.name_dimension(2, "/column");
    }
    file.close();
  }
  const h5::File file = h5::File::open(folder / "named.h5");
  EXPECT_EQ(file.dataset("/column").dimensions(), std::vector<std::string>{"/column"});
  EXPECT_FALSE(file.dataset("/column").is_name_only());
  for (const char* rows : {"3", "0"}) {
    const h5::Dataset named = file.dataset("/group/rows" + std::string(rows));
    EXPECT_EQ(named.dimensions(), (std::vector<std::string>{"/group/row" + std::string(rows), "", "/column"}));
    EXPECT_EQ(named.attribute_names(), std::vector<std::string>{});
    EXPECT_FALSE(named.is_name_only());
    EXPECT_TRUE(file.dataset("/group/row" + std::string(rows)).is_name_only());
  }
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

/// A motion in time: its exponents and first digits repeat, as those of states do.
std::vector<double> smooth(std::uint64_t n) {
  std::vector<double> values(n);
  for (std::uint64_t i = 0; i < n; ++i) values[i] = std::sin(1e-3 * static_cast<double>(i));
  return values;
}

TEST(H5, CompressedDatasetsHoldTheSameInLessSpace) {
  ASSERT_TRUE(h5::can_compress());
  const test::TemporaryFolder folder;
  constexpr std::uint64_t rows = 100'000;  // five chunks, and a part of one
  const std::vector<double> values = smooth(rows * 6);
  const std::vector<std::int64_t> counts(rows, 3);
  const std::vector<std::uint8_t> codes(rows, 1);
  std::uintmax_t sizes[3];
  for (const int level : {0, 1, 9}) {
    const std::filesystem::path path = folder / fmt::format("{}.h5", level);
    {
      h5::File file = h5::File::create(path, level);
      {
        // In pieces that do not follow the chunks, as slices of an ensemble.
        h5::Dataset dataset = file.create_dataset("values", h5::Element::float64, {rows, 6});
        for (std::uint64_t first = 0; first < rows; first += 30'000)
          dataset.write(first, std::span(values).subspan(first * 6, std::min<std::uint64_t>(30'000, rows - first) * 6));
        file.create_dataset("counts", h5::Element::int64, {rows}).write(0, counts);
        file.create_dataset("codes", h5::Element::uint8, {rows}).write(0, codes);
        file.create_dataset("zeros", h5::Element::float64, {rows});
        file.create_dataset("none", h5::Element::float64, {0, 6});
        file.create_dataset("text", h5::Element::text, {2}).write({"a", "b"});
      }
      file.close();
    }
    const h5::File file = h5::File::open(path);
    EXPECT_EQ(file.dataset("values").read_all(), values);
    std::vector<std::int64_t> counts_read(rows);
    std::vector<std::uint8_t> codes_read(rows);
    file.dataset("counts").read(0, counts_read);
    file.dataset("codes").read(0, codes_read);
    EXPECT_EQ(counts_read, counts);
    EXPECT_EQ(codes_read, codes);
    EXPECT_EQ(file.dataset("zeros").read_all(), std::vector<double>(rows, 0));
    EXPECT_EQ(file.dataset("none").shape(), (h5::Shape{0, 6}));
    EXPECT_EQ(file.dataset("text").read_text(), (std::vector<std::string>{"a", "b"}));
    sizes[level == 0 ? 0 : level == 1 ? 1 : 2] = std::filesystem::file_size(path);
  }
  // Of 4.8 MB of motion a sixth or more goes, and nearly all of the 0.9 MB of equal numbers.
  EXPECT_GT(sizes[0], rows * (6 * 8 + 8 + 1));
  EXPECT_LT(sizes[1], rows * 6 * 8 * 5 / 6);
  EXPECT_LE(sizes[2], sizes[1]);
}

TEST(H5, WhatIsSmallIsNotCompressed) {
  const test::TemporaryFolder folder;
  const std::vector<double> values(4095, 1.5);
  std::string contents[2];
  for (const int level : {0, 9}) {
    h5::File file = h5::File::create(folder / "small.h5", level);
    file.create_dataset("values", h5::Element::float64, {values.size()}).write(0, values);
    file.close();
    contents[level == 9] = test::content_of(folder / "small.h5");
  }
  EXPECT_EQ(contents[0], contents[1]);
}

}  // namespace
}  // namespace polhode
