// The schema of the configuration against the specification: no member without a row, and no key that changes a dataset
// outside the identity.
#include "spec/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "unit/full_runs.hpp"

namespace polhode {
namespace {

/// Stands for any member in an initialisation.
struct Any {
  template <class T>
  operator T() const {
    return {};
  }
};
template <class T, class... Members>
constexpr std::size_t members() {
  if constexpr (requires { T{Members{}..., Any{}}; })
    return members<T, Members..., Any>();
  else
    return sizeof...(Members);
}

/// others: the number of members that are no keys of the table: options of a method, the distribution of random starts.
template <class Spec>
constexpr bool has_a_row_for_each_member(std::size_t others = 0) {
  return members<Spec>() == table_of<Spec>.keys.size() + others;
}
static_assert(has_a_row_for_each_member<SystemSpec>());
static_assert(has_a_row_for_each_member<MethodSpec>(1));
static_assert(has_a_row_for_each_member<SectionStarts>());
static_assert(has_a_row_for_each_member<LineStarts>());
static_assert(has_a_row_for_each_member<GivenStarts>());
static_assert(has_a_row_for_each_member<FileStarts>());
static_assert(has_a_row_for_each_member<Microcanonical>());
static_assert(has_a_row_for_each_member<Canonical>());
static_assert(has_a_row_for_each_member<Cloud>());
static_assert(has_a_row_for_each_member<RandomAttitudes>());
static_assert(has_a_row_for_each_member<RandomStarts>(1));
static_assert(has_a_row_for_each_member<RelativeEquilibriumStarts>());
static_assert(has_a_row_for_each_member<ExecutionSpec>());
static_assert(has_a_row_for_each_member<SectionSpec>());
static_assert(has_a_row_for_each_member<DensitySpec>());
static_assert(has_a_row_for_each_member<StatisticsSpec>());
static_assert(has_a_row_for_each_member<RecordSpec>());
static_assert(has_a_row_for_each_member<OutputSpec>());

StepPlan with_sweeps(StepPlan step, int sweeps) {
  step.stages[0].sweeps = static_cast<std::int16_t>(sweeps);
  return step;
}
std::string identity_of(const ResolvedRun& run) {
  return identity(run, with_sweeps(run.step_plan, 7), "cpu", {.count = 1, .checksum = 0x1234});
}

/// Another value than this one, of the same shape.
Value another(const KeyInfo& key, Value value) {
  if (key.type == Type::choice) {
    for (const char* choice : key.choices)
      if (Value(choice) != value) return choice;
    return value;
  }
  std::visit(
      []<class T>(T& v) {
        if constexpr (std::is_same_v<T, bool>)
          v = !v;
        else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>)
          v += 1;
        else if constexpr (std::is_same_v<T, std::string>)
          v += "x";
        else if constexpr (std::is_same_v<T, Rows>)
          v.numbers.back() += 1;
        else if constexpr (std::is_same_v<T, NamedNumbers> || std::is_same_v<T, NamedTexts>)
          v["other"] = {};
        else if constexpr (std::is_same_v<T, std::monostate>)
          return;
        else if (v.empty())
          v.emplace_back();
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          v.back() += "x";
        else
          v.back() += 1;
      },
      value);
  return value;
}

TEST(Schema, IdentityHasEveryKeyThatIsNotExcepted) {
  std::set<std::string> left_out;
  for (const ResolvedRun& run : full_runs()) {
    const std::string before = identity_of(run);
    for_each_part(run.spec, [&]<class Part>(const Table<Part>& table, const Part& part) {
      for (const Key<Part>& key : table.keys) {
        const Value value = another(key, key.get(part));
        if (value == key.get(part)) continue;  // a choice of one
        ResolvedRun changed = run;
        for_each_part(changed.spec, [&]<class Other>(const Table<Other>&, Other& other) {
          if constexpr (std::is_same_v<Part, Other>) key.set(other, value);
        });
        EXPECT_EQ(identity_of(changed) != before, key.identity) << table.name << '.' << key.name;
        if (!key.identity) left_out.insert(std::string(table.name) + '.' + key.name);
      }
    });
  }
  // Keys that change no dataset, or one that is computed from others, and all that is said of starts that are not
  // drawn, of which the identity has the bits.
  std::set<std::string> expected{"system.header", "run.backend",    "run.threads", "run.segment",
                                 "run.slice",     "run.checkpoint", "run.isa",     "record.shadow_energy"};
  for (const DocumentedTable& table : documented_schema())
    for (const DocumentedKey& key : table.keys)
      if (const std::string variant = table.variant; variant.starts_with("with from = ") &&
                                                     variant != "with from = \"random\"" &&
                                                     key.name != std::string(from_key.name))
        expected.insert(std::string("ensemble.") + key.name);
  EXPECT_EQ(left_out, expected);
}

/// Those of a method with their defaults, which are in the specification once it is resolved.
TEST(Schema, IdentityHasEveryOption) {
  const ResolvedRun run = full_run();
  const std::string before = identity_of(run);
  EXPECT_EQ(std::get<std::string>(run.spec.method.options.at("composition")), "none");
  for (const Value& other : {Value("yoshida4"), Value(std::vector<double>{1})}) {
    ResolvedRun changed = run;
    changed.spec.method.options["composition"] = other;
    EXPECT_NE(identity_of(changed), before);
  }
  ResolvedRun changed = run;
  changed.step_plan.stages[0].sweeps = 9;
  EXPECT_EQ(identity_of(changed), before);  // what it is given
}

TEST(Schema, IdentityHasStartsSweepsAndBackend) {
  const ResolvedRun run = full_run();
  const std::string before = identity_of(run);
  const StepPlan seven = with_sweeps(run.step_plan, 7);
  EXPECT_NE(identity(run, with_sweeps(run.step_plan, 8), "cpu", {.count = 1, .checksum = 0x1234}), before);
  EXPECT_NE(identity(run, seven, "reference", {.count = 1, .checksum = 0x1234}), before);
  EXPECT_NE(identity(run, seven, "cpu", {.count = 1, .checksum = 0x1235}), before);
  EXPECT_NE(identity(run, seven, "cpu", {.count = 2, .checksum = 0x1234}), before);
  EXPECT_EQ(identity(run, seven, "cuda", {.count = 1, .checksum = 0x1234}), before)
      << "cpu and cuda give the same bits";
  ResolvedRun changed = run;
  changed.spec.system.parameters["c"] = {std::nextafter(1.0, 2)};
  EXPECT_NE(identity_of(changed), before);

  const std::vector<double> state{1, 2, 3, 0, 0, 1};
  const auto drawn = [&](const auto& distribution) {
    changed.spec.ensemble = RandomStarts{.count = 7, .seed = 5, .distribution = distribution};
    return identity(changed, seven, "cpu", {});
  };
  const std::string cloud = drawn(Cloud{.state = state, .width = {0}});
  EXPECT_NE(cloud, drawn(RandomAttitudes{.state = state})) << "of another distribution";
  EXPECT_NE(cloud.find("ensemble.count = 7\nensemble.seed = 5\n"), std::string::npos) << cloud;
}

TEST(Schema, KeysCarryTheirMembersThereAndBack) {
  for (ResolvedRun& run : full_runs())
    for_each_part(run.spec, [&]<class Part>(const Table<Part>& table, Part& part) {
      for (const Key<Part>& key : table.keys) {
        const Value value = another(key, key.get(part));
        if (std::holds_alternative<std::monostate>(value)) continue;
        Part changed = part;
        key.set(changed, value);
        EXPECT_EQ(key.get(changed), value) << table.name << '.' << key.name;
        for (const Key<Part>& other : table.keys) {
          if (&other == &key) continue;
          EXPECT_EQ(to_text(other.get(changed)), to_text(other.get(part))) << key.name << " changes " << other.name;
        }
      }
    });
}

TEST(Schema, NamesOfKeysAreUniqueInTheirTables) {
  for (const DocumentedTable& table : documented_schema()) {
    std::set<std::string> names;
    for (const DocumentedKey& key : table.keys) {
      EXPECT_TRUE(names.insert(key.name).second) << table.name << '.' << key.name;
      EXPECT_NE(std::string(key.meaning), "") << key.name;
    }
  }
}

}  // namespace
}  // namespace polhode
