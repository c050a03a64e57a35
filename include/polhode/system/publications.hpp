// Publications that systems and methods are taken from, as `polhode cite` prints them. Those of the program have their
// texts in src/catalog/publications.cpp, and a header has their keys alone:
//
//   static constexpr const char* sources[] = {"Verlet1967", ...};
//
// A system outside the program has publications of its own beside it:
//
//   static constexpr Publication paper{"Toda1967", "@article{Toda1967, ..."};
//   static constexpr const Publication* sources[] = {&paper};
#pragma once

#include <string_view>

#include "polhode/system/view.hpp"

namespace polhode {

struct Publication {
  const char* key = "";
  const char* bibtex = nullptr;  ///< the entry, with this key; null: the program has it

  constexpr bool operator==(const Publication& other) const { return std::string_view(key) == other.key; }
};

using Sources = View<Publication>;

}  // namespace polhode
