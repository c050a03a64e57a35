#include "backend/reference/body_matrices.hpp"

namespace polhode {

template class ConstrainedStep<double, BodyMatrices<double>>;

}  // namespace polhode
