#include "papers/variational_tables.hpp"

#include <stdexcept>

#include "polhode/method/explicit_tables.hpp"

namespace polhode::test {
namespace {

LayerTable layer_of(const NamedExplicitTable& named, int order) {
  const ExplicitTable& table = named.table;
  LayerTable layer{named.name, order, {}, {table.b, table.b + table.stages}};
  for (int i = 0; i < table.stages; ++i) layer.a.emplace_back(table.a[i], table.a[i] + table.stages);
  return layer;
}

int order_by_name(const std::string& name) {
  const struct {
    const char* name;
    int order;
  } orders[] = {{"euler", 1}, {"heun", 2},   {"midpoint", 2}, {"kutta3", 3},
                {"rk4", 4},   {"dopri5", 5}, {"verner6", 6},  {"dop853", 8}};
  for (const auto& row : orders)
    if (name == row.name) return row.order;
  throw std::logic_error(name);
}

}  // namespace

const std::vector<LayerTable>& layer_tables() {
  static const std::vector<LayerTable> tables = [] {
    std::vector<LayerTable> all;
    for (const NamedExplicitTable& named : explicit_tables) all.push_back(layer_of(named, order_by_name(named.name)));
    return all;
  }();
  return tables;
}

const LayerTable& layer_table(const std::string& name) {
  for (const LayerTable& table : layer_tables())
    if (table.name == name) return table;
  throw std::logic_error(name);
}

}  // namespace polhode::test
