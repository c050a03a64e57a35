// Observables that formulas add to a system, and the conditions of sections.
#include "formula/added_observables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "error.hpp"

namespace polhode::test {
namespace {

const SystemEntry& top() { return *find_system("heavy-top"); }

ObservablesOfTexts made(const ObservableTexts& texts, const SystemEntry& system = top()) {
  return make_added_observables(texts, system.observables, system.parameters);
}

std::string refusal(const ObservableTexts& texts) {
  try {
    made(texts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double value(const AddedObservables& added, int which, const std::vector<double>& p, const std::vector<double>& x) {
  return added.value(which, p.data(), [&](int k) { return top().own_observable(p.data(), k, x.data()); });
}

TEST(AddedObservables, AreOfColumnsObservablesParametersAndEachOther) {
  const AddedObservables added = made({.observables = {{"a", "sqrt(pi1^2 + pi2^2)"},
                                                       {"b", "2*a - energy"},
                                                       {"k", "k0*chi3"},
                                                       {"k0", "dot(inertia, [1, 0, 2])"}}})
                                     .added;
  ASSERT_EQ(added.all.size(), 4u);
  const std::vector<double> p(top().example_parameters.begin(), top().example_parameters.end());
  const std::vector<double> x{0.3, -0.4, 0.2, 0, 0.6, 0.8};
  EXPECT_EQ(value(added, 0, p, x), 0.5);
  EXPECT_DOUBLE_EQ(value(added, 1, p, x), 1.0 - top().observe(p.data(), top().find_observable("energy"), x.data()));
  EXPECT_DOUBLE_EQ(value(added, 2, p, x), (p[0] + 2 * p[2]) * p[5]);  // inertia and chi are the first parameters
}

TEST(AddedObservables, AreAnglesIfTheirLastOperationIsAtan2) {
  const AddedObservables added = made({.observables = {{"a", "atan2(pi2, pi1)"}, {"b", "2*atan2(pi2, pi1)"}}}).added;
  EXPECT_EQ(added.all[0].angle, Angle::wrapped);
  EXPECT_EQ(added.all[1].angle, Angle::no);
}

TEST(AddedObservables, TheCodeOfKernelsHasOnlyThoseThatTheyNeed) {
  const ObservableTexts alone{.observables = {{"m", "pi1*pi2"}}, .where = "pi1 + pi2 > 0", .needed = {"m"}};
  ObservableTexts more = alone;
  more.observables["a"] = "exp(pi3)";
  const AddedObservables few = made(alone).added, many = made(more).added;
  EXPECT_EQ(few.n_in_kernels, 2);
  EXPECT_EQ(many.n_in_kernels, 2);
  EXPECT_EQ(few.code(2), many.code(2));
  EXPECT_EQ(many.all.back().name, "a");
}

TEST(AddedObservables, ConditionsCompareWhatIsThereWithNumbers) {
  const int energy = top().find_observable("energy"), n = static_cast<int>(top().observables.size());
  const ObservablesOfTexts plain = made({.where = "pi1>0 and 0.5 >= gamma1 and energy < 2*3"});
  EXPECT_TRUE(plain.added.all.empty());
  ASSERT_EQ(plain.where.size(), 3u);
  EXPECT_EQ(plain.where[0].observable, 0);
  EXPECT_EQ(plain.where[1].observable, 3);
  EXPECT_EQ(plain.where[1].relation, FormulaRelation::less_equal);
  EXPECT_EQ(plain.where[1].value, 0.5);
  EXPECT_EQ(plain.where[2].observable, energy);
  EXPECT_EQ(plain.where[2].value, 6);

  const ObservablesOfTexts formula =
      made({.observables = {{"m", "pi1*pi2"}, {"other", "pi3"}}, .where = "m < pi3 and pi1*pi2 > 1"});
  ASSERT_EQ(formula.where.size(), 2u);
  EXPECT_EQ(formula.where[0].observable, n);
  EXPECT_EQ(formula.where[0].value, 0);
  EXPECT_EQ(formula.where[1].observable, n + 1);
  EXPECT_EQ(formula.where[1].value, 1);
  EXPECT_EQ(formula.added.n_in_kernels, 2);
  EXPECT_EQ(formula.added.all[1].name, "m");  // the same node
}

TEST(AddedObservables, OtherNamesOfWhatTheSystemHasAreTheSame) {
  const SystemEntry& satellite = *find_system("j2-satellite-reduced");
  const int theta = satellite.find_observable("theta");
  const AddedObservables added = made({.observables = {{"a", "theta"}, {"b", "theta + 0"}}}, satellite).added;
  EXPECT_EQ(added.all[0].angle, Angle::unbounded);
  EXPECT_EQ(added.all[0].unit, satellite.observables[theta].unit);
  EXPECT_EQ(added.all[1].angle, Angle::no);
  EXPECT_EQ(added.all[1].unit, "");
  // Numbers that do not fold exactly are numbers, too.
  const ObservablesOfTexts where = made({.where = "theta < pi/3 and 1/3 < r"}, satellite);
  EXPECT_TRUE(where.added.all.empty());
  EXPECT_EQ(where.where[0].observable, theta);
  EXPECT_EQ(where.where[0].value, std::numbers::pi / 3);
  EXPECT_EQ(where.where[1].value, 1.0 / 3);
}

TEST(AddedObservables, NamesOfASystemMayBeThoseOfTheGrammarOrHaveDots) {
  const std::vector<Quantity> own{{"q1.x", "1", ""}, {"norm", "1", ""}, {"pi", "1", ""}};
  const ObservablesOfTexts where = make_added_observables({.where = "q1.x < 1 and norm < 2 and pi > 0"}, own, {});
  for (int k = 0; k < 3; ++k) EXPECT_EQ(where.where[static_cast<std::size_t>(k)].observable, k);
}

TEST(AddedObservables, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(refusal({.observables = {{"r", "pi1 + pi9"}}}),
            "cannot use system.observables.r (unknown name \"pi9\", at character 7, after \"pi1 +\"; nearest known: "
            "\"pi1\"). Correct it.");
  for (const char* const name : {"pi1", "energy", "chi", "sqrt", "1a", "a-b", ""})
    EXPECT_NE(refusal({.observables = {{name, "pi1"}}}), "") << name;
  EXPECT_NE(refusal({.observables = {{"a", "b"}, {"b", "a"}}}).find("it is made of itself"), std::string::npos);
  EXPECT_NE(refusal({.observables = {{"a", "[pi1, pi2, pi3]"}}}).find("it is a vector"), std::string::npos);
  for (const char* const text : {"1 < 2", "1/3 < 1/7"})
    EXPECT_NE(refusal({.where = text}).find("it compares numbers alone"), std::string::npos) << text;
  EXPECT_NE(refusal({.where = "pi1 < exp(1000)"}).find("no finite number"), std::string::npos);
  for (const char* const text : {"pi1 = 0", "pi1 > 0 or pi2 > 0", "pi1", "pi1 >", "> 0", "pi1 > 0 and",
                                 "pi1 > 0 pi2 < 0", "pi1 > x", "0 < pi1 < 1"})
    EXPECT_NE(refusal({.where = text}).find("cannot use section.where ("), std::string::npos) << text;
}

TEST(AddedObservables, NamesOfSystemsCanStandInFormulas) {
  for (const SystemEntry& system : systems())
    for (const Quantity& quantity : system.observables)
      EXPECT_TRUE(is_name(quantity.name)) << system.name << ": " << quantity.name;
}

}  // namespace
}  // namespace polhode::test
