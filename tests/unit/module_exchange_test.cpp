// Modules as bytes, for other machines.
#include <gtest/gtest.h>

#include <string>

#include "catalog/catalog.hpp"
#include "error.hpp"
#include "modules/module_source.hpp"
#include "modules/modules.hpp"

namespace polhode {
namespace {

ModuleSource module_for(Isa isa) {
  const SystemEntry& system = *find_system("kepler");
  return source_of(system.source, system.name, isa);
}

TEST(ModuleExchange, WhatIsDamagedOrAnotherModuleIsRefused) {
  const ModuleSource module = module_for(Isa::scalar), other = module_for(Isa::avx2);
  load_modules({module, other});
  const std::string bytes = read_module(module);
  ASSERT_TRUE(is_on_disk(module));
  ASSERT_FALSE(bytes.empty());
  EXPECT_NO_THROW(receive_module(module, bytes));

  std::string flipped = bytes, flipped_seal = bytes;
  flipped[bytes.size() / 2] ^= 1;
  flipped_seal.back() ^= 1;
  for (const std::string& damaged : {flipped, flipped_seal, bytes.substr(1), bytes.substr(0, bytes.size() - 1),
                                     bytes + bytes, std::string("damaged"), std::string()})
    EXPECT_THROW(receive_module(module, damaged), UnavailableError);
  EXPECT_THROW(receive_module(other, bytes), UnavailableError);
}

TEST(ModuleExchange, WhatIsMissingIsNowhere) {
  ModuleSource unknown = module_for(Isa::scalar);
  unknown.key += "nobody has this\n";
  unknown.stem += "-unknown";
  EXPECT_FALSE(is_on_disk(unknown));
  EXPECT_EQ(read_module(unknown), "");
  const auto missing = missing_modules({unknown, module_for(Isa::scalar)});
  ASSERT_FALSE(missing.empty());
  EXPECT_EQ(missing.front().key, unknown.key);
}

}  // namespace
}  // namespace polhode
