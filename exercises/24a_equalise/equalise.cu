// Exercise 24a: a foggy picture, with its grey levels spread out.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 24a

#include <algorithm>

#include "check.hpp"

using Byte = unsigned char;

constexpr int levels = 256;
constexpr int block = 256;       // threads, as many as there are levels
constexpr int most_blocks = 64;  // of a grid

// counts[v] = how many pixels have level v. counts is 0 before. Row y of the picture begins at
// picture + y * pitch.
__global__ void count_levels(const Byte* picture, size_t pitch, int width, int height,
                             unsigned* counts) {
  // TODO (12 lines): counters in shared memory, set to 0; the pixels of this block; and what
  // the block has counted is added to counts, by one atomic per level.
}

// table[v] = the new level of level v. One block.
__global__ void make_table(const unsigned* counts, Byte* table) {
  // TODO (16 lines): the scan of counts; then the formula of README.md, in whole numbers.
}

// out(x, y) = table[picture(x, y)]
__global__ void use_table(const Byte* picture, size_t pitch, Byte* out, size_t out_pitch, int width,
                          int height, const Byte* table) {
  // TODO (5 lines)
}

// All pointers are to device memory. counts and table have 256 elements, in which anything may be.
// width and height are at least 1.
void launch_equalise(const Byte* picture, size_t pitch, Byte* out, size_t out_pitch, int width,
                     int height, unsigned* counts, Byte* table) {
  const int grid = std::min(height, most_blocks);
  // TODO (1 line): what must counts be before?
  count_levels<<<grid, block>>>(picture, pitch, width, height, counts);
  CUDA_CHECK_LAUNCH();
  make_table<<<1, levels>>>(counts, table);
  CUDA_CHECK_LAUNCH();
  use_table<<<grid, block>>>(picture, pitch, out, out_pitch, width, height, table);
  CUDA_CHECK_LAUNCH();
}
