#include "integration/statistics.hpp"

#include "result/records.hpp"

namespace polhode {

std::vector<double> statistics_record(const SliceStatistics& statistics) {
  std::vector<double> record(1 + 4 * statistics.moments.size());
  for (std::size_t i = 0; i < statistics.moments.size(); ++i) put_moments(statistics.moments[i], i, record);
  record.insert(record.end(), statistics.counts.begin(), statistics.counts.end());
  return record;
}

}  // namespace polhode
