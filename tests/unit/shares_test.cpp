#include "driver/shares.hpp"

#include <gtest/gtest.h>

namespace polhode {
namespace {

TEST(Shares, AreWholeSlicesOneAfterAnother) {
  for (const std::int64_t n : {1, 1023, 1024, 1025, 5000, 6376, 100'000, 10'000'000})
    for (const std::int64_t slice : {1024, 4096, 262'144})
      for (const int ranks : {1, 2, 3, 7, 64}) {
        std::int64_t next = 0;
        for (int rank = 0; rank < ranks; ++rank) {
          const ShareOfEnsemble share = share_of(n, slice, rank, ranks);
          EXPECT_EQ(share.first, next);
          EXPECT_GE(share.count, 0);
          // Slices of all ranks are those of one: only the last of all is shorter.
          next += share.count;
          EXPECT_TRUE(next % slice == 0 || next == n);
        }
        EXPECT_EQ(next, n);
      }
}

TEST(Shares, AreFairWhereThereAreEnoughTrajectories) {
  constexpr std::int64_t preferred = 1 << 22;
  for (const std::int64_t n : {100'000, 1'000'000, 10'000'000})
    for (const int ranks : {2, 3, 4, 7, 8}) {
      const std::int64_t slice = fair_slice(n, preferred, ranks);
      const std::int64_t count = share_of(n, slice, 0, ranks).count;
      EXPECT_LE(count * ranks, n * 9 / 8) << n << " on " << ranks;
      // Not smaller than need be.
      const bool fairer = share_of(n, 2 * slice, 0, ranks).count * ranks <= n * 9 / 8;
      EXPECT_TRUE(slice == preferred || !fairer) << n << " on " << ranks;
    }
  EXPECT_EQ(fair_slice(1000, preferred, 8), 1024);
  EXPECT_EQ(fair_slice(10'000'000, preferred, 1), preferred);
}

}  // namespace
}  // namespace polhode
