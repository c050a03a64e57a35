// Values that an observable which is an angle can have: a section, a condition or cells elsewhere would stay empty.
#pragma once

#include <string>

#include "polhode/core/run_spec.hpp"
#include "polhode/system/description.hpp"

namespace polhode {

/// The interval in which an angle lies, in words; an angle without bound is taken modulo 2 pi.
std::string interval_in_words(Angle angle);

/// Throws InputError where the observable of a section is an angle that jumps (Angle::wrapped), and `value` is beyond
/// [-pi, pi].
void check_section_value(const Quantity& observable, double value);

/// Throws InputError where `range`, given as `table`.range, is that of an angle and wider than a turn or, if the angle
/// jumps (Angle::wrapped), beyond [-pi, pi]. A thousandth more is no error, since users give pi with few digits.
void check_angle_range(const char* table, const Quantity& observable, const Interval& range);

}  // namespace polhode
