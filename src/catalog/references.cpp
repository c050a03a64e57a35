#include "catalog/references.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <system_error>

#include "modules/headers.hpp"

namespace polhode {
namespace {

struct Library {
  std::string problem;
  const ReferenceTable* table = nullptr;
};

Library load_library() {
  constexpr const char* name = "libpolhode_references.so";
  std::string problem = fmt::format("there is no {}; build the target polhode_references", name);
  for (const std::filesystem::path& folder : library_folders()) {
    const std::filesystem::path file = folder / name;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void* const table = handle ? dlsym(handle, "polhode_references") : nullptr;
    if (!table) {
      const char* const why = dlerror();
      problem = why ? why : "it cannot be loaded";
    } else if (const auto* const found = static_cast<const ReferenceTable*>(table);
               std::string_view(found->headers) == headers_hash()) {
      return {{}, found};
    } else {
      problem = fmt::format("{} belongs to another build of polhode", file.string());
    }
  }
  return {problem};
}

const Library& library() {
  static const Library loaded = load_library();
  return loaded;
}

}  // namespace

std::string why_no_references() { return library().problem; }

MakeReference find_reference(std::string_view system) { return library().table->find(system); }

std::unique_ptr<Backend> make_own_reference(const ValueTable& values, const RunPlan& plan,
                                            const ReferenceMethod& method) {
  return library().table->make_own(values, plan, method);
}

std::unique_ptr<Backend> make_formula_reference(const FormulaSystem& formulas, const RunPlan& plan,
                                                const ReferenceMethod& method) {
  return library().table->make_formula(formulas, plan, method);
}

}  // namespace polhode
