// Manual page, generated from the tables of CLI11 and the schema.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace polhode {

/// polhode(1) in the language of man(7).
std::string manual(const CLI::App& app);

}  // namespace polhode
