// Keys of publications in headers, and the texts of the program.
#include "catalog/publications.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "catalog/catalog.hpp"
#include "polhode/method/compositions.hpp"
#include "polhode/method/explicit_tables.hpp"
#include "polhode/method/splittings.hpp"

namespace polhode::test {
namespace {

/// Keys of all systems, methods and tables, and of the shadow energy.
std::set<std::string> cited_keys() {
  std::set<std::string> keys;
  const auto cite = [&](Sources sources) {
    for (const Publication& publication : sources) keys.insert(publication.key);
  };
  for (const SystemEntry& system : systems()) cite(system.sources);
  for (const MethodEntry& method : methods()) cite(method.sources);
  for (const CompositionTable& table : composition_tables) keys.insert(table.source);
  for (const SplittingTable& table : splitting_tables) keys.insert(table.source);
  for (const NamedExplicitTable& table : explicit_tables) keys.insert(table.source);
  cite(shadow_sources);
  return keys;
}

TEST(Publications, HaveATextForEachKey) {
  const std::set<std::string> keys = cited_keys();
  EXPECT_GT(keys.size(), 10u);
  for (const std::string& key : keys) EXPECT_NE(bibtex_of({key.c_str()}), nullptr) << key;
  EXPECT_EQ(bibtex_of({"Nobody1900"}), nullptr);
}

TEST(Publications, AreAllCited) {
  const std::set<std::string> keys = cited_keys();
  for (const Publication& publication : publications()) EXPECT_TRUE(keys.contains(publication.key)) << publication.key;
}

TEST(Publications, AreInOrderWithTheKeyInTheText) {
  std::string last;
  for (const Publication& publication : publications()) {
    const std::string text = publication.bibtex, key = publication.key;
    EXPECT_NE(text.find("{" + key + ",\n"), std::string::npos) << key;
    EXPECT_LT(last, key);
    last = key;
  }
}

TEST(Publications, MayHaveTheirOwnTexts) {
  const Publication own{"Own2000", "@misc{Own2000}"};
  EXPECT_STREQ(bibtex_of(own), "@misc{Own2000}");
}

}  // namespace
}  // namespace polhode::test
