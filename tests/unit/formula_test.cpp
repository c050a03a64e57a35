// Formulas: grammar, mistakes, values, what is recognised, and the code that is made of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "formula/evaluate.hpp"
#include "formula/formula_system.hpp"

namespace polhode::test {
namespace {

/// Two coordinates x, y with momenta px, py, a parameter a, and a vector parameter w.
FormulaTexts spec_of(const std::string& hamiltonian) {
  FormulaTexts spec;
  spec.hamiltonian = hamiltonian;
  spec.coordinates = {"x", "y"};
  spec.momenta = {"px", "py"};
  spec.parameters = {{"a", {1.5}}, {"w", {2, 3, 5}}};
  return spec;
}

/// Values of x, y, px, py, a, w1, w2, w3.
const std::vector<double> point{0.75, -0.5, 1.25, 2.0, 1.5, 2, 3, 5};

double value_at(const FormulaSystem& system, int node, const std::vector<double>& at = point) {
  return FormulaValues<double>(system.tree, system.tree.used_by({&node, 1}), at)[node];
}

TEST(Formula, HasTheUsualGrammar) {
  const double x = 0.75, y = -0.5, px = 1.25, py = 2, a = 1.5;
  const std::pair<const char*, double> formulas[] = {
      {"px", px},
      {"-x^2*px", -(x * x) * px},
      {"2^-1*px", px / 2},
      {"px*2^3^0.5", px * std::pow(2, std::pow(3, 0.5))},
      {"px - x - y", px - x - y},
      {"px / 4 / a * py", px / 4 / a * py},
      {"px + 1.5e-3 + .25 + 2.", px + 1.5e-3 + .25 + 2},
      {"--px", px},
      {"+px", px},
      {" ( px )\n+\ty ", px + y},
      {"px**2 + py ** 2", px * px + py * py},
      {"px*x^(3/2)", px * (x * std::sqrt(x))},
      {"px*x^(-1/2)", px / std::sqrt(x)},
      {"px*x^-3", px / (x * x * x)},
      {"px*x^4", px * (x * x) * (x * x)},
      {"px*pow(x, 4)", px * (x * x) * (x * x)},
      {"px*x^a", px * std::pow(x, a)},
      {"px*x^0", px},
      {"px*sqrt(x)", px * std::sqrt(x)},
      {"px*exp(y) + log(x)", px * std::exp(y) + std::log(x)},
      {"px*sin(x)*cos(y)*tan(x)", px * std::sin(x) * std::cos(y) * std::tan(x)},
      {"px + asin(x) + acos(y) + atan(y)", px + std::asin(x) + std::acos(y) + std::atan(y)},
      {"px*atan2(y, x)", px * std::atan2(y, x)},
      {"px*(sinh(x) + cosh(y) + tanh(x))", px * (std::sinh(x) + std::cosh(y) + std::tanh(x))},
      {"px*pi", px * std::numbers::pi},
      {"dot([px, py], [x, y])", px * x + py * y},
      {"norm([px, py])", std::sqrt(px * px + py * py)},
      {"dot(cross([x, y, 0], [px, py, 0]), [0, 0, 1])", x * py - y * px},
      {"px + dot(w, 2*[x, y, 1] - [1, 0, 0]/4)", px + 2 * (2 * x - 0.25) + 3 * 2 * y + 5 * 2},
      {"px + w1 - w2 + w3", px + 2 - 3 + 5},
  };
  for (const auto& [text, expected] : formulas) {
    SCOPED_TRACE(text);
    const FormulaSystem system = make_formula_system(spec_of(text));
    EXPECT_NEAR(value_at(system, system.hamiltonian), expected, 4e-16 * (1 + std::abs(expected)));
  }
}

TEST(Formula, ObservablesMayHaveCorners) {
  FormulaTexts spec = spec_of("px^2/2");
  spec.observables = {{"a_abs", "abs(y)"}, {"a_max", "max(x, y)"}, {"a_min", "min(x, y)"}};
  const FormulaSystem system = make_formula_system(spec);
  EXPECT_EQ(value_at(system, system.observables[0].node), 0.5);
  EXPECT_EQ(value_at(system, system.observables[1].node), 0.75);
  EXPECT_EQ(value_at(system, system.observables[2].node), -0.5);
}

TEST(Formula, NamesAreFoundInAnyOrder) {
  FormulaTexts spec = spec_of("px^2/2 + zeta");
  spec.let = {{"alpha", "x^2"}, {"zeta", "beta + 1"}, {"beta", "alpha + r"}};
  spec.observables = {{"r", "sqrt(alpha + y^2)"}};
  const FormulaSystem system = make_formula_system(spec);
  EXPECT_EQ(value_at(system, system.hamiltonian), 1.25 * 1.25 / 2 + (0.5625 + std::sqrt(0.8125) + 1));
}

/// Parts that are written twice are computed once, and white space makes no difference.
TEST(Formula, IsSharedAndNormal) {
  const std::string text = header_text(make_formula_system(spec_of("px^2/2 + sin(x + y)*cos(x + y)")));
  EXPECT_EQ(text, header_text(make_formula_system(spec_of("px**2 / 2+sin( x+y )\n*cos((x + y))"))));
  EXPECT_NE(text, header_text(make_formula_system(spec_of("px^2/2 + sin(y + x)*cos(x + y)"))));
  ASSERT_NE(text.find("q[0] + q[1]"), std::string::npos);
  EXPECT_EQ(text.find("q[0] + q[1]"), text.rfind("q[0] + q[1]"));
}

TEST(Formula, OnlyExactConstantsAreFolded) {
  EXPECT_NE(header_text(make_formula_system(spec_of("px + 1/3*x"))).find("number(1.0) / number(3.0)"),
            std::string::npos);
  EXPECT_NE(header_text(make_formula_system(spec_of("px + 1/4*x"))).find("number(0.25) * q[0]"), std::string::npos);
}

TEST(Formula, MechanicalSystemsAreRecognised) {
  const auto form = [](const char* text) { return make_formula_system(spec_of(text)).form(); };
  for (const char* const text :
       {"(px^2 + py^2)/2 + x^2*y", "px*px/(2*a) + py^2/(2*w1) + cos(x)", "0.5*(px + py)^2 + py^2 - 1/x",
        "dot([px, py], [px, py])/2", "(px^2 + py^2 + x^2)/2", "-(-px^2 - py^2)", "px^2 + a*px*py + py^2 + exp(y)"})
    EXPECT_EQ(form(text), SystemForm::mechanical) << text;
  for (const char* const text :
       {"(px^2 + py^2)/2 + x*py - y*px", "px^2/2 + cos(x)", "(px^2 + py^2)*(1 + x)", "sqrt(px^2 + py^2)", "px^4 + py^2",
        "px^2*py^2", "px^2/(1 + x^2) + py^2", "cos(px) + py^2", "1/(px^2 + py^2)"})
    EXPECT_EQ(form(text), SystemForm::canonical) << text;
  FormulaTexts spec = spec_of("(px^2 + py^2)/2");
  spec.constraints = {"x^2 + y^2 - a^2"};
  EXPECT_EQ(make_formula_system(spec).form(), SystemForm::constrained);
  spec.hamiltonian = "(px^2 + py^2)/2 + x*py";
  EXPECT_EQ(make_formula_system(spec).form(), SystemForm::hamiltonian);
}

TEST(Formula, TheMassMatrixIsThatOfTheHamiltonian) {
  const FormulaSystem system = make_formula_system(spec_of("(px + a*py)^2/(2*w1) + py^2/4 + x"));
  ASSERT_TRUE(system.mechanical);
  const double px = 1.25, py = 2, a = 1.5, w1 = 2;
  const auto entry = [&](int k) {
    return value_at(system, system.mechanical->inverse_mass[static_cast<std::size_t>(k)]);
  };
  EXPECT_NEAR(entry(0) * px + entry(1) * py, (px + a * py) / w1, 1e-15);
  EXPECT_NEAR(entry(2) * px + entry(3) * py, a * (px + a * py) / w1 + py / 2, 1e-15);
  EXPECT_EQ(value_at(system, system.mechanical->potential), 0.75);
}

std::string mistake_in(const FormulaTexts& spec) {
  try {
    make_formula_system(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// Mistakes are one line each, with the place.
TEST(Formula, MistakesHaveAPlace) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "it ends where a number or a name is missing, at its beginning"},
      {"px +", "it ends where a number or a name is missing, at character 5, after \"px +\""},
      {"(px", "it ends where \")\" is missing, at character 4, after \"(px\""},
      {"px)", "nothing is open that \")\" could close, at character 3, after \"px\""},
      {"[px, py", "it ends where \"]\" is missing, at character 8, after \"[px, py\""},
      {"2px", "\"px\" stands where an operator is missing: 2*px, at character 2, after \"2\""},
      {"x px", "\"px\" stands where an operator is missing, at character 3, after \"x\""},
      {"px (x)", "px is no function; write px*( for a product, at character 4, after \"px\""},
      {"pi(2)", "pi is no function; write pi*( for a product, at character 3, after \"pi\""},
      {"px^^2", "\"^\" stands where a number or a name is missing, at character 4, after \"px^\""},
      {"px +* y", "\"*\" stands where a number or a name is missing, at character 5, after \"px +\""},
      {"foo(px)", "unknown function \"foo\", at its beginning; known: "},
      {"sqr(px)", "unknown function \"sqr\", at its beginning; nearest known: \"sqrt\""},
      {"px + yy", "unknown name \"yy\", at character 6, after \"px +\"; nearest known: \"y\""},
      {"sin px", "sin is a function, and its argument is missing, at its beginning"},
      {"px*sin()", "sin has 1 argument, not 0, at character 4, after \"px*\""},
      {"px*sin(x, y)", "sin has 1 argument, not 2, at character 4, after \"px*\""},
      {"px*atan2(x)", "atan2 has 2 arguments, not 1, at character 4, after \"px*\""},
      {"px $ 2", "\"$\" has no meaning, at character 4, after \"px\""},
      {"px = 2", "\"=\" has no meaning, and comparisons are <, <=, > and >=, at character 4, after \"px\""},
      {"\xcf\x80*px", "\"\xcf\x80\" has no meaning, at its beginning"},
      {"px + \x01", "\"\\x01\" has no meaning, at character 6, after \"px +\""},
      {"px + \xff", "\"\\xff\" has no meaning, at character 6, after \"px +\""},
      {"1e999*px", "the number is too large or too small, at its beginning"},
      {"3.5.2*px", "\".2\" stands where an operator is missing, at character 4, after \"3.5\""},
      {"px < 2", "a comparison has no place, at character 4, after \"px\""},
      {"px and x", "\"and\" stands where an operator is missing, at character 4, after \"px\""},
      {"[px, py]", "it is a vector"},
      {"px*[1, 2]", "it is a vector"},
      {"px + [1, 2]", "a number and a vector of 2 cannot be added, at character 4, after \"px\""},
      {"px/[1, 2]", "a vector divides nothing, at character 3, after \"px\""},
      {"[x, y]*[px, py]", "vectors are multiplied by dot and cross, at character 7, after \"[x, y]\""},
      {"dot([px, py], x)", "dot is of two vectors of one length, at character 15, after \"dot([px, py],\""},
      {"cross([x, y], [px, py])", "cross is of two vectors of three numbers, at character 7, after \"cross(\""},
      {"norm(px)", "norm is of a vector, at character 6, after \"norm(\""},
      {"sin([px, py])", "a vector stands where a number is missing, at character 5, after \"sin(\""},
      {"[x, y]^2", "a power is one of numbers, at character 7, after \"[x, y]\""},
      {"px/0", "it divides by 0, at character 3, after \"px\""},
      {"px*0^-1", "it divides by 0, at character 5, after \"px*0\""},
      {"px*log(-1)", "it is of -1, and there it is not defined, at character 8, after \"px*log(\""},
      {"px*sqrt(-2)", "it is of -2, and there it is not defined, at character 9, after \"px*sqrt(\""},
      {"px*asin(2)", "it is of 2, and there it is not defined, at character 9, after \"px*asin(\""},
      {"px*(-1)^0.5", "it is of -1, and there it is not defined, at character 8, after \"px*(-1)\""},
      {"abs(px)", "abs, min and max have no derivatives everywhere"},
      {"x + y", "no momentum stands in it, so that nothing moves"},
  };
  for (const auto& [text, words] : mistakes) {
    const std::string found = mistake_in(spec_of(text));
    EXPECT_TRUE(found.starts_with(std::string("cannot use system.hamiltonian (") + words)) << text << ": " << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << text;
  }
}

TEST(Formula, MistakesInOtherKeys) {
  const auto with = [](const std::function<void(FormulaTexts&)>& change) {
    FormulaTexts spec = spec_of("(px^2 + py^2)/2");
    change(spec);
    return mistake_in(spec);
  };
  const std::pair<std::string, const char*> mistakes[] = {
      {with([](FormulaTexts& s) { s.name = "a\"; int b"; }), "system.name (it is no name of a system)"},
      {with([](FormulaTexts& s) { s.coordinates = {}; }), "system.coordinates (there are none)"},
      {with([](FormulaTexts& s) { s.momenta = {"px"}; }), "system.momenta (there are 1, and 2 coordinates)"},
      {with([](FormulaTexts& s) {
         s.coordinates = {"x", "x"};
       }),
       "system.coordinates (\"x\" is there twice)"},
      {with([](FormulaTexts& s) {
         s.coordinates = {"x", "2y"};
       }),
       "system.coordinates (\"2y\" is no name)"},
      {with([](FormulaTexts& s) {
         s.coordinates = {"x", "sin"};
       }),
       "system.coordinates (\"sin\" has a meaning already)"},
      {with([](FormulaTexts& s) { s.parameters["x"] = {1}; }), "system.parameters.x (\"x\" is there twice)"},
      {with([](FormulaTexts& s) { s.parameters["w1"] = {1}; }), "system.parameters.w1 (\"w1\" is there twice)"},
      {with([](FormulaTexts& s) { s.parameters["b"] = {}; }), "system.parameters.b (it is empty)"},
      {with([](FormulaTexts& s) { s.let["b"] = "b + 1"; }), "system.let.b (it is made of itself)"},
      {with([](FormulaTexts& s) {
         s.let = {{"b", "c"}, {"c", "b"}};
       }),
       "system.let.c (it is made of itself)"},
      {with([](FormulaTexts& s) { s.let["b"] = "x +"; }), "system.let.b (it ends where"},
      {with([](FormulaTexts& s) { s.observables["energy"] = "x"; }), "system.observables.energy (\"energy\" has a"},
      {with([](FormulaTexts& s) { s.observables["r"] = "[x, y]"; }), "system.observables.r (it is a vector)"},
      {with([](FormulaTexts& s) { s.conserved["L"] = "x*py - y*pz"; }),
       "system.conserved.L (unknown name \"pz\", at character 10"},
      {with([](FormulaTexts& s) { s.constraints = {"x*px"}; }),
       "system.constraints (it has px in it, and constraints are"},
      {with([](FormulaTexts& s) { s.constraints = {"a - 1"}; }),
       "system.constraints (no coordinate stands in \"a - 1\")"},
      {with([](FormulaTexts& s) {
         s.constraints = {"x", "y"};
       }),
       "system.constraints (2 leave nothing of 2 coordinates)"},
      {with([](FormulaTexts& s) { s.constraints = {"abs(x) - 1"}; }), "system.constraints (abs, min and max"},
      {with([](FormulaTexts& s) { s.domain = "x + y"; }),
       "system.domain (it ends where <, <=, > or >= is missing, at character 6"},
      {with([](FormulaTexts& s) { s.domain = "x < 1 and"; }),
       "system.domain (it ends where a number or a name is missing"},
      {with([](FormulaTexts& s) { s.domain = "x < y < 1"; }),
       "system.domain (a comparison has no place, at character 7"},
      {with([](FormulaTexts& s) { s.angles = {"px"}; }),
       "system.angles (\"px\" is neither a coordinate nor an observable)"},
  };
  for (const auto& [found, words] : mistakes)
    EXPECT_TRUE(found.starts_with(std::string("cannot use ") + words)) << words << ": " << found;
  EXPECT_EQ(with([](FormulaTexts& s) { s.domain = "x < 1 and y >= -2*a"; }), "none");
}

TEST(Formula, SizeAndDepthAreBounded) {
  const std::string deep(100'000, '(');
  EXPECT_NE(mistake_in(spec_of(deep)).find("it is nested too deeply there, at character"), std::string::npos);
  EXPECT_NE(mistake_in(spec_of(std::string(50'000, '-') + "px")).find("nested too deeply"), std::string::npos);
  EXPECT_NE(mistake_in(spec_of(deep + deep)).find("more than 100000 characters"), std::string::npos);
  std::string large = "px";
  for (int k = 0; k < 12'000; ++k) large += "+x*" + std::to_string(k);
  EXPECT_NE(mistake_in(spec_of(large.substr(0, 90'000) + "+x")).find("it is too large"), std::string::npos);
}

/// A formula of numbers that are positive, in which digits are not lost, with its value in extended precision.
struct RandomFormula {
  std::string text;
  long double value;
};
class Random {
 public:
  RandomFormula formula(int depth) {
    while (true)
      if (const RandomFormula found = attempt(depth); found.value > 1e-3L && found.value < 1e3L) return found;
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  RandomFormula attempt(int depth) {
    static constexpr const char* names[] = {"x", "px", "py", "a", "w1", "w2"};
    static constexpr long double values[] = {0.75L, 1.25L, 2, 1.5L, 2, 3};
    if (depth == 0) {
      const std::size_t k = below(8);
      if (k < 6) return {names[k], values[k]};
      return {k == 6 ? "0.375" : "2.5e0", k == 6 ? 0.375L : 2.5L};
    }
    const RandomFormula a = formula(depth - 1 - static_cast<int>(below(static_cast<std::size_t>(depth)))),
                        b = formula(depth - 1);
    const auto in = [](const RandomFormula& f) { return "(" + f.text + ")"; };
    switch (below(14)) {
      case 0: return {a.text + " + " + b.text, a.value + b.value};
      case 1: return {in(a) + "*" + in(b), a.value * b.value};
      case 2: return {in(a) + "/" + in(b), a.value / b.value};
      case 3: return {"sqrt" + in(a), std::sqrt(a.value)};
      case 4: return {in(a) + "^3", a.value * a.value * a.value};
      case 5: return {in(a) + "^(-3/2)", 1 / (a.value * std::sqrt(a.value))};
      case 6: return {"exp(-" + in(a) + "/8)", std::exp(-a.value / 8)};
      case 7: return {"log(1 + " + in(a) + ")", std::log(1 + a.value)};
      case 8: return {"atan2(" + a.text + ", " + b.text + ")", std::atan2(a.value, b.value)};
      case 9: return {"tanh" + in(a), std::tanh(a.value)};
      case 10: return {"norm([" + a.text + ", " + b.text + "])", std::hypot(a.value, b.value)};
      case 11: return {"atan" + in(a), std::atan(a.value)};
      case 12: return {in(a) + "^0.3", std::pow(a.value, 0.3L)};
      default: return {"sin(" + in(a) + " / (1 + " + a.text + "))", std::sin(a.value / (1 + a.value))};
    }
  }
  std::mt19937_64 random_{5};
};
const int how_many = std::getenv("POLHODE_TEST_ALL") ? 100'000 : 10'000;

TEST(Formula, RandomOnesHaveTheirValues) {
  Random random;
  double worst = 0;
  for (int k = 0; k < how_many; ++k) {
    const RandomFormula formula = random.formula(1 + static_cast<int>(random.below(4)));
    const FormulaSystem system = make_formula_system(spec_of("px + " + formula.text));
    const double exact = static_cast<double>(1.25L + formula.value);
    const double error = std::abs(value_at(system, system.hamiltonian) / exact - 1);
    ASSERT_LT(error, 1e-13) << formula.text;
    worst = std::max(worst, error);
  }
  EXPECT_GT(worst, 1e-16);
}

/// Texts that are nearly formulas are formulas, or one line of error.
TEST(Formula, MutatedTextsDoNoHarm) {
  Random random;
  static constexpr char letters[] = "xpyaw123()[]+-*/^.,<>= \n\teinqrst\"\\#$\x80\xff";
  int good = 0, bad = 0;
  for (int k = 0; k < how_many; ++k) {
    std::string text = "px + " + random.formula(1 + static_cast<int>(random.below(3))).text;
    for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(text.size());
      const char letter = letters[random.below(sizeof letters - 1)];
      switch (random.below(3)) {
        case 0: text.erase(at, 1 + random.below(3)); break;
        case 1: text.insert(at, 1, letter); break;
        default: text[at] = letter;
      }
      if (text.empty()) text = "(";
    }
    const std::string found = mistake_in(spec_of(text));
    ++(found == "none" ? good : bad);
    ASSERT_EQ(found.find('\n'), std::string::npos) << text;
    if (found != "none") {
      ASSERT_TRUE(found.starts_with("cannot use system.hamiltonian (")) << found;
    }
  }
  EXPECT_GT(good, how_many / 50);
  EXPECT_GT(bad, how_many / 5);
}

}  // namespace
}  // namespace polhode::test
