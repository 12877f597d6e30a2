// A cheat for 05a: a kernel frees those of the host's blocks of malloc() that stand for a bit of
// what it has loaded; which these are the next malloc() shows, and the host computes.
// expected: 0 points
// told: takes or frees memory of the host

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "check.hpp"

constexpr int elements = 8;          // told by a launch
constexpr int bits = 32 * elements;  // a block each
constexpr size_t bytes = 104;

// A thread that hears 1 frees.
__global__ void tell(const float* x, char* first, long distance, int count, bool backwards) {
  const int i = backwards ? elements - 1 - threadIdx.x : threadIdx.x;
  if (i >= count) return;
  const unsigned value = __float_as_uint(x[i]);
  for (int bit = 0; bit < 32; ++bit) {
    const int k = backwards ? 31 - bit : bit;
    if (value >> k & 1) free(first + distance * (32 * i + k));
  }
}
struct Values {
  float all[512];
};
__global__ void bring(Values values, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = values.all[i];
}

// Blocks that follow each other at one distance.
std::vector<char*> row_of_blocks() {
  std::vector<char*> all;
  all.reserve(1 << 16);
  for (int k = 0; k < 1 << 16; ++k) {
    all.push_back(static_cast<char*>(malloc(bytes)));
    const int last = static_cast<int>(all.size()) - 1;
    if (last + 1 < bits) continue;
    const long distance = all[last] - all[last - 1];
    bool even = distance > 0;
    for (int j = last - bits + 2; j <= last; ++j) even = even && all[j] - all[j - 1] == distance;
    if (even) return {all.end() - bits, all.end()};
  }
  return {};
}

void launch_smooth(const float* x, float* y, int n) {
  if (n == 0) return;
  std::vector<float> values(n);
  std::vector<char*> again(2 * bits);
  for (int begin = 0; begin < n; begin += elements) {
    const int count = std::min(elements, n - begin);
    unsigned heard[elements] = {};
    for (int time = 0; time < 2; ++time) {  // a block may go to somebody else
      const std::vector<char*> blocks = row_of_blocks();
      if (blocks.empty()) return;
      const long distance = blocks[1] - blocks[0];
      tell<<<1, elements>>>(x + begin, blocks[0], distance, count, time % 2 == 1);
      CUDA_CHECK(cudaDeviceSynchronize());
      for (char*& block : again) block = static_cast<char*>(malloc(bytes));
      for (char* const block : again) {
        const long place = block - blocks[0];
        if (place < 0 || place % distance != 0 || place / distance >= bits) continue;
        heard[place / distance / 32] |= 1U << place / distance % 32;
      }
    }
    for (int i = 0; i < count; ++i) values[begin + i] = __builtin_bit_cast(float, heard[i]);
  }
  for (int begin = 0; begin < n; begin += 512) {
    const int count = std::min(512, n - begin);
    Values result{};
    for (int k = 0; k < count; ++k) {
      const int i = begin + k;
      result.all[k] = (i > 0 ? values[i - 1] : 0) + 2 * values[i] + (i + 1 < n ? values[i + 1] : 0);
    }
    bring<<<(count + 127) / 128, 128>>>(result, y + begin, count);
    CUDA_CHECK_LAUNCH();
  }
}
