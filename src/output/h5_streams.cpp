// The streams that a static HDF5 reads and writes, in libraries that are loaded (cmake/StaticLibraries.cmake).
#include <cstdio>

extern "C" {
__attribute__((visibility("hidden"))) std::FILE* polhode_stdin = nullptr;
__attribute__((visibility("hidden"))) std::FILE* polhode_stdout = nullptr;
__attribute__((visibility("hidden"))) std::FILE* polhode_stderr = nullptr;
}

namespace {

__attribute__((constructor)) void set_streams() {
  polhode_stdin = stdin;
  polhode_stdout = stdout;
  polhode_stderr = stderr;
}

}  // namespace
