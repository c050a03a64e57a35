#include "cli/list_json.hpp"

#include "backend/cuda/cuda_backend.hpp"
#include "catalog/conversion.hpp"
#include "cli/schema.hpp"
#include "modules/own_header.hpp"
#include "spec/method_options.hpp"
#include "spec/method_step.hpp"

namespace polhode {
namespace {

const char* bound_text(Bound bound) {
  switch (bound) {
    case Bound::finite: return "";
    case Bound::positive: return "positive";
    case Bound::unit_vector: return "unit vector";
  }
  return "";
}

const char* kind_text(Kind kind) {
  switch (kind) {
    case Kind::canonical: return "canonical";
    case Kind::constrained: return "constrained";
    case Kind::reduced: return "reduced";
    case Kind::lie_poisson: return "Lie-Poisson";
  }
  return "";
}

const char* form_text(Block::Form form) {
  switch (form) {
    case Block::Form::position: return "position";
    case Block::Form::momentum: return "momentum";
    case Block::Form::angle: return "angle";
    case Block::Form::unit_vector: return "unit vector";
    case Block::Form::quaternion: return "quaternion";
  }
  return "";
}

Json layout(const SystemEntry& system) {
  Json json = Json::array();
  for (const Block& block : system.layout)
    json.push_back({{"form", form_text(block.form)}, {"first", block.first}, {"size", block.size}});
  return json;
}

Json quantities(View<Quantity> list) {
  Json json = Json::array();
  for (const Quantity& q : list) {
    json.push_back({{"name", q.name}, {"unit", q.unit}, {"meaning", q.meaning}});
    if (q.angle != Angle::no) json.back()["angle"] = angle_names[static_cast<int>(q.angle)];
  }
  return json;
}

/// Parameters, step and state of a run that works: the step resolves the motion, and the state of a constrained system
/// has momenta on the hidden constraint.
Json example(const SystemEntry& system) {
  Json parameters = Json::object();
  const double* value = system.example_parameters.data();
  for (const Parameter& p : system.parameters) {
    if (p.size == 1)
      parameters[p.name] = *value;
    else
      parameters[p.name] = std::vector<double>(value, value + p.size);
    value += p.size;
  }
  std::vector<double> state(system.dim);
  system.example_state(system.example_parameters.data(), state.data());
  system.prepare(system.example_parameters.data(), Momentum::hidden_constraint, state.data());
  return {{"parameters", parameters}, {"state", state}, {"step", system.example_step}};
}

Json sources(Sources list) {
  Json json = Json::array();
  for (const Publication& publication : list) json.push_back(publication.key);
  return json;
}

Json options(const MethodEntry& method) {
  Json json = Json::array();
  for (const DocumentedKey& key : option_keys(method)) {
    Json option{{"name", key.name}, {"unit", key.unit}, {"meaning", describe(key)}};
    if (!key.choices.empty()) option["choices"] = std::vector<std::string>(key.choices.begin(), key.choices.end());
    json.push_back(option);
  }
  return json;
}

}  // namespace

Json systems_json() {
  Json json = Json::array();
  for (const SystemEntry& system : systems()) {
    Json parameters = Json::array();
    for (const Parameter& p : system.parameters) {
      Json parameter{
          {"name", p.name}, {"size", p.size}, {"unit", p.unit}, {"bound", bound_text(p.bound)}, {"meaning", p.meaning}};
      if (p.default_value) parameter["default"] = std::vector<double>(p.default_value, p.default_value + p.size);
      parameters.push_back(parameter);
    }
    for (const Alternative& a : system.alternatives)
      parameters.push_back({{"name", a.name}, {"instead_of", a.parameter}, {"bound", ""}, {"meaning", a.meaning}});
    Json variables = Json::array({"momentum"});
    if (system.has_positions()) variables.push_back("velocity");
    Json descriptions = Json::array();
    for (const SystemEntry* other : descriptions_of(system)) descriptions.push_back(other->name);
    json.push_back({{"name", system.name},
                    {"meaning", system.meaning},
                    {"kind", kind_text(system.kind)},
                    {"equations", std::vector<std::string>(system.equations.begin(), system.equations.end())},
                    {"layout", layout(system)},
                    {"parameters", parameters},
                    {"variables", variables},
                    {"columns", quantities(system.observables.first(system.dim))},
                    {"observables", quantities(system.observables.after(system.dim))},
                    {"invariants", quantities(system.invariants)},
                    {"other_descriptions", descriptions},
                    {"example", example(system)},
                    {"sources", sources(system.sources)}});
    if (system.edge) json.back()["leaving"] = {{"how", system.edge}, {"is_result", system.open}};
    if (system.own) json.back()["header"] = system.own->name;
  }
  return json;
}

Json methods_json() {
  Json json = Json::array();
  for (const MethodEntry& method : methods()) {
    Json solvers = Json::array();
    for (const SolverEntry& v : method.solvers) solvers.push_back({{"name", v.name}, {"meaning", v.meaning}});
    const Properties p = step_of(method).properties;
    Json properties = Json::array();
    if (p.symmetric) properties.push_back("symmetric");
    if (p.poisson) properties.push_back("Poisson");
    if (p.casimirs) properties.push_back("keeps Casimirs");
    if (p.momentum) properties.push_back("keeps momenta of symmetries");
    if (p.constraints) properties.push_back("keeps constraints");
    if (p.energy) properties.push_back("keeps energy");
    json.push_back({{"name", method.name},
                    {"system", method.system},
                    {"meaning", method.meaning},
                    {"order", p.order},
                    {"properties", properties},
                    {"solvers", solvers},
                    {"options", options(method)},
                    {"sources", sources(method.sources)}});
    if (method.table_option) json.back()["table"] = method.table_option;  // its order is that of its table
  }
  return json;
}

Json sections_json() {
  Json json = Json::array();
  for (const SystemEntry& system : systems()) {
    Json entry{{"system", system.name}, {"names", quantities(system.observables)}};
    if (const Chart* chart = system.chart)
      entry["chart"] = {{"section", chart->section},
                        {"coordinates", {chart->axes[0].name, chart->axes[1].name}},
                        {"branches", branch_names(*chart)}};
    json.push_back(entry);
  }
  return json;
}

Json backends_json() {
  Json isas = Json::array();
  for (int i = 0; i < n_isas; ++i)
    if (isa_supported(static_cast<Isa>(i))) isas.push_back(isa_names[i]);
  const std::string problem = cuda_problem();
  return Json::array(
      {{{"name", "reference"}, {"available", true}, {"meaning", "independent, slow, Eigen"}},
       {{"name", "cpu"}, {"available", true}, {"isa", isas}, {"meaning", "packs and threads"}},
       {{"name", "cuda"}, {"available", problem.empty()}, {"meaning", problem.empty() ? "one NVIDIA GPU" : problem}}});
}

}  // namespace polhode
