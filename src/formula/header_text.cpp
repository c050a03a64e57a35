#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <vector>

#include "formula/code.hpp"
#include "formula/formula_system.hpp"

namespace polhode {
namespace {

/// Writer of code for the nodes of a system, in whose functions q and p are positions and momenta.
FormulaCode code_of(const FormulaSystem& system) {
  return {system.tree, [N = system.N](int variable) {
            if (variable < N) return fmt::format("q[{}]", variable);
            if (variable < 2 * N) return fmt::format("p[{}]", variable - N);
            return parameter_name(variable - 2 * N);
          }};
}

std::string quantity(const NamedNode& named, const char* meaning) {
  static constexpr const char* angles[] = {"", ", Angle::wrapped", ", Angle::unbounded"};
  return fmt::format(R"({{"{}", "1", "{}"{}}})", named.name, meaning, angles[static_cast<int>(named.angle)]);
}

/// Functions and the table of observables or integrals.
std::string rows(const FormulaCode& code, const char* table, const char* row, const char* meaning,
                 const std::vector<NamedNode>& nodes) {
  if (nodes.empty()) return "";
  std::string functions, lines;
  for (const NamedNode& named : nodes) {
    functions += fmt::format(
        "    POLHODE_HD T {}_{}([[maybe_unused]] const Vec<T, N>& q, [[maybe_unused]] const Vec<T, N>& p) const {{\n{}"
        "    }}\n",
        table, named.name, code.body("{}", {&named.node, 1}));
    lines += fmt::format("        {{{}, &Equations::{}_{}}},\n", quantity(named, meaning), table, named.name);
  }
  return fmt::format("{}    static constexpr {}<Equations, T, N> {}[{}] = {{\n{}    }};\n", functions, row, table,
                     nodes.size(), lines);
}

std::string energy(const FormulaSystem& system, const FormulaCode& code) {
  const int N = system.N;
  if (!system.mechanical)
    return fmt::format(
        "    POLHODE_HD T hamiltonian([[maybe_unused]] const Vec<T, N>& q, const Vec<T, N>& p) const {{\n{}    }}\n",
        code.body("{}", {&system.hamiltonian, 1}));
  const auto& [inverse_mass, potential] = *system.mechanical;
  // W p, row by row, each in the order of the momenta.
  std::vector<int> entries;
  for (const int entry : inverse_mass)
    if (entry >= 0) entries.push_back(entry);
  std::vector<std::string> sums;
  for (int i = 0; i < N; ++i) {
    std::string sum;
    for (int j = 0; j < N; ++j) {
      const int entry = inverse_mass[static_cast<std::size_t>(i * N + j)];
      if (entry < 0) continue;
      if (!sum.empty()) sum += " + ";
      sum += system.tree.is_number(entry, 1) ? fmt::format("p[{}]", j) : fmt::format("{} * p[{}]", code.name(entry), j);
    }
    sums.push_back(sum);
  }
  const std::string velocity = code.statements(entries);
  return fmt::format(
      "    POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& p) const {{\n{}      return {{{}}};\n    }}\n"
      "    POLHODE_HD T potential([[maybe_unused]] const Vec<T, N>& q) const {{\n{}    }}\n",
      velocity, fmt::join(sums, ", "), code.body("{}", {&potential, 1}));
}

std::string domain(const FormulaSystem& system, const FormulaCode& code) {
  if (system.domain.empty()) return "";
  static constexpr const char* relations[] = {"<", "<=", ">", ">="};
  std::vector<int> roots;
  std::string format;
  for (const NodeComparison& comparison : system.domain) {
    roots.insert(roots.end(), {comparison.left, comparison.right});
    if (!format.empty()) format += " & ";
    format += fmt::format("({} {} {})", code.name(comparison.left), relations[static_cast<int>(comparison.relation)],
                          code.name(comparison.right));
  }
  const std::string statements = code.statements(roots);
  return fmt::format(
      "    POLHODE_HD Mask<T> is_inside([[maybe_unused]] const Vec<T, N>& q, [[maybe_unused]] const Vec<T, N>& p) "
      "const "
      "{{\n{}      return {};\n    }}\n",
      statements, format);
}

}  // namespace

std::string header_text(const FormulaSystem& system) {
  static constexpr const char* headers[] = {"constrained_system", "hamiltonian_system", "mechanical_system",
                                            "canonical_system"};
  const FormulaCode code = code_of(system);
  const int form = static_cast<int>(system.form());
  std::string columns, parameters;
  for (int i = 0; i < 2 * system.N; ++i)
    columns += fmt::format(
        "      {},\n", quantity(system.columns[static_cast<std::size_t>(i)], i < system.N ? "coordinate" : "momentum"));
  for (const auto& [name, size] : system.parameters)
    parameters += fmt::format("      {{\"{}\", \"1\", {}, nullptr, Bound::finite, \"parameter of the formulas\"}},\n",
                              name, size);
  if (!parameters.empty())
    parameters = fmt::format("  static constexpr Parameter parameters[] = {{\n{}  }};\n", parameters);
  const std::string constraints =
      system.D() == 0 ? ""
                      : fmt::format("    POLHODE_HD Vec<T, D> constraints(const Vec<T, N>& q) const {{\n{}    }}\n",
                                    code.body("{{{}}}", system.constraints));
  return fmt::format(
      R"(#include "polhode/scalar/elementary.hpp"
#include "polhode/system/{header}.hpp"

namespace polhode::inline POLHODE_ISA {{

struct FormulaPhysics {{
  static constexpr const char* name = "{name}";
  static constexpr const char* meaning = "{meaning}";
  static constexpr const char* energy_unit = "1";
  static constexpr int N = {N}, D = {D};
{parameters}  static constexpr std::array<Quantity, 2 * N> columns{{{{
{columns}  }}}};
  static constexpr std::array<double, {numbers}> example_parameters = [] {{
    std::array<double, {numbers}> all{{}};
    for (double& value : all) value = 1;
    return all;
  }}();
  static constexpr double example_step = 0.01;
  static void example_state(const double*, double* x) {{
    for (int i = 0; i < 2 * N; ++i) x[i] = 0.3 + 0.1 * i;
  }}

  template <class T>
  struct Equations {{
    POLHODE_HD explicit Equations([[maybe_unused]] const double* values) {{
{parameter_values}    }}

{energy}{constraints}{domain}{derived}{conserved}
   private:
    POLHODE_HD static T number(double x) {{ return T(static_cast<Real<T>>(x)); }}

{parameter_members}  }};
}};

using FormulaSystem = {form}<FormulaPhysics>;

}}  // namespace polhode::inline POLHODE_ISA

POLHODE_SYSTEM(FormulaSystem)
)",
      fmt::arg("header", headers[form]), fmt::arg("meaning", system.in_words()), fmt::arg("name", system.name),
      fmt::arg("N", system.N), fmt::arg("D", system.D()), fmt::arg("parameters", parameters),
      fmt::arg("columns", columns), fmt::arg("parameter_values", parameter_values(system.n_numbers)),
      fmt::arg("parameter_members", parameter_members(system.n_numbers)), fmt::arg("numbers", system.n_numbers),
      fmt::arg("energy", energy(system, code)), fmt::arg("constraints", constraints),
      fmt::arg("domain", domain(system, code)),
      fmt::arg("derived", rows(code, "derived", "DerivedRow", "observable of a formula", system.observables)),
      fmt::arg("conserved",
               rows(code, "conserved", "ConservedRow", "conserved quantity of a formula", system.conserved)),
      fmt::arg("form", form_templates[form]));
}

}  // namespace polhode
