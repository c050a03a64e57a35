#include "backend/reference/constrained_step.hpp"

namespace polhode {

template class ConstrainedStep<double>;

}  // namespace polhode
