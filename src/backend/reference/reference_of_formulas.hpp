// Reference of a system of formulas, which takes their values from the trees and not from code that is made of them.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/reference/reference_method.hpp"
#include "formula/formula_system.hpp"

namespace polhode {

/// Makes the reference backend of a system of formulas, as a MakeReference does (reference_backend.hpp).
std::unique_ptr<Backend> make_reference_of_formulas(const FormulaSystem& formulas, const RunPlan& plan,
                                                    const ReferenceMethod& method);

}  // namespace polhode
