// Options of a method that are options of its step map.
#pragma once

#include <type_traits>

#include "polhode/method/map_options.hpp"
#include "polhode/method/option.hpp"

namespace polhode {

/// An option, and the member of the map's options that is its value: a number, or the place of a choice among the
/// choices.
struct MethodSetting {
  MethodOption option;
  bool selects;  ///< one of a few maps, rather than a number from a range
  double (*get)(const MapOptions& options);
  void (*set)(MapOptions& options, double value);
};

inline namespace POLHODE_ISA {

template <class>
struct MemberOfOptions;
template <class Options_, class Value_>
struct MemberOfOptions<Value_ Options_::*> {
  using Options = Options_;
  using Value = Value_;
};

/// Setting for a member of a map's options, e.g. setting<&CollocationOptions::stages>({.name = "stages", ...}).
template <auto member>
constexpr MethodSetting setting(const MethodOption& option) {
  using Options = typename MemberOfOptions<decltype(member)>::Options;
  using Value = typename MemberOfOptions<decltype(member)>::Value;
  return {option, !std::is_floating_point_v<Value>,
          [](const MapOptions& all) { return static_cast<double>(options_from<Options>(all).*member); },
          [](MapOptions& all, double value) {
            Options options = options_from<Options>(all);
            options.*member = static_cast<Value>(value);
            all = to_bytes(options);
          }};
}

}  // namespace POLHODE_ISA
}  // namespace polhode
