// Words that people use for names of the program.
#pragma once

#include <string_view>

namespace polhode {

/// A word, and what it stands for: a name, or a word in names.
struct Synonym {
  std::string_view word, meant;
};

inline constexpr Synonym synonyms[] = {
    {"gpu", "cuda"},
    {"nvidia", "cuda"},
    {"leapfrog", "rattle"},  // where there are constraints
    {"leapfrog", "stoermer-verlet"},
    {"verlet", "rattle"},
    {"verlet", "stoermer-verlet"},
    {"gyroscope", "top"},
    {"gyro", "top"},
};

}  // namespace polhode
