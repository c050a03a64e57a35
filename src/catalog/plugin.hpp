// Plugins: shared libraries with systems of a user's own, made by polhode_add_system (cmake/PolhodeAddSystem.cmake).
//
// A plugin is compiled from the headers of the program and shares no symbol with it: it exports one table, under the
// name polhode_plugin, and keeps everything else to itself. What the table leads to is constant data and functions,
// which belong to the plugin and last as long as the process; only backends are handed over, in a unique_ptr.
#pragma once

#include <filesystem>

#include "catalog/catalog.hpp"

namespace polhode {

struct PluginTable {
  /// Hash of all that a plugin is compiled from (cmake/Package.cmake). First, whatever else changes: no more is looked
  /// at where it differs from the program's.
  const char* interface;
  CatalogEntries (*entries)();
};

/// Adds the systems of a plugin to the catalog. Throws InputError where the file is no plugin, was made for another
/// version of the program, or brings a name that is taken.
void load_plugin(const std::filesystem::path& file);
/// Loads a plugin unless that file has been loaded already; otherwise as load_plugin().
void require_plugin(const std::filesystem::path& file);

}  // namespace polhode
