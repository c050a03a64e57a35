// Sizes of the arguments of kernels: CUDA allows for 32 KiB.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "catalog_types.hpp"
#include "polhode/observer/selection.hpp"
#include "polhode/observer/statistics.hpp"
#include "polhode/run/carried.hpp"
#include "polhode/run/staged_step.hpp"

namespace polhode::test {
namespace {

template <class... Map>
std::size_t largest_constants(StepMaps<Map...>) {
  return std::max({sizeof(StageConstants<Map, double>)...});
}
template <class Map, class... System>
std::size_t largest_constants(TypeList<System...>) {
  return std::max({largest_constants(typename Map::template StepMapsOn<System>{})...});
}
template <class... Map>
std::size_t largest_constants_of(TypeList<Map...>) {
  return std::max({largest_constants<Map>(typename CatalogTypes<Map>::Systems{})...});
}

TEST(KernelArguments, LeaveRoom) {
  EXPECT_LE(sizeof(Plan), 3072u);  // 2968
  EXPECT_EQ(sizeof(Stage), 16u);
  const std::size_t constants = largest_constants_of(CatalogStepMaps{});
  EXPECT_LE(constants, (28u << 10) - sizeof(Plan));  // 25608 of underwater-vehicle-reduced
  EXPECT_LE(sizeof(Plan) + constants + sizeof(Segment) + 2 * sizeof(BatchView) + sizeof(CrossingView), 30u << 10);
  EXPECT_LE(sizeof(Plan) + sizeof(PointSelection) + sizeof(CrossingView), 6144u);
  EXPECT_LE(sizeof(Plan) + sizeof(StatisticsPlan), 6144u);
}

}  // namespace
}  // namespace polhode::test
