// The tables of polhode/method/compositions.hpp against the order conditions, by computing with them in the free
// algebra that these come from: a step map is exp(h A1 + h^2 A2 + h^3 A3 + ...) of operators that do not commute, its
// adjoint exp(h A1 - h^2 A2 + h^3 A3 - ...), and a symmetric one has odd powers alone. A composition has the order p if
// the product of its stages is exp(h A1) up to h^p, whatever the other operators are.
#include "polhode/method/compositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "error.hpp"
#include "spec/resolved_run.hpp"

namespace polhode::test {
namespace {

using Number = long double;
/// The degrees of the factors of a word A_i A_j ...; its own degree is their sum.
using Word = std::vector<int>;
/// A sum of words with coefficients, up to some degree.
using Series = std::map<Word, Number>;

int degree(const Word& word) {
  int sum = 0;
  for (const int d : word) sum += d;
  return sum;
}

Series product(const Series& a, const Series& b, int most) {
  Series result;
  for (const auto& [u, x] : a)
    for (const auto& [v, y] : b) {
      if (degree(u) + degree(v) > most) continue;
      Word word = u;
      word.insert(word.end(), v.begin(), v.end());
      result[word] += x * y;
    }
  return result;
}

Series exponential(const Series& of, int most) {
  Series sum{{{}, 1}}, term = sum;
  for (int k = 1; k <= most; ++k) {
    term = product(term, of, most);
    for (auto& [word, value] : term) sum[word] += value /= k;
  }
  return sum;
}

/// A share of the step, of a symmetric map, a map or its adjoint.
struct Share {
  Number fraction;
  enum { symmetric, map, adjoint } kind;
};

Series stage(const Share& share, int most) {
  Series generator;
  Number power = 1;
  for (int d = 1; d <= most; ++d) {
    power *= share.fraction;
    if (d % 2 == 1)
      generator[{d}] = power;
    else if (share.kind != Share::symmetric)
      generator[{d}] = share.kind == Share::map ? power : -power;
  }
  return exponential(generator, most);
}

/// [degree]: the sum of moduli of the coefficients of words of that degree by which the composition is not the exact
/// flow.
std::vector<Number> residuals(const std::vector<Share>& shares, int most) {
  Series step{{{}, 1}};
  for (const Share& share : shares) step = product(step, stage(share, most), most);
  for (const auto& [word, value] : exponential({{{1}, 1}}, most)) step[word] -= value;
  std::vector<Number> sums(most + 1, 0);
  for (const auto& [word, value] : step) sums[degree(word)] += std::abs(value);
  return sums;
}

std::vector<Share> of_symmetric(std::vector<Number> half) {
  std::vector<Share> shares;
  for (const Number g : half) shares.push_back({g, Share::symmetric});
  for (auto g = half.rbegin() + 1; g != half.rend(); ++g) shares.push_back({*g, Share::symmetric});
  return shares;
}
/// As spec/composition.cpp makes it of a map with an adjoint.
std::vector<Share> of_map(const CompositionTable& table) {
  std::vector<Share> shares;
  if (table.alternating.empty()) {
    for (const Share& share : of_symmetric({table.fractions.begin(), table.fractions.end()})) {
      shares.push_back({share.fraction / 2, Share::map});
      shares.push_back({share.fraction / 2, Share::adjoint});
    }
    return shares;
  }
  for (const Number g : table.alternating) shares.push_back({g, Share::map});
  for (auto g = table.alternating.rbegin(); g != table.alternating.rend(); ++g) shares.push_back({*g, Share::map});
  for (std::size_t i = 1; i < shares.size(); i += 2) shares[i].kind = Share::adjoint;
  return shares;
}

/// Of the first error, by a computation of its own with 60 digits (mpmath). Tables of order 4 keep their order when
/// fractions are exchanged, and are told by it.
struct Expected {
  const char* name;
  double error;
};
constexpr Expected expected[] = {{"yoshida4", 5.86906},     {"suzuki4", 0.0906138},
                                 {"mclachlan4", 0.161971},  {"kahan-li6", 0.0574847},
                                 {"kahan-li8", 0.00291013}, {"sofroniou-spaletta10", 1.23073e-5}};

class CompositionTables : public ::testing::TestWithParam<CompositionTable> {
 protected:
  /// Up to a hundred words, sums of products of fractions of size 1, in long double; tables have 25 digits at least.
  static constexpr Number round_off = 1e-16L;
};
INSTANTIATE_TEST_SUITE_P(All, CompositionTables, ::testing::ValuesIn(composition_tables), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

void expect_order(const std::vector<Share>& shares, int order, Number round_off, Number least) {
  const std::vector<Number> found = residuals(shares, order + 1);
  for (int d = 0; d <= order; ++d) EXPECT_LT(found[d], round_off) << "degree " << d;
  EXPECT_GT(found[order + 1], least);
}

TEST_P(CompositionTables, MeetTheirOrderConditionsAndNoMore) {
  const CompositionTable& table = GetParam();
  const std::vector<Share> shares = of_symmetric({table.fractions.begin(), table.fractions.end()});
  expect_order(shares, table.order, round_off, 1e-7L);
  const auto row = std::ranges::find(expected, std::string(table.name), &Expected::name);
  ASSERT_NE(row, std::end(expected));
  EXPECT_NEAR(static_cast<double>(residuals(shares, table.order + 1).back()) / row->error, 1, 1e-5);  // six digits
}

TEST_P(CompositionTables, OfAMapAndItsAdjoint) {
  const CompositionTable& table = GetParam();
  if (table.order > 8)
    return;  // a product of 70 series with 512 words each takes minutes; the next test has its halves
  expect_order(of_map(table), table.order, 4 * round_off, 1e-8L);
}

/// A map over g / 2 and its adjoint over g / 2 are a symmetric map over g: what the halves of a fraction rest on.
TEST(Compositions, HalvesAreSymmetric) {
  constexpr int most = 8;
  const auto step = product(stage({0.35L, Share::map}, most), stage({0.35L, Share::adjoint}, most), most);
  const auto back = product(stage({-0.35L, Share::map}, most), stage({-0.35L, Share::adjoint}, most), most);
  for (const auto& [word, value] : product(step, back, most))
    EXPECT_NEAR(static_cast<double>(value), word.empty() ? 1 : 0, 1e-17) << word.size();
}

TEST_P(CompositionTables, UnequalFractionsThatAreExchangedAreSeen) {
  const CompositionTable& table = GetParam();
  const auto row = std::ranges::find(expected, std::string(table.name), &Expected::name);
  for (std::size_t i = 0; i < table.fractions.size(); ++i)
    for (std::size_t k = i + 1; k < table.fractions.size(); ++k) {
      if (table.fractions[i] == table.fractions[k]) continue;
      if (table.order > 8 && k > i + 1 && k + 1 < table.fractions.size()) continue;  // within seconds
      std::vector<Number> half(table.fractions.begin(), table.fractions.end());
      std::swap(half[i], half[k]);
      const std::vector<Number> found = residuals(of_symmetric(half), table.order + 1);
      Number most = 0;
      for (int d = 0; d <= table.order; ++d) most = std::max(most, found[d]);
      const bool is_seen = most > 1e-9L || std::abs(static_cast<double>(found.back()) / row->error - 1) > 0.02;
      EXPECT_TRUE(is_seen) << i << " and " << k << ": " << static_cast<double>(most) << ", "
                           << static_cast<double>(found.back());
    }
}

ResolvedRun resolved(const char* system, const char* method, const Value& composition) {
  RunSpec spec;
  spec.system.name = system;
  const SystemEntry& entry = *find_system(system);
  const double* value = entry.example_parameters.data();
  for (const Parameter& p : entry.parameters) {
    spec.system.parameters[p.name] = std::vector<double>(value, value + p.size);
    value += p.size;
  }
  spec.method.name = method;
  spec.method.step = entry.example_step;
  spec.method.options["composition"] = composition;
  std::vector<double> state(entry.dim);
  entry.example_state(entry.example_parameters.data(), state.data());
  spec.ensemble = GivenStarts{.states = {.numbers = state, .width = state.size()}};
  spec.execution.steps = 1;
  return resolve(spec);
}

TEST(Compositions, DeclareWhatTheFractionsSay) {
  const double g = 1 / (2 - std::cbrt(2.0));
  const struct {
    Value composition;
    int stages, order;
    bool symmetric;
  } cases[] = {
      {std::string("none"), 1, 2, true},
      {std::string("yoshida4"), 3, 4, true},
      {std::string("sofroniou-spaletta10"), 35, 10, true},
      {std::vector<double>{1}, 1, 2, true},
      {std::vector<double>{0.3, 0.4, 0.3}, 3, 2, true},
      {std::vector<double>{0.2, 0.5, 0.3}, 3, 2, false},
      {std::vector<double>{g, 1 - 2 * g, g}, 3, 4, true},
      {std::vector<double>{g, g, 1 - 2 * g}, 3, 3, false},
      {std::vector<double>{1.3512071919596576, -1.7024143839193153, 1.3512071919596576}, 3, 4, true},
      {std::vector<double>(64, 1.0 / 64), 64, 2, true},
  };
  for (const auto& one : cases) {
    const ResolvedRun run = resolved("heavy-top", "rattle", one.composition);
    EXPECT_EQ(run.step_plan.n_stages, one.stages);
    EXPECT_EQ(run.properties.order, one.order) << one.stages;
    EXPECT_EQ(run.properties.symmetric, one.symmetric) << one.stages;
    EXPECT_TRUE(run.properties.poisson);
  }
  EXPECT_EQ(resolved("heavy-top", "constraint-euler", std::string("none")).properties.order, 1);
  for (const char* method : {"constraint-euler", "constraint-euler-adjoint"}) {
    EXPECT_EQ(resolved("heavy-top", method, std::string("mclachlan4")).step_plan.n_stages, 10);
    EXPECT_EQ(resolved("heavy-top", method, std::string("sofroniou-spaletta10")).step_plan.n_stages, 70);
    EXPECT_EQ(resolved("heavy-top", method, std::vector<double>{1}).properties.order, 2);
  }
}

/// As few constants as there are lengths.
TEST(Compositions, LikeStagesShareTheirConstants) {
  const auto lengths = [](const char* method, const char* composition) {
    const StepPlan step = resolved("heavy-top", method, std::string(composition)).step_plan;
    std::map<int, const Stage*> first;
    for (int i = 0; i < step.n_stages; ++i) {
      const Stage& stage = step.stages[i];
      const Stage& like = *first.try_emplace(stage.constants, &stage).first->second;
      EXPECT_EQ(stage.fraction, like.fraction);
      EXPECT_EQ(step.kicks[stage.kicks], step.kicks[like.kicks]);
    }
    return first.size();
  };
  EXPECT_EQ(lengths("rattle", "suzuki4"), 2u);
  EXPECT_EQ(lengths("rattle", "kahan-li8"), 9u);
  EXPECT_EQ(lengths("constraint-euler", "kahan-li8"), 18u);
  EXPECT_EQ(lengths("constraint-euler", "mclachlan4"), 10u);
}

TEST(Compositions, WhatCannotBeUsedIsRefused) {
  const auto refusal = [](const char* system, const char* method, const Value& composition) -> std::string {
    try {
      resolved(system, method, composition);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  const double nan = std::nan("");
  const std::string cannot = "cannot use method.composition (";
  EXPECT_EQ(refusal("heavy-top", "rattle", std::vector<double>{0.5, 0.25}),
            cannot + "its fractions sum up to 0.75). Give fractions whose sum is 1.");
  EXPECT_EQ(refusal("heavy-top", "rattle", std::vector<double>{}),
            cannot + "its fractions sum up to 0). Give fractions whose sum is 1.");
  EXPECT_EQ(refusal("heavy-top", "rattle", std::vector<double>{nan, 1}),
            cannot + "it is not finite). Give a finite number.");
  EXPECT_EQ(refusal("heavy-top", "rattle", std::vector<double>{0.5, 0, 0.5}),
            cannot + "a fraction is 0). Give fractions of the step.");
  EXPECT_EQ(refusal("heavy-top", "rattle", std::vector<double>(65, 1.0 / 65)),
            cannot + "it has 65 fractions). Give 64 at most.");
  EXPECT_EQ(refusal("spherical-pendulum", "rk4", std::string("yoshida4")),
            cannot + "rk4 is neither symmetric nor has an adjoint). Leave it out, or choose another method.");
  EXPECT_EQ(refusal("heavy-top", "rattle", std::string("yoshida5")),
            cannot + "unknown value \"yoshida5\"; nearest known: \"yoshida4\"). Choose one of those.");
  EXPECT_EQ(refusal("heavy-top", "rattle", 4.0),
            cannot + "it is neither a string nor a list of numbers). Give a string in quotes, or numbers in brackets.");
  EXPECT_EQ(refusal("heavy-top", "rattle", true),
            cannot + "it is neither a string nor a list of numbers). Give a string in quotes, or numbers in brackets.");
  EXPECT_NE(refusal("henon-heiles", "rattle", std::string("none")).find("henon-heiles has no method \"rattle\""),
            std::string::npos);
}

}  // namespace
}  // namespace polhode::test
