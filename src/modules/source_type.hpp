// A type by name, for code that is generated from it.
#pragma once

namespace polhode {

/// A type of namespace polhode and the header that defines it, as code includes it.
struct SourceType {
  const char* header;
  const char* type;
  const char* content = nullptr;     ///< hash of a user's header and of what it includes; null: a header of the program
  const char* definition = nullptr;  ///< C++ code that defines the type, of a system of formulas; null: the header does
  const char* added = nullptr;  ///< C++ code of ObservableFormulas, of which the module has the type's ObservedSystem;
                                ///< null: the module has the type itself
};

}  // namespace polhode
