// Methods and step maps of the program by name, for code that is generated from them.
#pragma once

#include "modules/source_type.hpp"
#include "polhode/system/form.hpp"

namespace polhode {

/// A method and a step map that it is a case of, by name.
struct MethodRow {
  const char* name;
  SourceType method, map;
  SystemForms forms;  ///< of users' systems that the map advances
};

}  // namespace polhode
