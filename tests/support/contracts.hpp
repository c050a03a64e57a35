// Breaches of contracts, for tests that commit them.
#pragma once

#include <gtest/gtest.h>

#include "contract.hpp"

/// Expects that a statement ends the program with a breach of the condition (a regular expression).
#if defined(POLHODE_CONTRACTS)
#define EXPECT_BREACH(statement, condition) EXPECT_DEATH(statement, "broken contract: .*" condition)
#else
#define EXPECT_BREACH(statement, condition) GTEST_SKIP() << "contracts are checked in the debug preset only"
#endif
