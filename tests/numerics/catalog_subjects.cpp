// The subjects and methods of the build, from its type lists.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "numerics/body_subject.hpp"
#include "numerics/canonical_subject.hpp"
#include "numerics/constrained_subject.hpp"
#include "numerics/reduced_subject.hpp"
#include "spec/method_settings.hpp"
#include "spec/method_step.hpp"

namespace polhode::test {
namespace {

using Problem = const char* (*)(const double* p);

/// What the type lists say of a system, without its type.
struct Entry {
  struct Case {
    const char* name;
    Problem problem;
  };
  /// A step map: how many solvers it has, and the methods that are cases of it.
  struct Map {
    int solvers;
    std::vector<Case> cases;
  };

  const SystemEntry& system;
  std::unique_ptr<Subject> (*make)(const std::vector<double>& parameters);
  std::vector<Map> maps;
};

template <class System>
std::unique_ptr<Subject> make_subject(const std::vector<double>& parameters) {
  if constexpr (System::kind == Kind::constrained)
    return std::make_unique<ConstrainedSubject<System>>(parameters);
  else if constexpr (System::kind == Kind::canonical)
    return std::make_unique<CanonicalSubject<System>>(parameters);
  else if constexpr (System::kind == Kind::reduced)
    return std::make_unique<ReducedSubject<System>>(parameters);
  else
    return std::make_unique<BodySubject<System>>(parameters);
}

template <class Method, class System>
const char* problem_of(const double* p) {
  if constexpr (requires { System::invalid_reason(p); })
    if (const char* problem = System::invalid_reason(p)) return problem;
  if constexpr (requires { Method::template invalid_reason<System>(p); })
    return Method::template invalid_reason<System>(p);
  return nullptr;
}

template <class System, class... Method>
std::vector<Entry::Case> cases_of(TypeList<Method...>) {
  return {{Method::name, problem_of<Method, System>}...};
}
template <class System>
Entry entry_of() {
  std::vector<Entry::Map> maps;
  for_maps<System>([&]<class Map>() {
    maps.push_back({Map::template StepMapsOn<System>::count, cases_of<System>(typename CatalogTypes<Map>::Families{})});
  });
  return {*find_system(System::name), make_subject<System>, maps};
}
template <class... System>
std::vector<Entry> entries_of(TypeList<System...>) {
  std::vector<Entry> entries;
  (entries.push_back(entry_of<System>()), ...);
  return entries;
}

/// Other parameters than the example's, a tenth of their size away, and other directions.
std::vector<double> varied(const SystemEntry& system, std::mt19937_64& random) {
  std::vector<double> p(system.example_parameters.begin(), system.example_parameters.end());
  std::normal_distribution<double> normal;
  double* first = p.data();
  for (const Parameter& parameter : system.parameters) {
    Eigen::Map<Eigen::VectorXd> value(first, parameter.size);
    const double size = value.norm() / std::sqrt(parameter.size);
    const bool is_direction = parameter.bound == Bound::unit_vector;
    for (double& component : value) component += (is_direction ? 1 : 0.1) * size * normal(random);
    if (is_direction) value.normalize();
    if (parameter.bound == Bound::positive) value = value.cwiseAbs();
    first += parameter.size;
  }
  return p;
}

/// The parameters themselves, or with one of them 0, which is what a method asks for that is for a free body.
std::optional<std::vector<double>> usable(const SystemEntry& system, Problem problem, const std::vector<double>& p) {
  if (!problem(p.data())) return p;
  int first = 0;
  for (const Parameter& parameter : system.parameters) {
    std::vector<double> without = p;
    std::fill_n(without.begin() + first, parameter.size, 0.0);
    if (parameter.bound == Bound::finite && !problem(without.data())) return without;
    first += parameter.size;
  }
  return std::nullopt;
}

const MethodSetting* find_setting(const MethodEntry& entry, std::string_view name) {
  const auto found = std::ranges::find(entry.settings, name, [](const MethodSetting& one) { return one.option.name; });
  return found == entry.settings.end() ? nullptr : &*found;
}

/// The choice of orders of a method's map, or null.
const MethodSetting* choice_of_orders(const MethodEntry& entry) {
  for (const char* const name : {"order", "drift_order"})
    if (const MethodSetting* const found = find_setting(entry, name)) return found;
  return nullptr;
}

Scheme scheme_in(const MethodEntry& entry, const StepPlan& plan, const Stage& stage) {
  Scheme scheme = plan.kicks[stage.kicks];
  scheme.options = plan.options;
  scheme.momentum = entry.momentum;
  return scheme;
}

/// The map of a method that has its own order, or the one asked for where there is a choice.
Method method_of_order(int order, const MethodEntry& entry) {
  std::map<std::string, Value> options;
  if (const MethodSetting* choice = choice_of_orders(entry)) options[choice->option.name] = std::int64_t{order};
  if (entry.splitting_option) options[entry.splitting_option] = std::string(order == 2 ? "strang" : "mclachlan4");
  const MethodStep step = step_of(entry, options);
  Method method{entry.system, entry.name, {}, {}, {}, step.properties};
  for (const Stage& stage : std::span(step.step_plan.stages, step.step_plan.n_stages))
    method.stages.push_back({scheme_in(entry, step.step_plan, stage), stage.fraction});
  if (choice_of_orders(entry)) method.map_order = order;
  return method;
}

/// Every map of a method that has kinds, but those of the kind that is the default.
std::vector<Method> of_other_kinds(const MethodEntry& entry) {
  std::vector<Method> found;
  const MethodSetting* kind = find_setting(entry, "kind");
  if (!kind) kind = find_setting(entry, "lagrangian");
  if (!kind) return found;
  for (const auto& options : selections_of(entry)) {
    const auto& name = std::get<std::string>(options.at(kind->option.name));
    if (name == kind->option.default_choice) continue;
    const MethodStep step = step_of(entry, options);
    const std::int64_t order = options.contains("order") ? std::get<std::int64_t>(options.at("order")) : 2;
    found.push_back({entry.system,
                     std::string(entry.name) + " " + name + " " + std::to_string(order),
                     {},
                     {},
                     {{scheme_in(entry, step.step_plan, step.step_plan.stages[0]), 1}},
                     step.properties});
  }
  return found;
}

/// A method that has numbers of stages with the least one. With more than its default there is too little between the
/// asymptotic range and round-off; collocation_test.cpp and lobatto_test.cpp have them all.
std::vector<Method> with_fewest_stages(const MethodEntry& entry) {
  const MethodSetting* const setting = find_setting(entry, "stages");
  if (!setting) return {};
  const auto number = static_cast<std::int64_t>(setting->option.least);
  const MethodStep step = step_of(entry, {{setting->option.name, number}});
  return {{entry.system,
           std::string(entry.name) + " " + std::to_string(number),
           {},
           {},
           {{scheme_in(entry, step.step_plan, step.step_plan.stages[0]), 1}},
           step.properties}};
}

class Catalog {
 public:
  Catalog() {
    for (const Entry& entry : entries_of(CatalogSystems{})) add(entry);
  }

  std::vector<const Subject*> examples;
  std::vector<Method> methods;

 private:
  void add(const Entry& entry) {
    const SystemEntry& system = entry.system;
    std::mt19937_64 random(2);
    std::vector<std::vector<double>> parameters;
    parameters.emplace_back(system.example_parameters.begin(), system.example_parameters.end());
    if (system.dim <= 18) parameters.push_back(varied(system, random));  // within seconds
    examples.push_back(subject(entry, parameters.front()));
    int first = 0;
    for (const Entry::Map& map : entry.maps) {
      std::vector<int> solvers(map.solvers);
      std::iota(solvers.begin(), solvers.end(), first);
      first += map.solvers;
      for (const Entry::Case& one : map.cases) {
        const auto same = [&](const Method& other) { return other.system == system.name && other.name == one.name; };
        if (std::any_of(methods.begin(), methods.end(), same)) continue;  // completeness_test.cpp finds it
        Method method = method_of_order(2, *find_method(system.name, one.name));
        method.solvers = solvers;
        for (const auto& p : parameters)
          if (const auto accepted = usable(system, one.problem, p))
            method.subjects.push_back(subject(entry, *accepted));
        if (method.subjects.empty()) throw std::logic_error(method.name + " cannot be used on " + method.system);
        methods.push_back(method);
      }
    }
  }
  const Subject* subject(const Entry& entry, const std::vector<double>& parameters) {
    for (const auto& made : all_)
      if (&made->system == &entry.system && made->parameters == parameters) return made.get();
    return all_.emplace_back(entry.make(parameters)).get();
  }

  std::vector<std::unique_ptr<Subject>> all_;
};

const Catalog& catalog() {
  static const Catalog all;
  return all;
}

}  // namespace

const std::vector<const Subject*>& subjects() { return catalog().examples; }
const std::vector<Method>& catalog_methods() { return catalog().methods; }

const Subject& subject_of(std::string_view system) {
  for (const Subject* subject : subjects())
    if (subject->system.name == system) return *subject;
  throw std::logic_error(std::string(system));
}

const std::vector<Method>& compositions() {
  static const std::vector<Method> all = [] {
    std::vector<Method> found;
    for (const Method& first : catalog_methods())
      for (const Method& second : catalog_methods()) {
        const Scheme &a = first.stages[0].scheme, &b = second.stages[0].scheme;
        if (first.system != second.system || first.solvers != second.solvers || a.momentum != b.momentum ||
            a.kicks == a.kicks.adjoint() || a.kicks != b.kicks.adjoint())
          continue;
        Properties properties = first.properties;
        properties.order = 2;
        properties.symmetric = true;
        found.push_back({first.system,
                         first.name + " " + second.name,
                         {first.subjects.front()},
                         {first.solvers.front()},
                         {{a, 0.5}, {b, 0.5}},
                         properties});
      }
    return found;
  }();
  return all;
}

const std::vector<Method>& methods_of_higher_order() {
  static const std::vector<Method> all = [] {
    std::vector<Method> found;
    for (const Method& method : catalog_methods()) {
      const MethodEntry& entry = *find_method(method.system, method.name);
      const auto add = [&](const std::vector<Method>& others) {
        for (const Method& other : others) {
          found.push_back(other);
          found.back().subjects = method.subjects;
          found.back().solvers = method.solvers;
        }
      };
      add(with_fewest_stages(entry));
      const MethodSetting* choice = choice_of_orders(entry);
      if (choice || entry.splitting_option) {
        const int order = choice ? std::min(4, static_cast<int>(choice->option.most)) : 4;
        Method& higher = found.emplace_back(method_of_order(order, entry));
        higher.name += " " + std::to_string(order);
        higher.subjects = method.subjects;
        higher.solvers = method.solvers;
      }
      add(of_other_kinds(entry));
    }
    return found;
  }();
  return all;
}

const std::vector<Method>& controls() {
  static const std::vector<Method> all = [] {
    std::vector<Method> found;
    for (const Subject* subject : subjects())
      found.push_back({subject->system.name,
                       "explicit midpoint",
                       {subject},
                       {Subject::explicit_midpoint},
                       {{}},
                       {.order = 2, .constraints = subject->has_constraints}});
    return found;
  }();
  return all;
}

}  // namespace polhode::test
