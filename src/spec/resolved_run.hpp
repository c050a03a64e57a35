// A specification whose names have been looked up in the catalog, and in which everything fits together.
#pragma once

#include <optional>

#include "catalog/catalog.hpp"
#include "catalog/conversion.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/observer/selection.hpp"

namespace polhode {

/// Description of the run's system in which states are given, as ensemble.as says, and their conversion to that system.
struct OtherDescription {
  const SystemEntry* system;
  Conversion conversion;
  /// Parameters of this description or of the run's system, whichever has more of them: the conversion needs them all.
  std::vector<double> parameters;
};

struct ResolvedRun {
  RunSpec spec;  ///< specification, completed with the system that a family's name meant, parameters, options, solver,
                 ///< branch
  const SystemEntry* system = nullptr;
  const MethodEntry* method = nullptr;
  int solver_index = 0;                      ///< index into method->solvers
  StepPlan step_plan;                        ///< stages of the step; their sweeps are not set yet (with_sweeps)
  Properties properties;                     ///< properties of the step
  std::optional<ExplicitTable> table;        ///< table that kernels are compiled with; none for a method without one
  std::vector<double> parameters;            ///< values of the parameters, flat, in the order of system->parameters
  std::optional<OtherDescription> given_as;  ///< description in which states are given; none: `system`
  SectionCondition where;                    ///< condition on the points of the section
  // Indices into system->observables:
  int section = -1;                  ///< observable of the section; -1: there is none
  std::array<int, 2> axes{};         ///< axes of the density
  std::vector<int> observables;      ///< observables of the statistics
  std::vector<int> section_columns;  ///< columns of the state that points of the section keep; empty: all

  /// The two columns in whose plane the starts lie; empty for starts over a chart, or in no plane.
  std::vector<std::string> start_axes() const;
  /// The description in which states are given: that of ensemble.as, or else the system of the run.
  const SystemEntry& given_system() const { return given_as ? *given_as->system : *system; }
  /// Whether the states that are given hold velocities in place of momenta.
  bool velocities() const;
  /// Whether the centre of mass of every start is brought to rest at the origin.
  bool starts_at_rest() const;
  const SolverEntry& solver() const { return method->solvers[solver_index]; }
  /// The method's table in words, e.g. "dop853, order 8"; empty for a method without one.
  std::string table_in_words() const;
  /// The composition of the method's steps, in words; empty without one.
  std::string composition_in_words() const;
  /// Bits of all invariants of the system: bit i for invariant i.
  std::uint32_t all_invariants() const;
  /// Whether the section's value is the one at which its observable, an angle, jumps. A jump is no crossing, even where
  /// round-off changes the sign before it.
  bool section_is_at_jump() const;
  /// Whether a boolean option of the method is set; false where it has none of that name.
  bool is_set(const std::string& name) const {
    const auto option = spec.method.options.find(name);
    const bool* value = option == spec.method.options.end() ? nullptr : std::get_if<bool>(&option->second);
    return value && *value;
  }
};

/// Resolves names and defaults; compiles the header of a user's system where it has to be. Throws InputError on unknown
/// names, on values out of bounds or that do not fit together, and on a header that cannot be used; UnavailableError or
/// IoError where the header cannot be compiled for another reason.
ResolvedRun resolve(RunSpec spec);

/// The section in words, e.g. "gamma3 = 0, up"; empty without one.
std::string describe_section(const RunSpec& spec);

/// Header of a user's system in words, e.g. "own.hpp, content 89abcdef01234567".
std::string describe(const OwnHeader& header);

/// Number and checksum of the starts that identify an ensemble: of all, or of the first few where they are drawn, since
/// seed and distribution say the rest.
struct StartsFingerprint {
  std::int64_t count;
  std::uint64_t checksum;
};

/// Identity of a run, which --resume requires to be the same: a line "key = value" for each key with KeyInfo::identity
/// and for whatever else the bits depend on. step: with its sweeps; backend: the name of the one chosen.
std::string identity(const ResolvedRun& run, const StepPlan& step, const std::string& backend,
                     const StartsFingerprint& starts);

}  // namespace polhode
