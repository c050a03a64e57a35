// Toda's lattice of three particles. Other numbers are files like this one.
#pragma once

#include "toda.hpp"

POLHODE_SYSTEM(Toda<3>)
