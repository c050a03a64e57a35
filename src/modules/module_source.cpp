#include "modules/module_source.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "checksum.hpp"
#include "module_flags.hpp"
#include "modules/headers.hpp"

namespace polhode {
namespace {

std::string hash_of(const std::string& text) {
  Checksum sum;
  sum.add(std::as_bytes(std::span(text)));
  return fmt::format("{:016x}", sum.value());
}

/// Words as a part of a file name: each run of characters other than letters and digits becomes a dash.
std::string as_file_name(const std::string& words) {
  std::string name;
  for (const char c : words) {
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_kept)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return name;
}

/// Compiler options on which the code for a target depends.
std::string flags_for(const Target& target) {
  if (target.is_gpu()) return module_flags::cuda;
  return fmt::format("{};{};{}", module_flags::step, module_flags::unit,
                     module_flags::isas[static_cast<int>(target.isa())]);
}

std::string include(const std::string& header) { return fmt::format("#include \"{}\"\n", header); }

/// Lines #include of a source, and a hash of all that they include: for a user's header the hash of all shared headers
/// (headers.hpp), since it is not known here which of them that header includes.
struct Includes {
  Includes(const SourceType& system, std::vector<std::string> headers) {
    if (system.added) headers.emplace_back("polhode/system/observed_system.hpp");
    hash = system.content ? headers_hash() : hash_of_headers(headers, hashes_of_headers());
    for (const std::string& header : headers) text += include(header);
    if (system.definition) text += system.definition;
    if (system.added) text += system.added;
  }

  std::string text{}, hash;
};

/// Source of a module. key: the lines of its key other than those on headers, flags and target; names: words from which
/// the stem of its files is made; in_words: words for people, without the target; body: C++ expression for the object
/// that holds the module's functions, whose address is ModuleTable::functions.
ModuleSource make_source(std::string key, const std::string& names, const std::string& in_words,
                         const Includes& includes, const std::string& body, const Target& target) {
  const std::string target_name = target.name();
  key = fmt::format("headers {}\nflags {}\n{}target {}\n", includes.hash, flags_for(target), key, target_name);
  ModuleSource source{.key = key,
                      .stem = fmt::format("{}-{}-{}", as_file_name(names), target_name, hash_of(key)),
                      .in_words = fmt::format("{}, {}", in_words, target_name),
                      .text = {},
                      .target = target};
  // Other flags, such as -march=native for everything, would make code for another instruction set.
  source.text = fmt::format(R"({}
namespace polhode {{
inline namespace isa_{} {{
constexpr bool is_for_this_target = true;
}}
static_assert(POLHODE_ISA::is_for_this_target, "this module must be compiled for {}, and for nothing more");
extern "C" __attribute__((visibility("default"))) constexpr ModuleTable polhode_module{{
    R"key({})key", POLHODE_COMPILER, &{}}};
}}  // namespace polhode
)",
                            includes.text, target.is_gpu() ? "cuda" : target_name, target_name, key, body);
  return source;
}

/// Line of a key for a system. A user's header may be anywhere: its content is in the line, not its path.
std::string system_line(const SourceType& system) {
  const std::string own = system.content ? fmt::format("system own {}\n", system.content)
                                         : fmt::format("system {} {}\n", system.header, system.type);
  return system.added ? own + fmt::format("added observables {}\n", hash_of(system.added)) : own;
}

/// Type of a system in the code of a module.
std::string type_in_code(const SourceType& system) {
  return system.added ? fmt::format("ObservedSystem<{}, ObservableFormulas>", system.type) : system.type;
}

/// Name of a system for the names of files: its type, or the name of the user's header, cut off to 60 characters.
std::string file_name_of(const SourceType& system) {
  if (system.definition) return "formula";
  constexpr std::size_t most_characters = 60;
  return system.content ? std::filesystem::path(system.header).stem().string().substr(0, most_characters) : system.type;
}

ModuleSource with_own_header(const SourceType& system, ModuleSource source) {
  if (system.content && !system.definition) {
    source.own_header = system.header;
    source.own_content = system.content;
  }
  return source;
}

/// Line of a key for where a GPU keeps a trajectory, on which the code depends; empty for a processor.
std::string residence_line(const Target& target, Residence residence) {
  return target.is_gpu() ? fmt::format("residence {}\n", static_cast<int>(residence)) : "";
}

/// Line of a key for the table of a map; empty where it has none.
std::string table_line(const TableType& table) {
  if (table.name.empty()) return "";
  return fmt::format("table {} {}\n", table.type, table.definition.empty() ? table.name : hash_of(table.definition));
}

/// Source of a module, completed for the `residence` of a trajectory on a GPU: whether the kernel may spill, and
/// whether it calls functions (scalar/config.hpp). For a processor the source is left as it is.
ModuleSource with_residence(Residence residence, ModuleSource source) {
  if (!source.target.is_gpu()) return source;
  source.may_spill = residence != Residence::registers;
  if (residence == Residence::memory) source.text = "#define POLHODE_CALLS_ON_DEVICE\n" + source.text;
  return source;
}

/// Kind of a module that is made of a step map on a system: its kernel, or its shadow energies.
struct UseOfMap {
  const char *name, *body_header;       ///< line of the key, and NAME of the body NAME_of_module; header of the body
  const char *in_file_name, *in_words;  ///< parts of ModuleSource::stem and ModuleSource::in_words; empty for a kernel
};

ModuleSource source_of(const KernelNames& kernel, const Target& target, const UseOfMap& use) {
  const auto& [system, map, solver, solver_name, precision, method, residence, leaves_inlining, table] = kernel;
  const char* const real = precision == Precision::binary64 ? "double" : "float";
  const bool has_table = !table.name.empty();
  const std::string map_type = has_table ? fmt::format("{}::With<{}>", map.type, table.type) : map.type;
  Includes includes(system, {use.body_header, map.header, system.header});
  includes.text += table.definition;
  if (leaves_inlining && !target.is_gpu()) includes.text = "#define POLHODE_LEAVE_INLINING\n" + includes.text;
  return with_own_header(
      system,
      with_residence(residence,
                     make_source(fmt::format("{}\n{}map {} {}\n{}solver {} {}\nprecision {}\n{}", use.name,
                                             system_line(system), map.header, map.type, table_line(table), solver,
                                             solver_name, real, residence_line(target, residence)),
                                 fmt::format("{}-{}{}-{}-{}{}", file_name_of(system), map.type,
                                             has_table ? "-" + table.name : "", solver_name, real, use.in_file_name),
                                 fmt::format("{}{}, {}, {}{}", method, has_table ? ", " + table.name : "", solver_name,
                                             real, use.in_words),
                                 includes,
                                 fmt::format("{}_of_module<{}, {}, {}, {}>", use.name, map_type, type_in_code(system),
                                             solver, real),
                                 target)));
}

}  // namespace

std::string ModuleSource::complete(const std::string& compiler) const {
  return fmt::format("#define POLHODE_COMPILER R\"words({})words\"\n{}", compiler, text);
}

ModuleSource source_of(const KernelNames& kernel, const Target& target) {
  return source_of(kernel, target,
                   {"kernel", target.is_gpu() ? "kernels/kernel_module.cuh" : "modules/kernel_module.hpp", "", ""});
}

ModuleSource shadow_source_of(const KernelNames& kernel, Isa isa) {
  return source_of(kernel, isa, {"shadow", "modules/shadow_module.hpp", "-shadow", ", shadow energy"});
}

ModuleSource source_of(const SourceType& system, const char* name, const Target& target, Residence residence) {
  const char* const body_header = target.is_gpu() ? "kernels/system_module.cuh" : "modules/system_module.hpp";
  return with_own_header(
      system,
      with_residence(residence, make_source(system_line(system) + residence_line(target, residence),
                                            file_name_of(system), name, Includes(system, {system.header, body_header}),
                                            fmt::format("functions_of_module<{}>", type_in_code(system)), target)));
}

ModuleSource description_source_of(const SourceType& system, std::span<const MethodRow> methods) {
  std::vector<std::string> headers{"catalog/description_module.hpp"};
  std::string maps, cases;
  for (const MethodRow& row : methods) {
    headers.insert(headers.end(), {row.method.header, row.map.header});
    maps += fmt::format("    {{\"{}\", \"{}\"}},\n", row.map.header, row.map.type);
    cases += fmt::format(", MethodCase<{}, {}, {}>", row.method.type, row.map.type, row.forms);
  }
  headers.emplace_back(system.header);
  Includes includes(system, headers);
  includes.text += fmt::format("namespace polhode {{\nconstexpr SourceType maps[] = {{\n{}}};\n}}\n", maps);
  const std::string name = file_name_of(system);
  return with_own_header(
      system, make_source(fmt::format("description {}\n{}", hash_of(maps + cases), system_line(system)),
                          name + "-description", name + ", description", includes,
                          fmt::format("DescriptionOfModule<{}, maps{}>::entries", system.type, cases), Isa::scalar));
}

ModuleSource value_source_of(const SourceType& system, const char* name) {
  return with_own_header(system,
                         make_source(fmt::format("values\n{}", system_line(system)), file_name_of(system) + "-values",
                                     fmt::format("{}, values for the reference", name),
                                     Includes(system, {"modules/value_module.hpp", system.header}),
                                     fmt::format("ValuesOfModule<{}>::table", system.type), Isa::scalar));
}

}  // namespace polhode
