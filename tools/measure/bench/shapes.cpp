#include "bench/shapes.hpp"

namespace course::measure {

std::vector<MatrixShape> matrix_shapes() {
  // In the level-2 cache of a large GPU (measured hot and cold); the ladder's; as many elements,
  // but 16 times as many rows.
  std::vector<MatrixShape> shapes = {
      {2048, 2048, true}, {16384, 16384, true}, {262144, 1024, true}};
  for (const int size : {1024, 4096, 8192, 32768}) shapes.push_back({size, size});
  shapes.push_back({65536, 4096});
  shapes.push_back({4096, 65536});
  shapes.push_back(
      {16383, 16381});  // only the first row and column start at a multiple of 16 bytes
  shapes.push_back({100, 1000000});  // a few very long rows ...
  shapes.push_back({1000000, 100});  // ... and very many short ones
  return shapes;
}

std::vector<std::size_t> vector_sizes() {
  return {std::size_t{20} << 20, std::size_t{1} << 28};
}

std::vector<ProductShape> product_shapes() {
  return {{1024, 1024, 1024},  // the matrices fit in the level-2 cache
          {2048, 2048, 2048},
          {4096, 4096, 4096},
          {4095, 4097, 4093},  // no multiple of any tile
          {8192, 8192, 8192, true}};
}

}  // namespace course::measure
