#include "registry.hpp"

namespace course::measure {

std::vector<MatrixShape> matrix_shapes() {
  return {
      {2048, 2048, true},    // fits in the level-2 cache of a large GPU: measured hot and cold
      {16384, 16384, true},  // the ladder's
      {262144, 1024, true},  // as many elements, but 16 times as many rows
      {1024, 1024},         {4096, 4096},  {8192, 8192},   {32768, 32768},
      {65536, 4096},        {4096, 65536}, {16383, 16381},  // no row and no column but the first
                                                            // starts at a multiple of 16 bytes
      {100, 1000000},                                       // a few very long rows ...
      {1000000, 100}};                                      // ... and very many short ones
}

std::vector<std::size_t> vector_sizes() {
  return {std::size_t{20} << 20, std::size_t{1} << 28};
}

}  // namespace course::measure
