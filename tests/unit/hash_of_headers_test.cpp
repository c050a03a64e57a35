// Hashes of headers: a change is seen by what includes it, and by nothing else.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "modules/headers.hpp"
#include "modules/module_source.hpp"

namespace polhode {
namespace {

using Strings = std::vector<std::string>;

class HashOfHeaders : public ::testing::Test {
 protected:
  static constexpr const char* headers[] = {"top.hpp", "middle.hpp", "leaf.hpp", "other.hpp"};

  void SetUp() override {
    // Includes count in whatever condition and brackets, once in a circle, and not in comments.
    write("top.hpp", "#pragma once\n  #  include \"middle.hpp\"  // it\n#include <vector>\nint top;");
    write("middle.hpp", "#if 0\n#include <leaf.hpp>\n#endif\n// #include \"none.hpp\"\n#include \"top.hpp\"\n");
    write("leaf.hpp", "int leaf;\n");
    write("other.hpp", "int other;\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / name) << text;
  }
  Strings hashes() const { return hashes_of_closures({folder_, folder_, folder_}, headers); }
  /// Names of those headers whose hashes are others than these.
  Strings changed_since(const Strings& before) const {
    const Strings now = hashes();
    Strings names;
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i] != before[i]) names.emplace_back(headers[i]);
    return names;
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("polhode-" + std::to_string(::getpid()));
};

TEST_F(HashOfHeaders, AChangeIsSeenByWhatIncludesIt) {
  const Strings before = hashes();
  write("leaf.hpp", "int leaves;\n");
  EXPECT_EQ(changed_since(before), (Strings{"top.hpp", "middle.hpp", "leaf.hpp"}));
  write("leaf.hpp", "int leaf;\n");
  EXPECT_EQ(changed_since(before), Strings());
  write("other.hpp", "int another;\n");
  EXPECT_EQ(changed_since(before), Strings{"other.hpp"});
}

TEST_F(HashOfHeaders, WhatIsNoHeaderOfModulesIsNotLeftOut) {
  write("other.hpp", "#include \"unknown.hpp\"\n");
  EXPECT_THROW(hashes(), std::runtime_error);
  std::filesystem::remove(folder_ / "other.hpp");
  EXPECT_THROW(hashes(), std::runtime_error);
}

TEST_F(HashOfHeaders, SourcesCountWhatTheyInclude) {
  constexpr HeaderHash all[] = {{"a", "1"}, {"b", "2"}}, others[] = {{"a", "1"}, {"b", "3"}};
  const Strings a{"a"}, both{"a", "b"};
  EXPECT_EQ(hash_of_headers(a, all), hash_of_headers(a, others));
  EXPECT_NE(hash_of_headers(both, all), hash_of_headers(both, others));
  EXPECT_THROW(hash_of_headers(Strings{"c"}, all), std::logic_error);
}

/// Hashes of the program, against its headers as they are now.
TEST(HashesOfHeaders, AreOfEachHeader) {
  const auto hashes = hashes_of_headers();
  ASSERT_TRUE(std::ranges::equal(
      hashes, shared_headers(), {}, [](const HeaderHash& row) { return std::string(row.header); },
      [](const char* header) { return std::string(header); }));
  const Strings now = hashes_of_closures(header_folders(), shared_headers());
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_EQ(now[i], hashes[i].hash) << hashes[i].header;
}

/// A kernel on a GPU depends on where a trajectory is kept, which no header of its source says.
TEST(ModuleKeys, HaveTheResidenceOnGpus) {
  const auto key = [](const Target& target, Residence residence) {
    const SourceType system{"polhode/system/heavy_top.hpp", "HeavyTop"};
    return source_of(system, "heavy-top", target, residence).key;
  };
  EXPECT_NE(key(Target::gpu(90), Residence::registers), key(Target::gpu(90), Residence::memory));
  EXPECT_EQ(key(Isa::scalar, Residence::registers), key(Isa::scalar, Residence::memory));
}

}  // namespace
}  // namespace polhode
