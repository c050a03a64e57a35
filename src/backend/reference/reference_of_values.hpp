// Reference of a user's system, from the values of its functions.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/reference/reference_method.hpp"
#include "backend/reference/value_table.hpp"

namespace polhode {

/// Makes the reference backend of a user's system, as a MakeReference does (reference_backend.hpp). The table must
/// outlive the backend.
std::unique_ptr<Backend> make_reference_of_values(const ValueTable& table, const RunPlan& plan,
                                                  const ReferenceMethod& method);

}  // namespace polhode
