// Host-side description of a system or method: plain data that the command line, the files and the docs read.
#pragma once

namespace polhode {

/// A named number: a state column, an observable or an invariant.
struct Quantity {
  const char* name;
  const char* unit;  ///< in the system's own units; "1" when dimensionless
  const char* meaning;
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

/// Coordinates on a section, from which [ensemble] from = "section" starts.
struct Chart {
  const char* section;  ///< what the section is, and what it needs
  const char* coordinates[2];
  const char* branches[2];  ///< sheets of the energy surface over a point, the default first
};

}  // namespace polhode
