// Kernels of methods that are tables: what their modules are called, and that each table has its own.
#include "catalog/table_type.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "catalog/catalog.hpp"

namespace polhode::test {
namespace {

const ExplicitTable& named(const char* name) { return find_explicit_table(name)->table; }

ModuleSource kernel_of(const char* system, const std::optional<ExplicitTable>& table, const Target& target) {
  return find_method(system, "runge-kutta")->modules(0, Precision::binary64, target, table).front();
}

TEST(TableTypes, AreNamedWhereTheNumbersAre) {
  EXPECT_EQ(table_type_of(named("dop853")).name, "dop853");
  EXPECT_EQ(table_type_of(named("dop853")).definition, "");
  ExplicitTable own{.stages = 2, .a = {{}, {1}}, .b = {0.5, 0.5}};
  EXPECT_EQ(table_type_of(own).name, "heun");
  own.b[0] = 0.1;
  const TableType type = table_type_of(own);
  EXPECT_EQ(type.name, "own table");
  // Every bit of it.
  EXPECT_NE(type.definition.find("0x1.999999999999ap-4"), std::string::npos) << type.definition;
  EXPECT_EQ(find_explicit_table("rk5"), nullptr);
}

TEST(TableTypes, MakeKernelsOfTheirOwn) {
  ExplicitTable own = named("rk4");
  const ModuleSource of_default = kernel_of("henon-heiles", {}, Isa::avx2);
  EXPECT_EQ(of_default.key, kernel_of("henon-heiles", own, Isa::avx2).key);
  EXPECT_NE(of_default.key.find("\ntable NamedTable<4> rk4\n"), std::string::npos) << of_default.key;
  EXPECT_NE(of_default.text.find("With<NamedTable<4>>"), std::string::npos) << of_default.text;
  EXPECT_NE(of_default.key, kernel_of("henon-heiles", named("dopri5"), Isa::avx2).key);
  own.a[1][0] += 1e-16;
  const ModuleSource changed = kernel_of("henon-heiles", own, Isa::avx2);
  own.a[1][0] += 1e-16;
  EXPECT_NE(changed.key, of_default.key);
  EXPECT_NE(changed.key, kernel_of("henon-heiles", own, Isa::avx2).key);
  EXPECT_NE(changed.text.find("With<OwnTable>"), std::string::npos) << changed.text;
}

/// The kernels of other methods have no table in their keys.
TEST(TableTypes, AreInNoOtherKey) {
  const MethodEntry& rk4 = *find_method("henon-heiles", "rk4");
  EXPECT_EQ(rk4.table_option, nullptr);
  const std::string key = rk4.modules(0, Precision::binary64, Isa::avx2).front().key;
  EXPECT_EQ(key.find("table"), std::string::npos) << key;
  EXPECT_EQ(key, rk4.modules(0, Precision::binary64, Isa::avx2, named("dop853")).front().key);
}

TEST(TableTypes, OfLongTablesMayTakeMemoryOfAGpu) {
  const Target gpu = Target::gpu(90);
  EXPECT_FALSE(kernel_of("henon-heiles", named("dop853"), gpu).may_spill);
  EXPECT_FALSE(kernel_of("heavy-top", named("verner6"), gpu).may_spill);
  EXPECT_TRUE(kernel_of("heavy-top", named("dop853"), gpu).may_spill);
}

}  // namespace
}  // namespace polhode::test
