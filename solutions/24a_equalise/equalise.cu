//@stub
//@ // Exercise 24a: a foggy picture, with its grey levels spread out.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 24a
//@solution
// Exercise 24a: a foggy picture, with its grey levels spread out. The model solution.
//
// The counters of a level are side by side, one for each lane: lane l of every warp uses bank l
// alone, whatever the picture shows. With one counter per level, lanes whose levels differ by a
// multiple of 32 would wait for each other. The table is a scan of 256 counts: eight steps in one
// block, with a barrier between what is read and what is written.
//@end

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
  //@stub
  //@ // TODO ({lines} lines): counters in shared memory, set to 0; the pixels of this block; and what
  //@ // the block has counted is added to counts, by one atomic per level.
  //@solution
  __shared__ unsigned counters[levels * 32];
  for (int k = threadIdx.x; k < levels * 32; k += block) counters[k] = 0;
  __syncthreads();
  unsigned* const mine = counters + threadIdx.x % 32;
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    const Byte* const row = picture + y * pitch;
    for (int x = threadIdx.x; x < width; x += block) atomicAdd(&mine[row[x] * 32], 1U);
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < 32; ++k) sum += counters[threadIdx.x * 32 + (threadIdx.x + k) % 32];
  if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);
  //@end
}

// table[v] = the new level of level v. One block.
__global__ void make_table(const unsigned* counts, Byte* table) {
  //@stub
  //@ // TODO ({lines} lines): the scan of counts; then the formula of README.md, in whole numbers.
  //@solution
  __shared__ unsigned up_to[levels];  // up_to[v]: how many pixels have level v or a lower one
  const unsigned v = threadIdx.x;
  up_to[v] = counts[v];
  __syncthreads();
  for (unsigned distance = 1; distance < levels; distance *= 2) {
    const unsigned below = v >= distance ? up_to[v - distance] : 0;
    __syncthreads();
    up_to[v] += below;
    __syncthreads();
  }
  // The lowest level that occurs has as many pixels up to it as the level has itself.
  __shared__ unsigned lowest;
  if (counts[v] != 0 && up_to[v] == counts[v]) lowest = counts[v];
  __syncthreads();
  const unsigned long long rest = up_to[levels - 1] - lowest;
  const unsigned long long above = up_to[v] < lowest ? 0 : up_to[v] - lowest;
  table[v] = rest == 0 ? v : (255 * above + rest / 2) / rest;
  //@end
}

// out(x, y) = table[picture(x, y)]
__global__ void use_table(const Byte* picture, size_t pitch, Byte* out, size_t out_pitch, int width,
                          int height, const Byte* table) {
  //@stub
  //@ // TODO ({lines} lines)
  //@solution
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    for (int x = threadIdx.x; x < width; x += block) {
      out[y * out_pitch + x] = table[picture[y * pitch + x]];
    }
  }
  //@end
}

// All pointers are to device memory. counts and table have 256 elements, in which anything may be.
// width and height are at least 1.
void launch_equalise(const Byte* picture, size_t pitch, Byte* out, size_t out_pitch, int width,
                     int height, unsigned* counts, Byte* table) {
  const int grid = std::min(height, most_blocks);
  //@stub
  //@ // TODO (1 line): what must counts be before?
  //@solution
  CUDA_CHECK(cudaMemset(counts, 0, levels * sizeof *counts));
  //@end
  count_levels<<<grid, block>>>(picture, pitch, width, height, counts);
  CUDA_CHECK_LAUNCH();
  make_table<<<1, levels>>>(counts, table);
  CUDA_CHECK_LAUNCH();
  use_table<<<grid, block>>>(picture, pitch, out, out_pitch, width, height, table);
  CUDA_CHECK_LAUNCH();
}
