// Toda's lattice of six particles. Other numbers are files like this one.
#pragma once

#include "toda.hpp"

POLHODE_SYSTEM(Toda<6>)
