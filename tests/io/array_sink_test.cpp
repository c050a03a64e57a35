#include "memory/array_sink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "output/h5.hpp"
#include "output/part_folder.hpp"
#include "support.hpp"

namespace polhode {
namespace {

using test::SmallRun;

constexpr std::uint64_t plenty = 1 << 20;

void fill(Sink& sink, const SmallRun& run) {
  for (const SectionPoints& segment : run.segments) sink.append(segment);
  sink.append_snapshots(run.snapshots);
  sink.append_final(run.final);
}

Result result_of(const SmallRun& run) {
  ArraySink sink(test::in_one_slice(run.initial), run.description, plenty);
  fill(sink, run);
  Result result;
  sink.make_arrays(run.description, run.starts, result);
  return result;
}

Attributes attributes_of(const h5::Object& object) {
  Attributes attributes;
  for (const std::string& name : object.attribute_names()) attributes[name] = object.attribute(name);
  return attributes;
}

template <class T>
std::vector<T> read(const h5::Dataset& dataset, std::size_t elements) {
  std::vector<T> values(elements);
  dataset.read(0, std::span<T>(values));
  return values;
}

void expect_same(const h5::Dataset& dataset, const Array& array, const std::string& path) {
  const char* const types[] = {"float64", "int64", "uint8", "text"};
  EXPECT_EQ(dataset.type(), types[array.values.index()]) << path;
  EXPECT_EQ(dataset.shape(), array.shape) << path;
  EXPECT_EQ(attributes_of(dataset), array.attributes) << path;
  EXPECT_EQ(dataset.dimensions(), array.dimensions) << path;
  if (const auto* text = std::get_if<std::vector<std::string>>(&array.values))
    EXPECT_EQ(dataset.read_text(), *text) << path;
  else if (const auto* integers = std::get_if<Elements<std::int64_t>>(&array.values))
    EXPECT_TRUE(std::ranges::equal(read<std::int64_t>(dataset, integers->size()), *integers)) << path;
  else if (const auto* bytes = std::get_if<Elements<std::uint8_t>>(&array.values))
    EXPECT_TRUE(std::ranges::equal(read<std::uint8_t>(dataset, bytes->size()), *bytes)) << path;
  else
    EXPECT_TRUE(test::same_bits(dataset.read_all(), std::get<Elements<double>>(array.values))) << path;
}

/// The arrays of a file and of memory have the same names, types, shapes, bits, attributes and dimensions.
TEST(ArraySink, ArraysAreTheDatasetsOfTheFile) {
  const test::TemporaryFolder folder;
  SmallRun run;
  run.description.density = Density{{{"a"}, {"b"}}, {0, 0}, {1, 2}, {1, 2}, {3, 4}, 1};
  {
    PartFolder part(folder / "run.h5", PartFolder::Existing::refuse, test::in_one_slice(run.initial), "id");
    fill(part, run);
    part.finish(run.description, run.starts);
  }
  const h5::File file = h5::File::open(folder / "run.h5");
  const Result result = result_of(run);

  EXPECT_EQ(attributes_of(file), result.attributes.at("/"));
  std::set<std::string> names, name_only;
  const auto compare = [&](const std::string& path) {
    const h5::Dataset dataset = file.dataset(path);
    if (dataset.is_name_only()) {
      name_only.insert(path);
      return;
    }
    names.insert(path);
    ASSERT_TRUE(result.arrays.contains(path)) << path;
    expect_same(dataset, result.arrays.at(path), path);
  };
  for (const std::string& name : file.names()) {
    const std::string path = "/" + name;
    const auto group = file.find_group(name);
    if (!group) {
      compare(path);
      continue;
    }
    const auto attributes = result.attributes.find(path);
    EXPECT_EQ(attributes_of(*group), attributes == result.attributes.end() ? Attributes() : attributes->second);
    for (const std::string& inner : group->names()) compare(path + "/" + inner);
  }
  EXPECT_EQ(names.size(), 24u);
  EXPECT_EQ(result.arrays.size(), names.size());
  EXPECT_EQ(name_only, (std::set<std::string>{"/section/point", "/trajectory"}));
  EXPECT_EQ(result.arrays.at("/section/state").dimensions, (std::vector<std::string>{"/section/point", "/column"}));
  EXPECT_EQ(result.attributes.size(), 2u);  // of the root and /section
}

/// Whose snapshots come in several blocks, of some of their times.
TEST(ArraySink, LongTrajectoriesArePutTogether) {
  constexpr std::int64_t n = 2, later = 800'000;
  SmallRun run;
  run.description.invariants = {};
  run.description.section = std::nullopt;
  run.description.snapshots_every = 1;
  run.description.steps = later;
  Batch final(n, SmallRun::dim, 0);
  final.steps.assign(n, later);
  std::vector<double> snapshots(n * SmallRun::dim * later);
  for (std::size_t i = 0; i < snapshots.size(); ++i) snapshots[i] = static_cast<double>(i);

  ArraySink sink(test::in_one_slice(final), run.description, std::uint64_t{1} << 30);
  sink.append_snapshots(snapshots);
  sink.append_final(final);
  Result result;
  sink.make_arrays(run.description, std::vector<double>(n * SmallRun::dim, -1), result);
  const auto& states = result.values<double>("/snapshots/state");
  ASSERT_EQ(states.size(), static_cast<std::size_t>(n * (later + 1) * SmallRun::dim));
  std::int64_t wrong = 0;
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t t = 0; t <= later; ++t)
      for (int i = 0; i < SmallRun::dim; ++i)
        wrong += states[(k * (later + 1) + t) * SmallRun::dim + i] !=
                 (t == 0 ? -1 : static_cast<double>(((t - 1) * SmallRun::dim + i) * n + k));
  EXPECT_EQ(wrong, 0);
}

TEST(ArraySink, ValuesAreFoundByNameAndType) {
  const Result result = result_of(SmallRun());
  EXPECT_TRUE(std::ranges::equal(result.values<double>("/final/time"), std::vector<double>{1, 1, 1, 1, 0.75}));
  const auto refusal = [&](const auto& action) { return test::message_of(action, ExitCode::bad_input); };
  test::expect_contains(refusal([&] { result.values<double>("/final/times"); }), "cannot use '/final/times' (");
  test::expect_contains(refusal([&] { result.values<double>("/status/step"); }), "cannot use '/status/step' (");
}

/// Of the blocks of the three segments: five numbers each, and counts of their groups of one trajectory.
constexpr std::uint64_t heads = 8 * (3 * 5 + 4 + 5 + 4);

/// Bytes of numbers in arrays, and of the records that they were made of.
std::uint64_t bytes_of(const SmallRun& run, const Result& result) {
  std::uint64_t bytes = 0;
  for (const auto& [name, array] : result.arrays)
    bytes += std::visit([](const auto& values) { return values.size() * std::min<std::size_t>(sizeof(values[0]), 8); },
                        array.values);
  const std::uint64_t points = 8, of_point = 8 * (3 + SmallRun::dim), of_final = 8 * (SmallRun::dim + 2 * 2 + 3) + 1;
  // The counts of a density are held by the run and by the description of its result, too.
  const std::uint64_t counts = run.description.density ? 2 * 8 * run.description.density->counts.size() : 0;
  return bytes + points * of_point + heads + SmallRun::n * of_final + run.snapshots.size() * 8 + counts;
}

/// One without and one with a density.
std::vector<SmallRun> small_runs() {
  std::vector<SmallRun> runs(2);
  runs[1].description.density = Density{{{"a"}, {"b"}}, {0, 0}, {1, 2}, {3, 2}, {3, 4, 5, 6, 7, 8}, 1};
  return runs;
}

TEST(ArraySink, BoundIsWhatRecordsAndArraysTake) {
  for (const SmallRun& run : small_runs()) {
    const std::uint64_t exact = bytes_of(run, result_of(run));
    ArraySink fits(test::in_one_slice(run.initial), run.description, exact);
    fill(fits, run);

    ArraySink lacks_a_byte(test::in_one_slice(run.initial), run.description, exact - 1);
    const std::string refusal = test::message_of([&] { fill(lacks_a_byte, run); }, ExitCode::io);
    test::expect_contains(refusal, "the result does not fit into memory (it takes ");
  }
}

/// Before the first step.
TEST(ArraySink, WhatIsKnownToBeTooMuchIsRefusedAtOnce) {
  for (const SmallRun& run : small_runs()) {
    const std::uint64_t without_points = bytes_of(run, result_of(run)) - 8 * 2 * 8 * (3 + SmallRun::dim) - heads;
    ArraySink fits(test::in_one_slice(run.initial), run.description, without_points);
    test::message_of([&] { ArraySink(test::in_one_slice(run.initial), run.description, without_points - 1); },
                     ExitCode::io);
  }
}

}  // namespace
}  // namespace polhode
