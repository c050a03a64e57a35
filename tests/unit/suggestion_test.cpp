// What is offered for a name that is unknown.
#include "suggestion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "error.hpp"
#include "spec/resolved_run.hpp"
#include "spec/schema.hpp"
#include "synonyms.hpp"

namespace polhode {
namespace {

using Names = std::vector<std::string>;

Names all_systems() {
  Names names;
  for (const SystemEntry& system : systems())
    for (const char* name : {system.name, system.family})
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  return names;
}
Names methods_on(const char* system) {
  Names names;
  for (const MethodEntry* method : methods_of(*find_system(system))) names.emplace_back(method->name);
  return names;
}
const Names backends(choice_names<BackendChoice>.begin(), choice_names<BackendChoice>.end());

TEST(Suggestion, IsASynonymABeginningOrWords) {
  EXPECT_EQ(near_names("gpu", backends), Names{"cuda"});
  EXPECT_EQ(near_names("GPU", backends), Names{"cuda"});
  EXPECT_EQ(near_names("nvidia", backends), Names{"cuda"});
  EXPECT_EQ(near_names("leapfrog", methods_on("henon-heiles")), Names{"stoermer-verlet"});
  EXPECT_EQ(near_names("verlet", methods_on("kepler")), Names{"stoermer-verlet"});
  EXPECT_EQ(near_names("leapfrog", methods_on("heavy-top")), Names{"rattle"});
  EXPECT_EQ(near_names("henon", all_systems()), Names{"henon-heiles"});
  EXPECT_EQ(near_names("top", all_systems()), (Names{"heavy-top", "heavy-top-matrix"}));
  EXPECT_EQ(near_names("gyroscope", all_systems()), (Names{"heavy-top", "heavy-top-matrix"}));
  EXPECT_EQ(near_names("satellite", all_systems()),
            (Names{"j2-satellite", "j2-satellite-cylindrical", "j2-satellite-reduced"}));
  EXPECT_EQ(near_names("double_pendulum", all_systems()),
            (Names{"double-spherical-pendulum", "double-spherical-pendulum-cylindrical",
                   "double-spherical-pendulum-reduced"}));
  EXPECT_EQ(near_names("yoshida", Names{"none", "yoshida4", "suzuki4"}), Names{"yoshida4"});
  for (const char* word : {"pendulum", "molecule"})
    for (const std::string& name : all_systems())
      EXPECT_EQ(std::ranges::count(near_names(word, all_systems()), name), name.find(word) == std::string::npos ? 0 : 1)
          << name;
}

TEST(Suggestion, IsTheNearestOfThoseThatAreNear) {
  EXPECT_EQ(near_names("heavy-topp", all_systems()), Names{"heavy-top"});
  EXPECT_EQ(near_names("keplre", all_systems()), Names{"kepler"});
  EXPECT_EQ(near_names("st\u00f6rmer-verlet", methods_on("kepler")), Names{"stoermer-verlet"});
  EXPECT_EQ(near_names("pi1_", Names{"pi1+", "pi1+2", "pi1-", "pi1-2"}), Names{"pi1+"});
  EXPECT_EQ(near_names("ensembl", Names{"ensemble", "ensemble.grid", "ensemble.energy"}), Names{"ensemble"});
  EXPECT_EQ(near_names("--bakcend", Names{"--backend", "--isa"}), Names{"--backend"});
}

TEST(Suggestion, IsNothingFarFromEverything) {
  EXPECT_EQ(near_names("three-body", all_systems()), Names{});  // half of it is rigid-body
  EXPECT_EQ(near_names("lorenz", all_systems()), Names{});
  EXPECT_EQ(near_names("--size", Names{"--help", "--view", "--axes", "-o"}), Names{});
  EXPECT_EQ(near_names("q", Names{"q1", "q2"}), Names{});  // of which all begin with it
  EXPECT_EQ(near_names("", backends), Names{});
  EXPECT_EQ(near_names("anything", Names{}), Names{});
}

TEST(Suggestion, InWords) {
  EXPECT_EQ(nearest_known("gpu", backends), "; nearest known: \"cuda\"");
  EXPECT_EQ(nearest_known("top", all_systems()), "; nearest known: \"heavy-top\", \"heavy-top-matrix\"");
  EXPECT_EQ(nearest_known("fpga", backends), "; known: auto, reference, cpu, cuda");
  EXPECT_EQ(nearest_known("fpga", Names{}), "");
}

/// A synonym of nothing would never be seen.
TEST(Suggestion, SynonymsStandForNamesThatThereAre) {
  Names all = all_systems();
  all.insert(all.end(), backends.begin(), backends.end());
  for (const MethodEntry& method : methods()) all.emplace_back(method.name);
  for (const Synonym& synonym : synonyms) {
    EXPECT_EQ(std::ranges::find(all, synonym.word), all.end()) << synonym.word;
    EXPECT_FALSE(names_meant(synonym.meant, all).empty()) << synonym.word;
  }
}

std::string refusal(const std::string& system) {
  RunSpec spec;
  spec.system.name = system;
  try {
    resolve(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Which may be one of a header that was not given, unless it is like one that is there.
TEST(Suggestion, OfAnUnknownSystem) {
  EXPECT_NE(refusal("fput").find("See polhode list systems, or name the header of your own system with --system or "
                                 "system.header."),
            std::string::npos)
      << refusal("fput");
  EXPECT_EQ(refusal("heavy-topp"),
            "cannot use system.name (unknown system \"heavy-topp\"; nearest known: \"heavy-top\"). See polhode list "
            "systems.");
}

}  // namespace
}  // namespace polhode
