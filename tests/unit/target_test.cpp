// Targets of kernels, by name.
#include "modules/target.hpp"

#include <gtest/gtest.h>

namespace polhode::test {
namespace {

TEST(Target, HasTheNameByWhichItIsFound) {
  for (const std::string& name : target_names()) {
    const std::optional<Target> target = find_target(name);
    ASSERT_TRUE(target) << name;
    EXPECT_EQ(target->name(), name);
    EXPECT_EQ(target->is_gpu(), name.starts_with("sm_")) << name;
  }
  EXPECT_EQ(find_target("sm_103")->capability(), 103);  // also one that is not listed
  EXPECT_EQ(find_target("avx512")->isa(), Isa::avx512);
}

TEST(Target, IsNoneByAnotherName) {
  for (const char* const name : {"", "sm_", "sm_0", "sm_9x", "sm_-9", "sm_090", "sm_9000", "SM_90", "AVX2", "gpu"})
    EXPECT_FALSE(find_target(name)) << name;
}

}  // namespace
}  // namespace polhode::test
