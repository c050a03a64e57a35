// polhode new-system: the files that a system of one's own begins with.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output_file.hpp"
#include "error.hpp"

namespace polhode {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_letters = 60;

// In these texts @name@ is the name of the system, @file@ that of its files, and @Type@ a name for types.

/// [system] of a system of formulas.
constexpr std::string_view formulas =
    R"(# H of the coordinates and their momenta, and what is 0: a bead on a sphere in gravity. polhode list methods FILE shows
# which methods it has; what may be written here: docs/guide/formulas.md.
[system]
name = "@name@"
hamiltonian = "(px^2 + py^2 + pz^2)/(2*m) + m*g*z"
coordinates = ["x", "y", "z"]
momenta = ["px", "py", "pz"]
constraints = ["(x^2 + y^2 + z^2 - r^2)/2"]     # leave it out for a system without constraints
parameters = {m = 1.0, r = 1.0, g = 1.0}
conserved = {angular_momentum_z = "x*py - y*px"}

)";

/// [system] of a system of a header.
constexpr std::string_view named_header = R"([system]
header = "@file@.hpp"
m = 1.0
r = 1.0

)";

/// Other tables of the configuration.
constexpr std::string_view tables = R"([method]
name = "rattle"
step = 0.02

[ensemble]
from = "states"
variables = "velocity"     # x y z, then their rates; what is a little off the constraint is moved to it
states = [
  [0.2, 0.0, -0.9798, 0.0, 0.5, 0.0],
  [0.4, 0.0, -0.9165, 0.0, 0.5, 0.0],
  [0.6, 0.0, -0.8,    0.0, 0.5, 0.0],
]

[run]
steps = 20000

[section]
name = "pz"                # the lowest points of the motion
direction = "up"

[output]
file = "@file@.h5"
)";

constexpr std::string_view header_text = R"(// @name@: a bead on a sphere in gravity.
//
//   H(q, p) = |p|^2 / (2 m) + m g z,   0 = g(q) = (|q|^2 - r^2) / 2
//
// The headers polhode/system/phase_space.hpp and constrained_system.hpp say what may be written here.
#pragma once

#include "polhode/system/constrained_system.hpp"

namespace polhode::inline POLHODE_ISA {

struct @Type@Physics {
  static constexpr const char* name = "@name@";
  static constexpr const char* meaning = "bead on a sphere in gravity";
  static constexpr int N = 3, D = 1;  // coordinates, constraints

  static constexpr double default_g[] = {1.0};
  static constexpr Parameter parameters[] = {
      // name, unit, how many numbers, default or nullptr, bound, meaning
      {"m", "mass", 1, nullptr, Bound::positive, "mass"},
      {"r", "length", 1, nullptr, Bound::positive, "radius of the sphere"},
      {"g", "length/time^2", 1, default_g, Bound::finite, "gravity, along -z"},
  };
  static constexpr std::array<Quantity, 2 * N> columns{{
      {"x", "length", "position"},
      {"y", "length", "position"},
      {"z", "length", "position, upward"},
      {"px", "mass length/time", "momentum"},
      {"py", "mass length/time", "momentum"},
      {"pz", "mass length/time", "momentum"},
  }};

  // Parameters in the order of the table, a step that resolves their motion, and a state near the constraints.
  static constexpr double example_parameters[] = {1.0, 1.0, 1.0};
  static constexpr double example_step = 0.05;
  static void example_state(const double* p, double* x) {
    const double state[] = {0.6 * p[1], 0, -0.8 * p[1], 0, 0.8 * p[0] * p[1], 0};
    for (int i = 0; i < 2 * N; ++i) x[i] = state[i];
  }

  // T is a number, a pack of them, or one with derivatives: + - * /, sqrt and scalar/elementary.hpp, no if.
  template <class T>
  struct Equations {
    T mass, radius, gravity;

    POLHODE_HD explicit Equations(const double* p) : mass(number(p[0])), radius(number(p[1])), gravity(number(p[2])) {}

    /// W p = M^-1 p.
    POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& p) const { return (number(1) / mass) * p; }
    /// V.
    POLHODE_HD T potential(const Vec<T, N>& q) const { return mass * gravity * q[2]; }
    /// g.
    POLHODE_HD Vec<T, D> constraints(const Vec<T, N>& q) const { return {number(0.5) * (dot(q, q) - radius * radius)}; }
    /// About the vertical.
    POLHODE_HD T angular_momentum(const Vec<T, N>& q, const Vec<T, N>& p) const { return q[0] * p[1] - q[1] * p[0]; }

    // Quantities that are conserved besides the energy. Leave the table out where there are none.
    static constexpr ConservedRow<Equations, T, N> conserved[1] = {
        // name, unit, meaning; the function
        {{"angular_momentum_z", "mass length^2/time", "about the vertical"}, &Equations::angular_momentum},
    };

   private:
    POLHODE_HD static T number(double x) { return T(static_cast<Real<T>>(x)); }
  };
};

using Own@Type@ = ConstrainedSystem<@Type@Physics>;

}  // namespace polhode::inline POLHODE_ISA

POLHODE_SYSTEM(Own@Type@)
)";

/// Whether it has lower-case letters, digits and single hyphens between them, and begins with a letter.
bool is_system_name(std::string_view name) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (name.empty() || name.size() > most_letters || !is_lower(name[0]) || name.back() == '-') return false;
  return std::ranges::all_of(name, [&](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '-'; }) &&
         name.find("--") == std::string_view::npos;
}

/// The characters of a name that can be printed, for a message.
std::string printable(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f; }, '?');
  return name;
}

std::string with_underscores(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string in_camel_case(std::string_view name) {
  std::string camel;
  bool is_first = true;
  for (const char c : name) {
    if (c != '-') camel += is_first && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = c == '-';
  }
  return camel;
}

std::string filled(std::string_view text, const std::string& name) {
  std::string all(text);
  for (const auto& [mark, value] : {std::pair<std::string_view, std::string>{"@name@", name},
                                    {"@file@", with_underscores(name)},
                                    {"@Type@", in_camel_case(name)}})
    for (std::size_t at = all.find(mark); at != std::string::npos; at = all.find(mark, at + value.size()))
      all.replace(at, mark.size(), value);
  return all;
}

void refuse_existing(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored)))
    throw InputError(fmt::format("cannot write {} (it exists). Choose another folder.", file.string()));
}

}  // namespace

ExitCode new_system_command(const NewSystemOptions& options) {
  const std::string& name = options.name;
  if (!is_system_name(name))
    throw InputError(fmt::format(
        "cannot use the name '{}' (it must be lower-case letters, digits and single hyphens between them, {} "
        "at most, and begin with a letter). Write for example bead-on-torus.",
        printable(name), most_letters));
  const fs::path folder = options.folder.empty() ? fs::path(name) : options.folder;
  const fs::path config = folder / (with_underscores(name) + ".toml"),
                 header = folder / (with_underscores(name) + ".hpp");
  refuse_existing(config);
  if (options.header) refuse_existing(header);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw IoError(fmt::format("cannot make the folder {} ({}). Choose another.", folder.string(), error.message()));
  write_output_file(config, filled(options.header ? named_header : formulas, name) + filled(tables, name));
  if (options.header) try {
      write_output_file(header, filled(header_text, name));
    } catch (const Error&) {
      fs::remove(config, error);
      throw;
    }
  fmt::print("wrote {}{}. Next:\n  polhode run {}\n", options.header ? header.string() + " and " : "", config.string(),
             config.string());
  return ExitCode::done;
}

}  // namespace polhode
