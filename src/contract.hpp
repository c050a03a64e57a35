// Contracts between the layers: what a caller owes and what it is owed. A breach is an error of the program, whatever
// its input: it ends the program with the place. Checked where POLHODE_CONTRACTS is defined, as by the debug preset;
// elsewhere the conditions are compiled, so that they stay right, and not evaluated. For host code.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace polhode {

[[noreturn]] inline void report_breach(const char* kind, const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken contract: %s(%s)\n", file, line, kind, condition);
  std::abort();
}

}  // namespace polhode

#if defined(POLHODE_CONTRACTS)
#define POLHODE_CONTRACT(kind, condition, text) \
  ((condition) ? void() : polhode::report_breach(kind, text, __FILE__, __LINE__))
#else
#define POLHODE_CONTRACT(kind, condition, text) void(sizeof((condition) ? 1 : 1))
#endif

/// Checks a condition on what a function is given.
#define POLHODE_EXPECT(...) POLHODE_CONTRACT("EXPECT", (__VA_ARGS__), #__VA_ARGS__)
/// Checks a condition on what a function gives back.
#define POLHODE_ENSURE(...) POLHODE_CONTRACT("ENSURE", (__VA_ARGS__), #__VA_ARGS__)
