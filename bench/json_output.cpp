#include "json_output.hpp"

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "error.hpp"

namespace polhode::bench {
namespace {

std::string without_clock(std::string name) {
  for (const std::string_view clock : {"/real_time", "/manual_time"})
    if (const std::size_t place = name.find(clock); place != std::string::npos) name.erase(place, clock.size());
  return name;
}

}  // namespace

void complete_json(const std::string& path, const std::vector<Table>& tables) {
  std::ifstream in(path);
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(in);
  for (auto& benchmark : json["benchmarks"])
    for (const char* const key : {"name", "run_name"}) benchmark[key] = without_clock(benchmark[key]);
  json["derived"] = to_json(tables);
  std::ofstream out(path);
  out << json.dump(2) << '\n';
  out.close();
  if (!out) throw IoError("cannot write " + path + " (the disk may be full). Choose another place.");
}

}  // namespace polhode::bench
