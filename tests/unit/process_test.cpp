// Programs that are run and waited for: what they print, and what happens to those that do not end.
#include "modules/process.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace polhode {
namespace {

using std::chrono::milliseconds, std::chrono::seconds, std::chrono::steady_clock;

TEST(Process, ItsOutputIsKeptWhole) {
  const ProcessOutput output = output_of({"sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x; echo lost >&2"});
  EXPECT_TRUE(output.ok);
  EXPECT_EQ(output.text, std::string(100'000, 'x'));
}

TEST(Process, ItsExitCodeTells) {
  const ProcessOutput output = output_of({"sh", "-c", "echo said; exit 3"});
  EXPECT_FALSE(output.ok);
  EXPECT_EQ(output.text, "said\n");
  EXPECT_FALSE(output_of({"/no/such/program"}).ok);
}

/// Programs that go on for a minute: as such, with a closed output, with another process that holds the output, and
/// with output that never ends.
class EndlessProcess : public testing::TestWithParam<const char*> {};

TEST_P(EndlessProcess, IsKilled) {
  const auto begin = steady_clock::now();
  const ProcessOutput output = output_of({"sh", "-c", GetParam()}, milliseconds(200));
  EXPECT_FALSE(output.ok);
  EXPECT_TRUE(output.text.starts_with("said\n"));
  EXPECT_LT(steady_clock::now() - begin, seconds(30));  // not a minute, on a machine however busy
}
INSTANTIATE_TEST_SUITE_P(OfAllKinds, EndlessProcess,
                         testing::Values("echo said; sleep 60; true", "echo said; exec >&-; sleep 60; true",
                                         "echo said; sleep 60 & exit 0", "echo said; yes"));

}  // namespace
}  // namespace polhode
