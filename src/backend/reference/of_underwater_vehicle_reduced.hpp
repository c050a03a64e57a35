#pragma once

#include <stdexcept>

#include "backend/reference/heavy_top_embedding.hpp"
#include "backend/reference/of_body.hpp"
#include "polhode/system/underwater_vehicle_reduced.hpp"

namespace polhode {

template <>
struct BodyBracket<UnderwaterVehicleReduced> : BracketOnSe3 {};

template <class Real>
struct VehicleEmbedding : VerticalEmbedding<UnderwaterVehicleReduced, Real> {};

/// The free body of moser_veselov_body.hpp with the parameters of a vehicle; throws std::invalid_argument unless c
/// and p of the vehicle are 0.
template <class Real>
class FreeVehicle : public MoserVeselovBody<Real> {
 public:
  FreeVehicle(const double* parameters, int order)
      : MoserVeselovBody<Real>(body_parameters(parameters).data(), order) {}

 private:
  static std::array<double, Top::n_parameters> body_parameters(const double* parameters) {
    if (!UnderwaterVehicleReduced::is_free(parameters))
      throw std::invalid_argument("moser-veselov is for the free body. Set c and p to 0.");
    return {parameters[0], parameters[1], parameters[2]};
  }
};

struct VehicleMotions {
  template <class Real>
  using Constrained = ConstrainedBodyOf<Real, UnderwaterVehicleReduced>;
  template <class Real>
  using Free = FreeVehicle<Real>;
  template <class Real>
  using Split = SplitBody<Real, UnderwaterVehicleReduced, MoserVeselovBody<Real>>;
  template <class Real>
  using Turned = SplitBody<Real, UnderwaterVehicleReduced, TurnedBody<Real>>;
};

template <>
struct ReferenceOf<UnderwaterVehicleReduced> : ReferenceOfBody<VehicleEmbedding, VehicleMotions> {};

}  // namespace polhode
