// Newton's iteration on the double spherical pendulum, with a fault that FAULT_SOLVER or the compiler's flags plant
// (tests/CMakeLists.txt).
#include "backend/cpu/unit.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::inline POLHODE_ISA {

/// Ends a sweep or so early, where the position still changes by 1e-6. That it settles on the constraints, as Newton's
/// does, is part of the fault: its steps count as valid.
struct LooseSolver : NewtonSolver {
  template <class T, int N, int n>
  struct Unknown : ConstrainedPosition<T, N, n> {
    friend POLHODE_HD Mask<T> has_settled(const Unknown& x, const Unknown& next) {
      const Vec<T, N> change = next.q - x.q;
      return dot(change, change) < T(Real<T>(1e-12)) * dot(next.q, next.q);
    }
    friend POLHODE_HD Unknown select(const Mask<T>& m, const Unknown& a, const Unknown& b) {
      return {{select(m, a.q, b.q), select(m, a.variable, b.variable)}};
    }
  };
  template <class System, class T>
  struct Equation : NewtonSolver::Equation<System, T> {
    using Base = NewtonSolver::Equation<System, T>;
    using Base::Base;
    POLHODE_HD auto start() const { return Unknown<T, System::N, System::D>{Base::start()}; }
    POLHODE_HD auto sweep(const Unknown<T, System::N, System::D>& x) const {
      return Unknown<T, System::N, System::D>{Base::sweep(x)};
    }
  };
};

}  // namespace polhode::inline POLHODE_ISA

extern "C" constexpr polhode::CpuTable FAULT_TABLE = polhode::cpu_table<polhode::Precisions<double>>(
    polhode::StepMaps<polhode::ConstrainedMotion<polhode::DoubleSphericalPendulum, polhode::FAULT_SOLVER>>{});
