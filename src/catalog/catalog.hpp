// Catalog of systems and methods, by name: those of the program, from the lists in CMakeLists.txt, and those of users.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "backend/cpu/kernels.hpp"
#include "backend/cuda/residence.hpp"
#include "modules/method_row.hpp"
#include "modules/source_type.hpp"
#include "polhode/method/explicit_table.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/method/step_plan.hpp"
#include "polhode/system/description.hpp"
#include "polhode/system/publications.hpp"
#include "polhode/system/view.hpp"
#include "system/preparation.hpp"
#include "system/start_functions.hpp"
#include "system/transition.hpp"

namespace polhode {

class Backend;
struct AddedObservables;
class Target;
struct CudaKernels;
struct KernelNames;
struct ModuleSource;
struct OwnHeader;
struct RunPlan;

/// A system, with its functions in double for what happens outside the time loop. x is a state [dim], p the parameters.
struct SystemEntry {
  const char* name;
  const char* family;  ///< common name of systems that differ only in the sizes of their parameters; else the name
  const char* meaning;
  Sources sources;
  View<const char*> equations;  ///< lines: "H = ...", equations of motion, constraints "0 = ...", what symbols mean
  Kind kind;
  int dim;
  View<Block> layout;          ///< layout of the columns of a state
  View<Quantity> observables;  ///< observables, the state columns first
  View<Quantity> invariants;   ///< invariants; conserves() tells on which orbits each one is conserved
  View<Parameter> parameters;
  View<Alternative> alternatives;
  View<double> example_parameters;  ///< values of an example, flat, in the order of parameters
  double example_step;              ///< length of a step that resolves the motion
  /// Reason why the parameters p, each of which is within its bounds, cannot be used together; null if they can.
  const char* (*invalid_reason)(const double* p);
  /// Warning about parameters that can be used, or null.
  const char* (*warning)(const double* p);
  /// Writes a typical state for the parameters p to x[dim]; prepare() still has to make an initial state of it.
  void (*example_state)(const double* p, double* x);
  /// Makes an initial state of x, in place, for a method whose momenta are in the set `momentum`; in a system with
  /// constraints the initial state satisfies them.
  Preparation (*prepare)(const double* p, Momentum momentum, double* x);
  /// Makes an initial state of x, in place, like prepare(), where x has velocities instead of momenta. Null where
  /// states are not positions and momenta.
  Preparation (*prepare_velocities)(const double* p, Momentum momentum, double* x);
  /// Moves any x, however far, to a state that prepare() accepts: unit vectors to length 1, positions to the
  /// constraints. Returns false where no such state is found.
  bool (*bring_near)(const double* p, double* x);
  /// Brings the centre of mass of x to the origin and to rest. velocities: whether x has velocities in place of
  /// momenta. Null for systems that are not free.
  void (*bring_to_rest)(const double* p, bool velocities, double* x) = nullptr;
  /// Largest distance of the centre of mass from the origin within the time `time` after the state x, divided by the
  /// largest distance of an atom from the centre of mass in x. Null for systems that are not free.
  double (*reach)(const double* p, const double* x, double time) = nullptr;
  /// Lifts the momentum of x to the hidden constraint, in place; null for systems without constraints, or with a mass
  /// that is not constant, since their momenta are on it already.
  void (*project_momentum)(const double* p, double* x);
  double (*own_observable)(const double* p, int observable, const double* x);  ///< one that is not added
  int n_constraints = 0;
  /// Constraints r[2 n_constraints] at x: g(q), then its rate of change G H_p. Null where states are not positions and
  /// momenta.
  void (*constraints)(const double* p, const double* x, double* r) = nullptr;
  /// Vector field at x without forces of constraint, dx[dim]: H_p, then -H_q; for a reduced system the right sides of
  /// its equations of motion. Null where states are not positions and momenta.
  void (*vector_field)(const double* p, const double* x, double* dx) = nullptr;
  /// Whether invariant i is conserved on the orbit of x.
  bool (*conserves)(const double* p, const double* x, int i);

  const Chart* chart = nullptr;  ///< chart of a section; if it is null, so are the next two
  ChartRange (*chart_range)(const double* p, double energy) = nullptr;
  /// States x[max_chart_points][dim] over the point (u, v) of the chart on a side (0 positive, 1 negative), in the
  /// order of chart->branches[side]; returns their number.
  int (*chart_states)(const double* p, double energy, double momentum, int side, double u, double v,
                      double* x) = nullptr;

  /// Reason why the system has no ensemble in equilibrium such as `which`, or null; the reason may be written into
  /// text[problem_size]. The function is null where the system has no ensembles in equilibrium at all.
  const char* (*invalid_equilibrium_reason)(const double* p, const Equilibrium& which, char* text) = nullptr;
  const StartFunctions* starts = nullptr;      ///< functions of starts for any processor; null: only a module has them
  SourceType source{};                         ///< type of the system; without it no module can be compiled
  Residence residence = Residence::registers;  ///< residence of a state in functions that depend on no step map

  /// Conversions to other descriptions of the same system (conversion.hpp); the catalog may lack some of the others.
  View<Transition> transitions{};

  const char* edge = nullptr;  ///< how a trajectory leaves the domain, in words; null where the system does not say
  bool open = false;           ///< whether leaving the domain is a result, not a failure
  const char* system_in_space = nullptr;  ///< name of the same system in Cartesian coordinates, whose domain has no
                                          ///< such edge; null if there is none

  const OwnHeader* own = nullptr;           ///< header of a user's system; null: the system is one of the program's
  const AddedObservables* added = nullptr;  ///< observables that formulas add, after the system's own; null: none

  double observe(const double* p, int observable, const double* x) const;

  /// Functions of starts for the best instruction set of this machine that they are compiled for; compiled now where
  /// they are compiled for none, as those of a user's system may be. Throws as load_modules() (modules/modules.hpp).
  const StartFunctions& start_functions() const;
  /// Whether a state consists of positions, then as many momenta, and in a reduced system then an angle.
  bool has_positions() const { return kind != Kind::lie_poisson; }
  /// Number of positions; 0 where there are none.
  int n_positions() const { return has_positions() ? dim / 2 : 0; }
  /// Whether an observable is an angle without bound.
  bool counts_turns(int observable) const { return observables[observable].angle == Angle::unbounded; }
  /// Index of an observable by its name, or -1.
  int find_observable(std::string_view name) const;
  /// Index of the energy among the invariants, or -1.
  int find_energy() const;
  /// Meanings of the statuses of the system's trajectories, [n_statuses].
  std::vector<std::string> status_meanings() const;
};

/// Names of a chart's branches, those of the positive side first.
std::vector<std::string> branch_names(const Chart& chart);

/// One solver of a step map on one system.
struct SolverEntry {
  const char* name;
  const char* meaning;
  int (*nominal_sweeps)(const double* p, const MapOptions& options, const Kicks& kicks, double step,
                        Precision precision);
};

struct MethodEntry {
  const char* name;
  const char* meaning;
  const char* system;
  Sources sources;
  MapOptions map_options;          ///< options of the step map, before the settings change them
  Kicks kicks;                     ///< kicks of its single stage; not used by a splitting, whose table has them
  Momentum momentum;               ///< set to which the momenta of the method's states belong
  bool has_adjoint;                ///< whether the method, which then is not symmetric, has an adjoint: the map with
                                   ///< Kicks::adjoint()
  View<MethodOption> options;      ///< its own options; spec/composition.hpp has one that all methods have
  View<MethodSetting> settings;    ///< those of `options` that set options of the step map
  bool (*has)(const MapOptions&);  ///< whether there is a map with these options; null: always
  bool (*has_action)(const MapOptions&);             ///< whether the map with these options has a discrete action
  Properties (*properties_with)(const MapOptions&);  ///< properties of the step map alone, with these options
  const char* splitting_option;  ///< name of the option for a splitting table; null if the method has none
  const char* table_option;  ///< name of the option for a table that its kernels are compiled with; null if it has none
  View<SolverEntry> solvers;  ///< solvers, the default one first
  /// Reason why the method cannot be used with the parameters p, or null.
  const char* (*invalid_reason)(const double* p);
  SourceType map;        ///< the step map
  Residence residence;   ///< residence of a state of the system under the map, with the default table if it has one
  bool leaves_inlining;  ///< whether the compiler decides what is inlined in its kernels
  /// Code of the observables that are added to its system, as its kernels and the module of the system have them
  /// (SourceType::added); null: none.
  const char *added_in_kernels = nullptr, *added_in_system = nullptr;

  /// Properties of the step map with `map_options`, before the settings change them.
  Properties properties() const { return properties_with(map_options); }
  // Kernels of a method with a table_option are those of one table; where none is given, of the default.
  using Table = std::optional<ExplicitTable>;

  /// Module with the kernel of this method on a system, which the catalog may lack. system_name: for people; solver:
  /// index into `solvers`, here and below.
  ModuleSource kernel_source(const SourceType& of_system, const char* system_name, int solver, Precision precision,
                             const Target& target, const Table& table = {}) const;
  /// Modules with the kernel of this method on its system, and with the functions of the system besides.
  std::vector<ModuleSource> modules(int solver, Precision precision, const Target& target,
                                    const Table& table = {}) const;
  /// Kernels for an instruction set of this processor; compiled if they are neither loaded nor on the disk. Throws as
  /// load_modules() (modules/modules.hpp).
  CpuKernels kernels(int solver, Precision precision, Isa isa, const Table& table = {}) const;
  /// Module that computes the shadow energies of this method's step map (modules/shadow_module.hpp). The map must have
  /// a discrete action.
  ModuleSource shadow_source(int solver, Precision precision, Isa isa, const Table& table = {}) const;
  /// Function that computes the shadow energies of this method's step map; compiled and throws as kernels(). The map
  /// must have a discrete action.
  ShadowKernel shadow(int solver, Precision precision, Isa isa, const Table& table = {}) const;
  /// Kernels for GPUs of a compute capability (modules/target.hpp); compiled and throws as kernels().
  CudaKernels cuda_kernels(int solver, Precision precision, int capability, const Table& table = {}) const;
  /// Reason why references cannot be used; empty if they can.
  std::string why_no_reference() const;
  /// Reference backend of this method, made by MakeReference (backend/reference/reference_backend.hpp), and throws as
  /// that does. why_no_reference() must be empty.
  std::unique_ptr<Backend> make_reference(const RunPlan& plan, const Table& table = {}) const;
  /// The plan `step` with the number of unconditional sweeps in each stage that the stage needs for the parameters p
  /// and the length h of the step (polhode/math/bounded_iteration.hpp).
  StepPlan with_sweeps(StepPlan step, int solver, const double* p, double h, Precision precision) const;

 private:
  KernelNames names_of(const SourceType& of_system, const char* system_name, int solver, Precision precision,
                       const Table& table) const;
};

struct CatalogEntries {
  View<SystemEntry> systems;
  View<MethodEntry> methods;  ///< every method on every system that it supports
};

/// Entries of the catalog: the program's, then those of users' systems.
std::span<const SystemEntry> systems();
std::span<const MethodEntry> methods();
/// Adds a user's system and its methods, in place of a system of the same name. What both point to must stay until the
/// program ends; pointers to entries of the catalog stay valid. Must not be called while other threads use the catalog.
void extend_catalog(SystemEntry system, View<MethodEntry> methods, const OwnHeader& header);

/// A system and a method with added observables; the catalog does not have these entries, which stay until the program
/// ends.
struct ObservedEntries {
  const SystemEntry* system;
  const MethodEntry* method;
};
/// Entries of a system and a method with observables added. May be called by several threads at a time.
ObservedEntries with_observables(const SystemEntry& system, const MethodEntry& method, AddedObservables added);

/// Entries of the program's own systems.
CatalogEntries built_in_entries();
/// Methods of the program, each with every step map that it is a case of and that advances users' systems, in the order
/// of POLHODE_METHODS (CMakeLists.txt).
View<MethodRow> method_rows();

const SystemEntry* find_system(std::string_view name);
/// Systems with `name_or_family` as name or as family.
std::vector<const SystemEntry*> find_systems(std::string_view name_or_family);
const MethodEntry* find_method(std::string_view system, std::string_view method);
std::vector<const MethodEntry*> methods_of(const SystemEntry& system);

}  // namespace polhode
