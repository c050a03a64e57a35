#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <vector>

#include "formula/formula_system.hpp"

namespace polhode {
namespace {

/// Name of an operation with one or two arguments, as a function of namespace polhode.
const char* function_of(Operation operation) {
  switch (operation) {
    case Operation::power: return "pow";
    case Operation::sqrt: return "sqrt";
    case Operation::exp: return "exp";
    case Operation::log: return "log";
    case Operation::sin: return "sin";
    case Operation::cos: return "cos";
    case Operation::tan: return "tan";
    case Operation::asin: return "asin";
    case Operation::acos: return "acos";
    case Operation::atan: return "atan";
    case Operation::sinh: return "sinh";
    case Operation::cosh: return "cosh";
    case Operation::tanh: return "tanh";
    case Operation::atan2: return "atan2";
    default: return nullptr;
  }
}

/// Writer of code for the nodes of a system.
class Writer {
 public:
  explicit Writer(const FormulaSystem& system) : system_(system), tree_(system.tree) {}

  /// Body of a function that returns `format` with the nodes' names in it: statements, each of one operation.
  std::string body(const std::string& format, std::span<const int> roots) const {
    std::string text;
    const std::vector<bool> used = tree_.used_by(roots);
    for (int i = 0; i < tree_.size(); ++i)
      if (used[static_cast<std::size_t>(i)] && !is_leaf(i))
        text += fmt::format("      const T v{} = {};\n", i, operation(tree_[i]));
    std::vector<std::string> names;
    for (const int root : roots) names.push_back(name(root));
    return text + fmt::format("      return {};\n", fmt::format(fmt::runtime(format), fmt::join(names, ", ")));
  }

  /// Name of a node in the code; of a number the number.
  std::string name(int index) const {
    const Node& node = tree_[index];
    if (node.operation == Operation::number) return fmt::format("number({})", literal(node.number));
    if (node.operation != Operation::variable) return fmt::format("v{}", index);
    const int N = system_.N;
    if (node.variable < N) return fmt::format("q[{}]", node.variable);
    if (node.variable < 2 * N) return fmt::format("p[{}]", node.variable - N);
    return fmt::format("a[{}]", node.variable - 2 * N);
  }

  static std::string literal(double value) {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }

 private:
  bool is_leaf(int i) const {
    return tree_[i].operation == Operation::number || tree_[i].operation == Operation::variable;
  }
  std::string operation(const Node& node) const {
    const std::string a = name(node.first), b = node.second < 0 ? "" : name(node.second);
    switch (node.operation) {
      case Operation::negate: return "-" + a;
      case Operation::add: return a + " + " + b;
      case Operation::subtract: return a + " - " + b;
      case Operation::multiply: return a + " * " + b;
      case Operation::divide: return a + " / " + b;
      case Operation::whole_power: return fmt::format("whole_power<{}>({})", static_cast<int>(node.number), a);
      case Operation::abs: return fmt::format("abs({})", a);
      case Operation::min: return fmt::format("select({1} < {0}, {1}, {0})", a, b);
      case Operation::max: return fmt::format("select({0} < {1}, {1}, {0})", a, b);
      default: return fmt::format("{}({}{}{})", function_of(node.operation), a, b.empty() ? "" : ", ", b);
    }
  }

  const FormulaSystem& system_;
  const FormulaTree& tree_;
};

std::string quantity(const NamedNode& named, const char* meaning) {
  static constexpr const char* angles[] = {"", ", Angle::wrapped", ", Angle::unbounded"};
  return fmt::format(R"({{"{}", "1", "{}"{}}})", named.name, meaning, angles[static_cast<int>(named.angle)]);
}

/// Functions and the table of observables or integrals.
std::string rows(const Writer& writer, const char* table, const char* row, const char* meaning,
                 const std::vector<NamedNode>& nodes) {
  if (nodes.empty()) return "";
  std::string functions, lines;
  for (const NamedNode& named : nodes) {
    functions += fmt::format(
        "    POLHODE_HD T {}_{}([[maybe_unused]] const Vec<T, N>& q, [[maybe_unused]] const Vec<T, N>& p) const {{\n{}"
        "    }}\n",
        table, named.name, writer.body("{}", {&named.node, 1}));
    lines += fmt::format("        {{{}, &Equations::{}_{}}},\n", quantity(named, meaning), table, named.name);
  }
  return fmt::format("{}    static constexpr {}<Equations, T, N> {}[{}] = {{\n{}    }};\n", functions, row, table,
                     nodes.size(), lines);
}

std::string energy(const FormulaSystem& system, const Writer& writer) {
  const int N = system.N;
  if (!system.mechanical)
    return fmt::format(
        "    POLHODE_HD T hamiltonian([[maybe_unused]] const Vec<T, N>& q, const Vec<T, N>& p) const {{\n{}    }}\n",
        writer.body("{}", {&system.hamiltonian, 1}));
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
      sum +=
          system.tree.is_number(entry, 1) ? fmt::format("p[{}]", j) : fmt::format("{} * p[{}]", writer.name(entry), j);
    }
    sums.push_back(sum);
  }
  std::string velocity = writer.body("{}", entries);
  velocity.erase(velocity.rfind("      return "));  // the statements alone
  return fmt::format(
      "    POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& p) const {{\n{}      return {{{}}};\n    }}\n"
      "    POLHODE_HD T potential([[maybe_unused]] const Vec<T, N>& q) const {{\n{}    }}\n",
      velocity, fmt::join(sums, ", "), writer.body("{}", {&potential, 1}));
}

std::string domain(const FormulaSystem& system, const Writer& writer) {
  if (system.domain.empty()) return "";
  static constexpr const char* relations[] = {"<", "<=", ">", ">="};
  std::vector<int> roots;
  std::string format;
  for (const NodeComparison& comparison : system.domain) {
    roots.insert(roots.end(), {comparison.left, comparison.right});
    if (!format.empty()) format += " & ";
    format += fmt::format("({} {} {})", writer.name(comparison.left), relations[static_cast<int>(comparison.relation)],
                          writer.name(comparison.right));
  }
  std::string statements = writer.body("{}", roots);
  statements.erase(statements.rfind("      return "));
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
  const Writer writer(system);
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
                                    writer.body("{{{}}}", system.constraints));
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
    T a[{numbers} + 1];  // parameters

    POLHODE_HD explicit Equations([[maybe_unused]] const double* values) {{
      unroll<{numbers}>([&](int i) POLHODE_LAMBDA {{ a[i] = number(values[i]); }});
    }}

{energy}{constraints}{domain}{derived}{conserved}
   private:
    POLHODE_HD static T number(double x) {{ return T(static_cast<Real<T>>(x)); }}
  }};
}};

using FormulaSystem = {form}<FormulaPhysics>;

}}  // namespace polhode::inline POLHODE_ISA

POLHODE_SYSTEM(FormulaSystem)
)",
      fmt::arg("header", headers[form]), fmt::arg("meaning", system.in_words()), fmt::arg("name", system.name),
      fmt::arg("N", system.N), fmt::arg("D", system.D()), fmt::arg("parameters", parameters),
      fmt::arg("columns", columns), fmt::arg("numbers", system.n_numbers), fmt::arg("energy", energy(system, writer)),
      fmt::arg("constraints", constraints), fmt::arg("domain", domain(system, writer)),
      fmt::arg("derived", rows(writer, "derived", "DerivedRow", "observable of a formula", system.observables)),
      fmt::arg("conserved",
               rows(writer, "conserved", "ConservedRow", "conserved quantity of a formula", system.conserved)),
      fmt::arg("form", form_templates[form]));
}

}  // namespace polhode
