// Body of the source of the module that describes the system of a user's header (modules/module_source.cpp).
#pragma once

#include <array>

#include "catalog/entry.hpp"
#include "modules/form_of.hpp"
#include "modules/table.hpp"

namespace polhode::inline POLHODE_ISA {

/// A method as a case of a step map that advances systems of some forms.
template <class Method, class Map, SystemForms forms>
struct MethodCase {
  template <class System>
  static constexpr bool applies = contains(forms, FormOf<System>::form);

  /// Writes the entry if the case applies to the system; returns where the next one goes.
  template <class System>
  static MethodEntry* write(const SourceType& map, MethodEntry* entry) {
    if constexpr (applies<System>) *entry++ = method_entry<Method, Map, System>(map);
    return entry;
  }
};

/// Description of the System of a header. maps: the step maps of the cases, by name. Methods are made when the module
/// is loaded.
template <class System, const auto& maps, class... Case>
struct DescriptionOfModule {
  static constexpr SystemEntry system = system_entry<System>();
  static constexpr std::size_t count = (0 + ... + (Case::template applies<System> ? 1 : 0));
  static inline const std::array<MethodEntry, count> methods = [] {
    std::array<MethodEntry, count> all{};
    MethodEntry* entry = all.data();
    const SourceType* map = maps;
    ((entry = Case::template write<System>(*map++, entry)), ...);
    return all;
  }();
  static constexpr CatalogEntries entries{{&system, 1}, {methods.data(), count}};
};

}  // namespace polhode::inline POLHODE_ISA
