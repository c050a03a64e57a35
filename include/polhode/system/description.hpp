// Host-side description of a system or method: plain data that the command line, the files and the docs read.
#pragma once

namespace polhode {

/// What the states of a system are, and what moves them.
enum class Kind {
  canonical,    ///< positions and momenta: q' = H_p, p' = -H_q
  constrained,  ///< the same under constraints g(q) = 0
  lie_poisson,  ///< momenta in the dual of a Lie algebra, and what they carry along
};

/// Neighbouring columns of a state that are one vector.
struct Block {
  enum class Form { position, momentum, unit_vector, quaternion };
  int first, size;
  Form form;

  /// Whether its length is 1.
  constexpr bool is_unit() const { return form == Form::unit_vector || form == Form::quaternion; }
};

/// A named number: a state column, an observable or an invariant.
struct Quantity {
  const char* name;
  const char* unit;  ///< in the system's own units; "1" when dimensionless
  const char* meaning;
  bool is_angle = false;  ///< in (-pi, pi], where it jumps
};

/// What a parameter's value must satisfy.
enum class Bound { finite, positive, unit_vector };

/// One parameter, scalar (size 1) or vector, as it appears in [system] of a configuration.
struct Parameter {
  const char* name;
  const char* unit;
  int size;
  const double* default_value;  ///< size numbers, or null when the parameter must be given
  Bound bound;
  const char* meaning;
};

/// Another spelling of a parameter of the same size.
struct Alternative {
  const char* name;
  const char* parameter;  ///< what it stands for, and whose bound it must meet
  const char* meaning;
  void (*convert)(const double* given, double* parameter);
};

/// Which momentum a state of a constrained system has at its position (McLachlan & Scovel 1995, sect. 3).
enum class Momentum {
  hidden_constraint,  ///< on CM: G W p = 0
  tangent,            ///< on TN: p = psi(q, p), orthogonal to the constraints' gradients
  unprojected,        ///< where the kick left it
};

/// The most states that a chart has over one point on one side.
inline constexpr int max_chart_points = 4;

struct ChartAxis {
  const char* name;    ///< of the coordinate
  const char* column;  ///< of the state, whose value it is
  double sign;         ///< times this
};

/// Coordinates on a section: the plane in which it is drawn, and from which [ensemble] from = "section" starts.
struct Chart {
  const char* section;     ///< what the section is, in words
  const char* observable;  ///< whose crossings it consists of
  ChartAxis axes[2];
  const char* side;  ///< the column whose sign separates the two halves of the section, which the picture covers twice
  const char* branches[2][max_chart_points];  ///< names of the states over a point: positive side, negative side
};

/// What a chart can show at an energy, over all states of the section.
struct ChartRange {
  double half_axes[2];   ///< of the box around the section, centred at 0; not positive where no state has the energy
  double least_energy;   ///< of any state
  double most_momentum;  ///< bound on the modulus of the momentum
};

}  // namespace polhode
