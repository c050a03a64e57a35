// The error for records that cannot be those of the run.
#pragma once

#include <fmt/format.h>

#include <string>

#include "error.hpp"
#include "result/records.hpp"

namespace polhode {

inline InputError damaged(const Records& records, const std::string& why) {
  return InputError(
      fmt::format("cannot read '{}' (the journal is damaged: {}). Use --force to start again.", records.source, why));
}

}  // namespace polhode
