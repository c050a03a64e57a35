#include "catalog/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ios>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "checksum.hpp"
#include "error.hpp"
#include "interface_hash.hpp"

namespace polhode {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view why, std::string_view suggestion) {
  throw InputError(fmt::format("cannot use the plugin {} ({}). {}.", file.string(), why, suggestion));
}

constexpr const char* how_to_build = "Build one with polhode_add_system (docs/tutorial.md)";

std::string checksum_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  Checksum sum;
  sum.add(std::as_bytes(std::span(bytes)));
  return fmt::format("{:016x}", sum.value());
}

/// Message of dlerror() without the name of the file in front.
std::string loader_problem(const std::filesystem::path& library) {
  const char* const text = dlerror();
  std::string problem = text ? text : "it cannot be loaded";
  const std::string prefix = library.string() + ": ";
  if (problem.starts_with(prefix)) problem.erase(0, prefix.size());
  return problem;
}

const PluginTable& table_of(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    fail(file, std::filesystem::exists(file, error) ? "it is no file" : "no such file", "Check the path");
  // A name without a folder would be looked for among the system's libraries.
  const std::filesystem::path library = std::filesystem::absolute(file);
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail(file, loader_problem(library), how_to_build);
  const void* const table = dlsym(handle, "polhode_plugin");
  if (!table) fail(file, "it is a library, but no plugin", how_to_build);
  return *static_cast<const PluginTable*>(table);
}

/// Files that have been loaded.
std::vector<std::filesystem::path>& loaded() {
  static std::vector<std::filesystem::path> files;
  return files;
}

}  // namespace

void load_plugin(const std::filesystem::path& file) {
  const PluginTable& table = table_of(file);
  if (std::string_view(table.interface) != interface_hash)
    fail(file,
         fmt::format("it was built with another version of polhode: interface {}, here {}", table.interface,
                     interface_hash),
         "Build it again");
  const CatalogEntries entries = table.entries();
  for (const SystemEntry& system : entries.systems)
    if (!find_systems(system.name).empty())
      fail(file, fmt::format("there is a system \"{}\" already", system.name), "Give its own another name");
  extend_catalog(entries, {file.filename().string(), checksum_of(file)});
  loaded().push_back(std::filesystem::absolute(file));
}

void require_plugin(const std::filesystem::path& file) {
  std::error_code ignored;
  const bool is_loaded = std::ranges::any_of(
      loaded(), [&](const std::filesystem::path& other) { return std::filesystem::equivalent(file, other, ignored); });
  if (!is_loaded) load_plugin(file);
}

}  // namespace polhode
