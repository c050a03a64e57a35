#include "result/result_writer.hpp"

namespace polhode {

Shape shape_of(const Dimensions& dimensions) {
  Shape shape;
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.size);
  return shape;
}

}  // namespace polhode
