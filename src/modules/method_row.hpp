// Methods and step maps of the program by name, for code that is generated from them.
#pragma once

#include "modules/source_type.hpp"
#include "polhode/system/form.hpp"

namespace polhode {

/// Names of a method and of the step map that it is a case of.
struct MethodRow {
  const char* name;
  SourceType method, map;
  SystemForms forms;  ///< forms of the users' systems that the map advances
};

}  // namespace polhode
