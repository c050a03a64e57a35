#include "modules/compiler.hpp"

#include "modules/cxx_compiler.hpp"
#include "modules/nvcc.hpp"

namespace polhode {

const Compiler& Compiler::find(const Target& target) {
  if (target.is_gpu()) {
    static const Nvcc nvcc = Nvcc::search(target);
    return nvcc;
  }
  static const CxxCompiler compiler = CxxCompiler::search();
  return compiler;
}

}  // namespace polhode
