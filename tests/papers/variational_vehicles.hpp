// The vehicle under water of the program, with the parameters of its two cases.
#pragma once

#include "papers/variational_steps.hpp"
#include "polhode/system/underwater_vehicle.hpp"

namespace polhode::test {

inline const VariationalSubject<UnderwaterVehicle> free_vehicle{
    underwater_vehicle(Centres::coincide),
    {0.218, 0.357, 0.335, 1.234, 1.341, 2.253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1}};
inline const VariationalSubject<UnderwaterVehicle> weighted_vehicle{
    underwater_vehicle(Centres::apart),
    {0.218, 0.357, 0.335, 1.234, 1.341, 2.253, 0, 0.03, 0, -0.03, 0, 0, 0, 0, 0, 0.3, 0, 0, -1}};

}  // namespace polhode::test
