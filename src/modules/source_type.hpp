// A type of the program by name, for code that is generated from it.
#pragma once

namespace polhode {

/// A type of namespace polhode and the header that defines it, as code includes it.
struct SourceType {
  const char* header;
  const char* type;
};

}  // namespace polhode
