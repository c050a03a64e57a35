// The elementary functions against MPFR, in units in the last place of the exact result.
#include <gtest/gtest.h>

#include "polhode/scalar/elementary.hpp"

#if !defined(POLHODE_HAVE_MPFR)

TEST(ElementaryAccuracy, IsMeasuredWithMpfr) { GTEST_SKIP() << "no MPFR (libmpfr-dev) was found"; }

#else

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>
#include <string>

namespace polhode::test {
namespace {

// Number of arguments of each kind and distribution.
const int arguments = std::getenv("POLHODE_TEST_ALL") ? 400000 : 100000;

class Exact {
 public:
  Exact() { mpfr_init2(value_, 200); }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  mpfr_ptr get() { return value_; }

  /// |found - value| / ulp(value); infinity counts as the first number that is too large.
  template <class R>
  double error_of(R found) {
    using Limits = std::numeric_limits<R>;
    if (mpfr_nan_p(value_) || std::isnan(found))
      return mpfr_nan_p(value_) && std::isnan(found) ? 0 : Limits::infinity();
    if (mpfr_inf_p(value_) || (mpfr_regular_p(value_) && mpfr_get_exp(value_) > Limits::max_exponent)) {
      const int sign = mpfr_sgn(value_);
      mpfr_set_si_2exp(value_, sign, Limits::max_exponent, MPFR_RNDN);
    }
    const long exponent = mpfr_regular_p(value_) ? std::max<long>(mpfr_get_exp(value_), Limits::min_exponent)
                                                 : static_cast<long>(Limits::min_exponent);
    if (std::isinf(found))
      mpfr_set_si_2exp(found_, found > 0 ? 1 : -1, Limits::max_exponent, MPFR_RNDN);
    else
      mpfr_set_d(found_, found, MPFR_RNDN);
    mpfr_sub(found_, found_, value_, MPFR_RNDN);
    mpfr_mul_2si(found_, found_, Limits::digits - exponent, MPFR_RNDN);
    return std::abs(mpfr_get_d(found_, MPFR_RNDN));
  }

 private:
  struct Number {
    mpfr_t it;
    Number() { mpfr_init2(it, 200); }
    ~Number() { mpfr_clear(it); }
    operator mpfr_ptr() { return it; }
  };
  mpfr_t value_;
  Number found_;
};

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// The largest error over the arguments that it has been shown.
template <class R>
struct Worst {
  double error = 0, of_normal = 0;  // of all, and where the result is not subnormal
  R x = 0, y = 0;

  template <class F>
  void add(F&& f, Unary exact, R at) {
    mpfr_set_d(argument_.get(), at, MPFR_RNDN);
    exact(exact_.get(), argument_.get(), MPFR_RNDN);
    note(f(at), at, 0);
  }
  template <class F>
  void add(F&& f, Binary exact, R first, R second) {
    mpfr_set_d(argument_.get(), first, MPFR_RNDN);
    mpfr_set_d(second_.get(), second, MPFR_RNDN);
    exact(exact_.get(), argument_.get(), second_.get(), MPFR_RNDN);
    note(f(first, second), first, second);
  }

 private:
  Exact exact_, argument_, second_;

  void note(R found, R a, R b) {
    const double e = exact_.error_of(found);
    if (e > error) error = e, x = a, y = b;
    if (e > of_normal && std::abs(found) > std::numeric_limits<R>::min()) of_normal = e;
  }
};

template <class R>
class ElementaryAccuracy : public testing::Test {
 protected:
  using Limits = std::numeric_limits<R>;
  static constexpr bool is_double = sizeof(R) == sizeof(double);

  R uniform(double low, double high) {
    return static_cast<R>(std::uniform_real_distribution<double>(low, high)(random_));
  }
  /// A positive number of any size between 2^low and 2^high.
  R scaled(int low, int high) {
    return static_cast<R>(std::ldexp(std::uniform_real_distribution<double>(1, 2)(random_),
                                     std::uniform_int_distribution<int>(low, high - 1)(random_)));
  }
  R any_positive() { return scaled(Limits::min_exponent - Limits::digits, Limits::max_exponent); }
  R sign() { return random_() % 2 ? R(1) : R(-1); }
  static R next(R x, int steps) {
    for (; steps > 0; --steps) x = std::nextafter(x, Limits::infinity());
    for (; steps < 0; ++steps) x = std::nextafter(x, -Limits::infinity());
    return x;
  }
  /// The bounds that are promised; they are at most a fifteenth above what is seen.
  void expect_within(double of_normal, double bound, const Worst<R>& worst) {
    RecordProperty("error", std::to_string(worst.error));
    EXPECT_LT(worst.error, bound) << "at " << worst.x << ", " << worst.y;
    EXPECT_LT(worst.of_normal, of_normal);
    EXPECT_GT(worst.of_normal, 0.499);  // half a unit is that of rounding: or nothing is measured
  }

  std::mt19937_64 random_{11};
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(ElementaryAccuracy, Reals);

TYPED_TEST(ElementaryAccuracy, OfExp) {
  using R = TypeParam;
  Worst<R> worst;
  const auto add = [&](R x) { worst.add([](R a) { return exp(a); }, mpfr_exp, x); };
  const double most = std::log(double{std::numeric_limits<R>::max()}), least = this->is_double ? -745.2 : -104;
  for (int k = 0; k < arguments; ++k) {
    add(this->uniform(-1, 1));
    add(this->uniform(least, most));
    add(this->uniform(least, std::log(double{std::numeric_limits<R>::min()}) + 1));  // subnormal results
    add(this->sign() * this->scaled(-60, 10));
    add(this->uniform(-1e-3, 1e-3) + R(std::numbers::ln2 * (static_cast<int>(this->random_() % 200) - 100) / 2));
  }
  for (int k = -2000; k <= 2000; ++k) {
    add(this->next(static_cast<R>(most), k));  // overflow, underflow to subnormal numbers and to 0
    add(this->next(static_cast<R>(std::log(double{std::numeric_limits<R>::min()})), k));
    add(this->next(static_cast<R>(std::log(double{std::numeric_limits<R>::min()}) -
                                  std::numbers::ln2 * std::numeric_limits<R>::digits),
                   k));
  }
  for (int k = 0; k < arguments / 10; ++k) add(this->sign() * this->any_positive());
  this->expect_within(0.65, 0.8, worst);
}

TYPED_TEST(ElementaryAccuracy, OfLog) {
  using R = TypeParam;
  Worst<R> worst;
  const auto add = [&](R x) { worst.add([](R a) { return log(a); }, mpfr_log, x); };
  for (int k = 0; k < arguments; ++k) {
    add(this->any_positive());
    add(this->uniform(0.5, 2));
    add(this->uniform(0, 1));
    add(1 + this->sign() * this->scaled(-std::numeric_limits<R>::digits, -1));
    add(std::numeric_limits<R>::min() * this->uniform(0, 1));
    add(this->next(R(std::ldexp(std::numbers::sqrt2, static_cast<int>(this->random_() % 5) - 3)),
                   static_cast<int>(this->random_() % 100) - 50));
  }
  for (int k = -2000; k <= 2000; ++k) add(this->next(1, k));
  this->expect_within(0.51, 0.51, worst);
}

TYPED_TEST(ElementaryAccuracy, OfPow) {
  using R = TypeParam;
  Worst<R> worst;
  const double most = std::log(double{std::numeric_limits<R>::max()}), least = this->is_double ? -746 : -105;
  const auto add = [&](R x, R y) { worst.add([](R a, R b) { return pow(a, b); }, mpfr_pow, x, y); };
  const auto reach = [&](R x) {
    add(x, static_cast<R>(this->uniform(least, most) / std::log(static_cast<double>(x))));
  };
  for (int k = 0; k < arguments; ++k) {
    reach(this->any_positive());
    reach(this->uniform(0.5, 2));
    reach(1 + this->sign() * this->scaled(-std::numeric_limits<R>::digits, -1));
    add(this->uniform(0, 100), this->uniform(-10, 10));
    add(this->uniform(0.7, 1.42), this->uniform(0, 1) * (this->is_double ? 2000 : 250));
  }
  for (int k = 0; k < arguments / 10; ++k) {
    add(this->any_positive(), this->sign() * this->any_positive());
    add(this->any_positive(), static_cast<R>(static_cast<int>(this->random_() % 41) - 20) / 4);
    // Overflow, and underflow to 0 and to subnormal numbers.
    const R x = this->uniform(1.1, 40);
    for (const double limit : {most, std::log(double{std::numeric_limits<R>::min()}), least + 0.87})
      add(x, this->next(static_cast<R>(limit / std::log(static_cast<double>(x))),
                        static_cast<int>(this->random_() % 20) - 10));
  }
  this->expect_within(0.65, 0.8, worst);
}

TYPED_TEST(ElementaryAccuracy, OfSinCosAndTan) {
  using R = TypeParam;
  Worst<R> of_sin, of_cos, of_tan;
  const auto add = [&](R x) {
    of_sin.add([](R a) { return sin(a); }, mpfr_sin, x);
    of_cos.add([](R a) { return cos(a); }, mpfr_cos, x);
    of_tan.add([](R a) { return tan(a); }, mpfr_tan, x);
  };
  const int range = this->is_double ? 30 : 14;
  const double most = std::ldexp(1, range);
  for (int k = 0; k < arguments; ++k) {
    add(this->uniform(-0.8, 0.8));
    add(this->uniform(-10, 10));
    add(this->uniform(-most, most));
    add(this->sign() * this->scaled(-60, range));
    // Next to a zero or an extremum.
    const double quarters = std::floor(this->sign() * this->scaled(0, range - 1));
    add(this->next(static_cast<R>(quarters * (std::numbers::pi / 2)), static_cast<int>(this->random_() % 3) - 1));
  }
  for (int k = 0; k < arguments / 10; ++k)
    add(this->sign() * this->scaled(std::numeric_limits<R>::min_exponent - std::numeric_limits<R>::digits, range));
  this->expect_within(0.8, 0.8, of_sin);
  this->expect_within(0.8, 0.8, of_cos);
  this->expect_within(0.85, 0.85, of_tan);
}

TYPED_TEST(ElementaryAccuracy, OfSinhCoshAndTanh) {
  using R = TypeParam;
  Worst<R> of_sinh, of_cosh, of_tanh;
  const auto add = [&](R x) {
    of_sinh.add([](R a) { return sinh(a); }, mpfr_sinh, x);
    of_cosh.add([](R a) { return cosh(a); }, mpfr_cosh, x);
    of_tanh.add([](R a) { return tanh(a); }, mpfr_tanh, x);
  };
  const double most = std::log(double{std::numeric_limits<R>::max()}) + std::numbers::ln2;
  for (int k = 0; k < arguments; ++k) {
    add(this->uniform(-1, 1));
    add(this->uniform(-25, 25));
    add(this->uniform(-most, most));
    add(this->sign() * this->scaled(-60, 10));
    // Next to where the series end, and where exp is scaled once more.
    add(this->next(static_cast<R>(std::numbers::ln2 * (static_cast<int>(this->random_() % 9) + 0.5)),
                   static_cast<int>(this->random_() % 100) - 50));
  }
  for (int k = -2000; k <= 2000; ++k) add(this->next(static_cast<R>(most), k));
  for (int k = 0; k < arguments / 10; ++k) add(this->sign() * this->any_positive());
  this->expect_within(0.8, 0.8, of_sinh);
  this->expect_within(0.65, 0.65, of_cosh);
  this->expect_within(0.65, 0.65, of_tanh);
}

TYPED_TEST(ElementaryAccuracy, OfAsinAcosAndAtan) {
  using R = TypeParam;
  Worst<R> of_asin, of_acos, of_atan;
  const auto add = [&](R x) {
    of_asin.add([](R a) { return asin(a); }, mpfr_asin, x);
    of_acos.add([](R a) { return acos(a); }, mpfr_acos, x);
    of_atan.add([](R a) { return atan(a); }, mpfr_atan, x);
  };
  for (int k = 0; k < arguments / 4; ++k) {
    add(this->uniform(-1, 1));
    add(this->uniform(-10, 10));  // beyond 1 only the arc tangent is a number
    add(this->sign() * this->any_positive());
    add(this->sign() * (1 - this->scaled(-std::numeric_limits<R>::digits, -1)));
    add(this->sign() *
        this->next(static_cast<R>(std::numbers::sqrt2 / 2), static_cast<int>(this->random_() % 100) - 50));
    for (const double turned : {std::numbers::sqrt2 - 1, std::numbers::sqrt2 + 1, 1.0})
      add(this->sign() * this->next(static_cast<R>(turned), static_cast<int>(this->random_() % 100) - 50));
  }
  this->expect_within(0.8, 0.8, of_asin);
  this->expect_within(0.8, 0.8, of_acos);
  this->expect_within(0.8, 0.8, of_atan);
}

TYPED_TEST(ElementaryAccuracy, OfAtan2) {
  using R = TypeParam;
  Worst<R> worst;
  const auto add = [&](R y, R x) {
    worst.add([](R a, R b) { return atan2(a, b); }, mpfr_atan2, y == 0 ? y : this->sign() * y, this->sign() * x);
  };
  for (int k = 0; k < arguments / 4; ++k) {
    add(this->uniform(0, 1), this->uniform(0, 1));
    add(this->any_positive(), this->any_positive());
    add(this->scaled(-20, 20), this->scaled(-20, 20));
    const R x = this->any_positive();
    add(this->next(x, static_cast<int>(this->random_() % 100) - 50), x);
    const R wide = this->scaled(std::numeric_limits<R>::max_exponent - 3, std::numeric_limits<R>::max_exponent);
    add(wide * this->uniform(0, 1), wide);
    const R small = std::numeric_limits<R>::min() * this->scaled(-20, 20);
    add(small * this->uniform(0, 1), small);
  }
  this->expect_within(0.8, 0.8, worst);
}

}  // namespace
}  // namespace polhode::test

#endif
