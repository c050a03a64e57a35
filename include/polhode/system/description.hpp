// Host-side description of a system or method: plain data, read by the command line, the files and the documents.
#pragma once

#include <cstdint>

#include "polhode/scalar/config.hpp"

/// Name of the system of a header, on its last line, outside of namespaces, for `polhode run --system HEADER`.
#define POLHODE_SYSTEM(...)               \
  namespace polhode::inline POLHODE_ISA { \
  using SystemOfHeader = __VA_ARGS__;     \
  }

namespace polhode {

/// Kind of a system, by its states and equations of motion.
enum class Kind {
  canonical,    ///< positions and momenta: q' = H_p, p' = -H_q
  constrained,  ///< the same with constraints g(q) = 0
  reduced,      ///< shape coordinates, reduced momenta and the angle of a symmetry that is divided out
  lie_poisson,  ///< momenta in the dual of a Lie algebra, and variables advected with them
};

/// Adjacent columns of a state that form one vector.
struct Block {
  enum class Form { position, momentum, angle, unit_vector, quaternion };
  int first, size;
  Form form;

  /// Whether its length is 1.
  constexpr bool is_unit() const { return form == Form::unit_vector || form == Form::quaternion; }
};

/// Whether a quantity is an angle, and of which kind.
enum class Angle : std::uint8_t {
  no,
  wrapped,    ///< in (-pi, pi], with a jump at the ends
  unbounded,  ///< counts turns; sections, conditions, densities and histograms take it modulo 2 pi
};

/// Names of the kinds of angle in lists and files.
inline constexpr const char* angle_names[] = {"", "wrapped", "unbounded"};

/// A named number: a state column, an observable or an invariant.
struct Quantity {
  const char* name;
  const char* unit;  ///< in the system's own units; "1" if dimensionless
  const char* meaning;
  Angle angle = Angle::no;
};

/// Condition on the value of a parameter.
enum class Bound { finite, positive, unit_vector };

/// One parameter, scalar (size 1) or vector, as it appears in [system] of a configuration.
struct Parameter {
  const char* name;
  const char* unit;
  int size;
  const double* default_value;  ///< `size` numbers, or null if the parameter must be given
  Bound bound;
  const char* meaning;
};

/// Another way to give a parameter, of the same size.
struct Alternative {
  const char* name;
  const char* parameter;  ///< the parameter that it stands for, whose bound it must satisfy
  const char* meaning;
  void (*convert)(const double* given, double* parameter);
};

/// Set to which the momenta of a constrained system belong (McLachlan & Scovel 1995, sect. 3).
enum class Momentum : std::uint8_t {
  hidden_constraint,  ///< on CM: G W p = 0
  tangent,            ///< on TN: p = psi(q, p), orthogonal to the gradients of the constraints
  unprojected,        ///< not projected after the last kick
};

/// Largest number of states of a chart over one point on one side.
inline constexpr int max_chart_points = 4;

struct ChartAxis {
  const char* name;    ///< name of the coordinate
  const char* column;  ///< column of the state that has its value,
  double sign;         ///< up to this factor
};

/// Coordinates on a section: the plane in which it is drawn, and over which [ensemble] from = "section" starts.
struct Chart {
  const char* section;     ///< the section, in words
  const char* observable;  ///< the observable whose crossings form it
  ChartAxis axes[2];
  const char* side;  ///< the column whose sign separates the two halves of the section, both of which cover the picture
  const char* branches[2][max_chart_points];  ///< names of the states over a point: positive side, negative side
  bool is_one_way = false;  ///< both halves cross the section upwards; else the second one crosses it downwards
};

/// Ranges of a chart at an energy, over all states of the section.
struct ChartRange {
  double half_axes[2];        ///< of the box around the section; not positive if no state has the energy
  double least_energy;        ///< smallest energy of any state
  double most_momentum;       ///< bound on the modulus of the momentum
  double centre[2] = {0, 0};  ///< of the box
};

}  // namespace polhode
