// The schema of the configuration: every key there is, once. Code that reads, checks, compares, writes or documents
// a configuration goes through these rows; a member of the specification without a row cannot be set.
//
// The parameters of a system are keys of [system], too, and the options of a method keys of [method]; their rows are in
// the catalog.
#pragma once

#include <vector>

#include "spec/key.hpp"
#include "spec/start_keys.hpp"

namespace polhode {

// Step numbers and times n h stay exact in double up to here.
inline constexpr double max_steps = 0x1p53;
inline constexpr std::int64_t max_density_cells = std::int64_t{1} << 26;
inline constexpr std::int64_t max_histogram_cells = std::int64_t{1} << 20;

/// Key of a system of formulas: without a Hamiltonian it has no value. The identity of a run has the code that is made
/// of them.
template <auto member>
constexpr Key<SystemSpec> formula_key(const char* name, const char* meaning) {
  Key<SystemSpec> row = key<member>({.name = name, .meaning = meaning, .identity = false});
  row.get = [](const SystemSpec& spec) { return spec.hamiltonian.empty() ? Value() : detail::to_value(spec.*member); };
  return row;
}

/// Key of further observables; has no value where there are none. The identity of a run has the code that is made of
/// them.
constexpr Key<SystemSpec> observables_key() {
  auto row =
      key<&SystemSpec::observables>({.name = "observables",
                                     .meaning = "formulas by name, of columns and parameters: further observables",
                                     .identity = false});
  row.get = [](const SystemSpec& spec) { return spec.observables.empty() ? Value() : Value(spec.observables); };
  return row;
}

inline constexpr Key<SystemSpec> system_keys[] = {
    key<&SystemSpec::name>(
        {.name = "name", .meaning = "which system to integrate; may be left out with a header", .attribute = "system"}),
    key<&SystemSpec::header>({.name = "header",
                              .meaning = "C++ header with a system of your own, relative to the configuration's folder",
                              .identity = false}),  // what is in it is
    observables_key(),
    formula_key<&SystemSpec::hamiltonian>("hamiltonian", "formula of H, of a system of formulas"),
    formula_key<&SystemSpec::coordinates>("coordinates", "names of the coordinates"),
    formula_key<&SystemSpec::momenta>("momenta", "names of their momenta"),
    // Parameters of other systems are keys of [system] themselves.
    formula_key<&SystemSpec::parameters>("parameters", "numbers in the formulas, by name"),
    formula_key<&SystemSpec::constraints>("constraints", "formulas of the coordinates that are 0"),
    formula_key<&SystemSpec::let>("let", "names for parts of the formulas"),
    formula_key<&SystemSpec::conserved>("conserved", "formulas that are conserved besides H"),
    formula_key<&SystemSpec::domain>("domain",
                                     "condition such as \"x^2 + y^2 < 100\"; a trajectory that breaks it ends"),
    formula_key<&SystemSpec::angles>("angles",
                                     "coordinates that are angles, and observables that are angles in (-pi, pi]"),
    formula_key<&SystemSpec::unbounded_angles>("unbounded_angles", "observables that are angles and count turns"),
};
template <>
inline constexpr Table<SystemSpec> table_of<SystemSpec>{"system", "", system_keys};

inline constexpr Key<MethodSpec> method_keys[] = {
    key<&MethodSpec::name>(
        {.name = "name", .meaning = "which step map to use", .required = true, .attribute = "method"}),
    key<&MethodSpec::solver>({.name = "solver",
                              .meaning = "solver of the step's equations; the default is the method's first",
                              .attribute = "solver"}),
    key<&MethodSpec::step>({.name = "step",
                            .unit = "time",
                            .meaning = "the time step h",
                            .limits = {.nonzero = true},
                            .advice = "Give a time step",
                            .required = true,
                            .attribute = "step"}),
};
template <>
inline constexpr Table<MethodSpec> table_of<MethodSpec>{"method", "", method_keys};

inline constexpr Key<ExecutionSpec> run_keys[] = {
    key<&ExecutionSpec::steps>({.name = "steps",
                                .meaning = "how many steps to take",
                                .limits = {.least = 1, .most = max_steps},
                                .advice = "Give the number of steps",
                                .required = true,
                                .attribute = "steps"}),
    key<&ExecutionSpec::backend>({.name = "backend",
                                  .meaning = "what integrates; auto is cuda where it can be used, else cpu",
                                  .identity = false}),  // the one chosen is
    key<&ExecutionSpec::precision>(
        {.name = "precision", .meaning = "floating-point numbers of the steps", .attribute = "precision"}),
    key<&ExecutionSpec::threads>({.name = "threads",
                                  .meaning = "threads of the CPU; 0: one for each processor",
                                  .limits = {.least = 0, .most = 4096},
                                  .advice = "Give 0 for one a processor",
                                  .identity = false}),
    key<&ExecutionSpec::segment>({.name = "segment",
                                  .unit = "steps",
                                  .meaning = "longest segment between looks at the clock; 0: automatic",
                                  .limits = {.least = 0, .most = max_steps},
                                  .advice = "Give 0 for automatic",
                                  .identity = false}),
    key<&ExecutionSpec::slice>({.name = "slice",
                                .unit = "trajectories",
                                .meaning = "trajectories at a time; 0: automatic",
                                .limits = {.least = 1024, .most = 0x1p40, .power_of_two = true},
                                .advice = "Give 0 for automatic",
                                .identity = false}),  // a checkpoint has its own
    key<&ExecutionSpec::checkpoint>({.name = "checkpoint",
                                     .unit = "s",
                                     .meaning = "time between checkpoints; 0: one after every segment",
                                     .limits = {.least = 0},
                                     .advice = "Give seconds",
                                     .identity = false}),
    key<&ExecutionSpec::energy_limit>(
        {.name = "energy_limit",
         .unit = "energy",
         .meaning = "largest change of the energy, at the steps at which invariants are compared; a trajectory beyond "
                    "it ends with status 8; no limit where it is not given",
         .limits = {.positive = true},
         .advice = "Leave it out for no limit"}),
    key<&ExecutionSpec::isa>(
        {.name = "isa",
         .meaning = "instruction set of the CPU; auto is the best that it has, and the bits are the same",
         .identity = false}),
};
template <>
inline constexpr Table<ExecutionSpec> table_of<ExecutionSpec>{"run", "", run_keys};

inline constexpr Key<SectionSpec> section_keys[] = {
    key<&SectionSpec::name>(
        {.name = "name", .meaning = "the column or observable that crosses a value", .required = true}),
    key<&SectionSpec::value>({.name = "value", .unit = "of the observable", .meaning = "the value that it crosses"}),
    key<&SectionSpec::direction>({.name = "direction", .meaning = "direction of the crossings"}),
    key<&SectionSpec::where>({.name = "where", .meaning = "condition on a point, e.g. \"pi1 > 0 and gamma1 < 0.5\""}),
    key<&SectionSpec::points>(
        {.name = "points", .meaning = "whether points are kept one by one, or counted in [density] alone"}),
    key<&SectionSpec::columns>(
        {.name = "columns", .meaning = "columns of the state that points keep; all of them where it is not given"}),
    key<&SectionSpec::terminal>({.name = "terminal", .meaning = "whether a crossing ends its trajectory"}),
};
template <>
inline constexpr Table<SectionSpec> table_of<SectionSpec>{"section", "", section_keys};

inline constexpr Key<DensitySpec> density_keys[] = {
    key<&DensitySpec::axes>({.name = "axes", .meaning = "two columns or observables", .required = true}),
    key<&DensitySpec::bins>({.name = "bins",
                             .meaning = "cells along the two axes",
                             .limits = {.least = 1},
                             .advice = "Give positive numbers of cells",
                             .required = true}),
    key<&DensitySpec::range>({.name = "range",
                              .unit = "of the axes",
                              .meaning = "[[low, high], [low, high]]",
                              .advice = "Give each as [low, high]",
                              .required = true}),
};
template <>
inline constexpr Table<DensitySpec> table_of<DensitySpec>{"density", "", density_keys};

inline constexpr Key<StatisticsSpec> statistics_keys[] = {
    key<&StatisticsSpec::every>({.name = "every",
                                 .unit = "steps",
                                 .meaning = "steps from one time to the next",
                                 .limits = {.least = 1, .most = max_steps},
                                 .advice = "Give a number of steps",
                                 .required = true}),
    key<&StatisticsSpec::observables>(
        {.name = "observables", .meaning = "columns or observables, 64 at most", .required = true}),
    key<&StatisticsSpec::bins>({.name = "bins",
                                .meaning = "cells of each histogram; 0: none",
                                .limits = {.least = 0, .most = max_histogram_cells},
                                .advice = "Give 0 for no histograms"}),
    key<&StatisticsSpec::range>({.name = "range",
                                 .unit = "of the observables",
                                 .meaning = "[low, high] of each observable's histogram",
                                 .advice = "Give each as [low, high]"}),
};
template <>
inline constexpr Table<StatisticsSpec> table_of<StatisticsSpec>{"statistics", "", statistics_keys};

inline constexpr Key<RecordSpec> record_keys[] = {
    key<&RecordSpec::snapshots>({.name = "snapshots",
                                 .unit = "steps",
                                 .meaning = "steps from one snapshot to the next; 0: none",
                                 .limits = {.least = 0, .most = max_steps},
                                 .advice = "Give 0 for none"}),
    key<&RecordSpec::shadow_energy>({.name = "shadow_energy",
                                     .unit = "1",
                                     .meaning =
                                         "order of the shadow energy at the snapshots, which the method conserves "
                                         "up to that power of the step: 4, 6 or 8; 0: none",
                                     .limits = {.least = 0, .most = 8},
                                     .advice = "Give 4, 6 or 8, or 0 for none",
                                     .identity = false}),
    key<&RecordSpec::invariants>({.name = "invariants", .meaning = "whether invariants are recorded"}),
    key<&RecordSpec::invariants_every>({.name = "invariants_every",
                                        .unit = "steps",
                                        .meaning = "steps from one comparison of the invariants to the next",
                                        .limits = {.least = 1, .most = max_steps},
                                        .advice = "Give a number of steps"}),
    key<&RecordSpec::initial>({.name = "initial", .meaning = "whether initial states are recorded"}),
    key<&RecordSpec::final>(
        {.name = "final", .meaning = "whether final states are recorded, from which a run can go on"}),
};
template <>
inline constexpr Table<RecordSpec> table_of<RecordSpec>{"record", "", record_keys};

inline constexpr Key<OutputSpec> output_keys[] = {
    key<&OutputSpec::file>({.name = "file",
                            .meaning = "file to write; the default is the configuration's name with .h5",
                            .identity = false}),
    key<&OutputSpec::compression>({.name = "compression",
                                   .meaning = "deflate's level, 0 (none) to 9, of datasets of 4096 numbers and more",
                                   .limits = {.least = 0, .most = 9},
                                   .advice = "Give 0 for none, 9 for most",
                                   .identity = false}),
};
template <>
inline constexpr Table<OutputSpec> table_of<OutputSpec>{"output", "", output_keys};

/// Calls f(table, part) once for each part that a specification has.
template <class Spec, class F>
requires std::is_same_v<std::remove_const_t<Spec>, RunSpec>
void for_each_part(Spec& spec, F&& f) {
  auto& [system, method, ensemble, execution, section, density, statistics, record] = spec;  // there are no others
  const auto visit = [&]<class Part>(Part& part) { f(table_of<std::remove_const_t<Part>>, part); };
  visit(system);
  visit(method);
  std::visit(visit, ensemble);
  if (auto* random = std::get_if<RandomStarts>(&ensemble)) std::visit(visit, random->distribution);
  visit(execution);
  if (section) visit(*section);
  if (density) visit(*density);
  if (statistics) visit(*statistics);
  visit(record);
}

/// Key as documents and lists have it: with its default, and with what it means to each method.
struct DocumentedKey : KeyInfo {
  Value default_value;         ///< std::monostate where there is no default, or methods have different ones
  std::string all_meanings{};  ///< meanings and defaults by method, where methods differ in them; else empty

  std::string meaning_in_full() const { return all_meanings.empty() ? meaning : all_meanings; }
};
struct DocumentedTable {
  const char* name;
  const char* variant;  ///< condition under which the table has these keys, e.g. `with from = "line"`; empty: always
  std::vector<DocumentedKey> keys;
};
/// All tables of the configuration: [system] without parameters, [method] with the options of all methods, [ensemble]
/// once for each kind of starts, and for random starts once for each distribution.
std::vector<DocumentedTable> documented_schema();

/// Throws InputError about a key that has to be given.
[[noreturn]] void refuse_missing(const char* table, const KeyInfo& key);
[[noreturn]] void refuse_missing(const char* table, const char* key, const std::string& meaning);
/// Throws InputError about a key: "cannot use TABLE.KEY (WHY). ADVICE."
[[noreturn]] void refuse(const char* table, const char* key, const std::string& why, const std::string& advice);
/// Throws InputError about the value of a key: "cannot use TABLE.KEY = VALUE (WHY). ADVICE.", with the row's advice.
[[noreturn]] void refuse_value(const char* table, const KeyInfo& key, const Value& value, const std::string& why);

/// Throws InputError where a text is none of the key's choices, if it has any, or a list has another number of elements
/// than the key asks for. value: of the key's type.
void check_shape(const char* table, const KeyInfo& key, const Value& value);
/// Throws InputError where a number, alone or in a list, is missing, not finite or beyond the limits, or an interval is
/// empty or not finite. Rows of numbers other than intervals are not checked.
void check_limits(const char* table, const KeyInfo& key, const Value& value);

/// Limits in words, e.g. "between 1 and 2^53"; empty where there are none, or an upper one alone.
std::string describe(const Limits& limits);

}  // namespace polhode
