// The limit of a GPU, as far as its table goes.
#include "backend/cuda/fma_units.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace polhode;

namespace {

TEST(FmaUnits, OfHopper) {
  EXPECT_EQ(fma_units(9, 0, Precision::binary64), 64);
  EXPECT_EQ(fma_units(9, 0, Precision::binary32), 128);
}

TEST(FmaUnits, OfAnUnknownDeviceAreUnknown) {
  EXPECT_TRUE(std::isnan(fma_units(9, 9, Precision::binary64)));
  EXPECT_TRUE(std::isnan(fma_units(99, 0, Precision::binary32)));
}

}  // namespace
