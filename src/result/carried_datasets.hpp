// Datasets that are a carried column as it is, one number for each trajectory.
#pragma once

#include "backend/batch.hpp"

namespace polhode {

struct CarriedDataset {
  const char* group;
  const char* name;
  const char* meaning;  ///< null: the meaning is a list, the meanings of the run's status codes
};

/// Calls f(dataset, array...) for every dataset, with the column of it that each of the given batches has.
/// with_section: whether there is a section; without one its datasets are left out.
template <class F, class... Batches>
void for_carried_datasets(bool with_section, F&& f, Batches&&... batches) {
  f(CarriedDataset{"status", "code", nullptr}, batches.code...);
  f(CarriedDataset{"status", "step", "completed steps"}, batches.steps...);
  if (!with_section) return;
  f(CarriedDataset{"section", "count",
                   "points of each trajectory on the section: crossings that were solved for and meet its condition"},
    batches.section_count...);
  f(CarriedDataset{"section", "round_off",
                   "changes of sign of each trajectory that are round-off about the section at both ends of the step, "
                   "and no crossings"},
    batches.round_off...);
}

}  // namespace polhode
