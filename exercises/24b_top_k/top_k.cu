// Exercise 24b: where the k largest keys of an array are, by four histograms.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 24b

#include <algorithm>

#include "check.hpp"

constexpr int digits = 256;
constexpr int block = 256;       // threads, as many as a digit has values
constexpr int most_blocks = 64;  // of a grid
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// What is known of the k-th largest key.
struct Search {
  unsigned key;     // its digits as far as they are known; the others are 0
  unsigned wanted;  // how many keys with these digits are among the k largest
  unsigned larger;  // for the last kernel: how many larger keys it has found
  unsigned equal;   // and how many equal ones
};

// counts[d] = how many keys have digit d, x >> shift & 255, of those whose higher digits are those
// of search->key. counts is 0 before.
__global__ void count_digits(const unsigned* x, int n, int shift, const Search* search,
                             unsigned* counts) {
  // TODO (11 lines): a histogram in shared memory. Which keys count? With shift 24 all of them;
  // x >> 32 does not exist.
}

// Finds the digit of the k-th largest key: fewer than `wanted` keys have a larger digit, and at
// least `wanted` have this digit or a larger one. Updates *search, and sets counts to 0. One
// block.
__global__ void choose_digit(unsigned* counts, int shift, Search* search) {
  __shared__ unsigned from[digits + 1];  // from[d]: how many keys have digit d or a larger one
  const unsigned d = threadIdx.x;
  // TODO (16 lines): a scan from the largest digit down; one thread knows that it is the one.
}

// y[0], … y[k - 1] = where the k largest keys are, in any order: all that are larger than the k-th
// largest, and as many that are equal to it as are wanted. The larger ones come first.
__global__ void gather(const unsigned* x, int n, int k, Search* search, int* y) {
  const unsigned key = search->key;
  const unsigned wanted = search->wanted;
  // TODO (20 lines): a place for each of these keys, with one atomic per warp and counter.
}

// All pointers are to device memory. counts has 256 elements, y has k. 1 <= k <= n.
void launch_top_k(const unsigned* x, int n, int k, Search* search, unsigned* counts, int* y) {
  const int grid = std::min((n - 1) / (4 * block) + 1, most_blocks);
  const Search beginning{0, static_cast<unsigned>(k), 0, 0};
  CUDA_CHECK(cudaMemcpy(search, &beginning, sizeof beginning, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(counts, 0, digits * sizeof *counts));
  for (int shift = 24; shift >= 0; shift -= 8) {
    count_digits<<<grid, block>>>(x, n, shift, search, counts);
    CUDA_CHECK_LAUNCH();
    choose_digit<<<1, digits>>>(counts, shift, search);
    CUDA_CHECK_LAUNCH();
  }
  gather<<<grid, block>>>(x, n, k, search, y);
  CUDA_CHECK_LAUNCH();
}
