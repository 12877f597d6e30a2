//@stub
//@ // Exercise 24b: where the k largest keys of an array are, by four histograms.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 24b
//@solution
// Exercise 24b: where the k largest keys of an array are, by four histograms. The model solution.
//
// The k-th largest key is found digit by digit. A histogram of the highest digit says in which of
// 256 groups it is, and how many keys are in groups above; the next digit is counted in that group
// alone. After four rounds the key is known, and how many keys equal to it are among the k largest.
//@end

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
  //@stub
  //@ // TODO ({lines} lines): a histogram in shared memory. Which keys count? With shift 24 all of them;
  //@ // x >> 32 does not exist.
  //@solution
  __shared__ unsigned counters[digits];
  counters[threadIdx.x] = 0;
  __syncthreads();
  const unsigned known = shift == 24 ? 0 : ~0U << (shift + 8);
  const unsigned key = search->key;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
    const unsigned value = x[i];
    if (((value ^ key) & known) == 0) atomicAdd(&counters[value >> shift & 255], 1U);
  }
  __syncthreads();
  if (counters[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], counters[threadIdx.x]);
  //@end
}

// Finds the digit of the k-th largest key: fewer than `wanted` keys have a larger digit, and at
// least `wanted` have this digit or a larger one. Updates *search, and sets counts to 0. One
// block.
__global__ void choose_digit(unsigned* counts, int shift, Search* search) {
  __shared__ unsigned from[digits + 1];  // from[d]: how many keys have digit d or a larger one
  const unsigned d = threadIdx.x;
  //@stub
  //@ // TODO ({lines} lines): a scan from the largest digit down; one thread knows that it is the one.
  //@solution
  from[d] = counts[d];
  if (d == 0) from[digits] = 0;
  __syncthreads();
  for (unsigned distance = 1; distance < digits; distance *= 2) {
    const unsigned above = d + distance < digits ? from[d + distance] : 0;
    __syncthreads();
    from[d] += above;
    __syncthreads();
  }
  counts[d] = 0;
  const unsigned wanted = search->wanted;
  __syncthreads();  // all have read it
  if (from[d + 1] < wanted && wanted <= from[d]) {
    search->key |= d << shift;
    search->wanted = wanted - from[d + 1];
  }
  //@end
}

// y[0], … y[k - 1] = where the k largest keys are, in any order: all that are larger than the k-th
// largest, and as many that are equal to it as are wanted. The larger ones come first.
__global__ void gather(const unsigned* x, int n, int k, Search* search, int* y) {
  const unsigned key = search->key;
  const unsigned wanted = search->wanted;
  //@stub
  //@ // TODO ({lines} lines): a place for each of these keys, with one atomic per warp and counter.
  //@solution
  const int lane = threadIdx.x % 32;
  const int stride = gridDim.x * block;
  for (int first = blockIdx.x * block + threadIdx.x - lane; first < n; first += stride) {
    const int i = first + lane;
    const unsigned value = i < n ? x[i] : 0;
    const bool larger = i < n && value > key;
    const bool equal = i < n && value == key;
    const unsigned larger_lanes = __ballot_sync(all_lanes, larger);
    const unsigned equal_lanes = __ballot_sync(all_lanes, equal);
    unsigned of_larger = 0, of_equal = 0;
    if (lane == 0 && larger_lanes != 0) {
      of_larger = atomicAdd(&search->larger, __popc(larger_lanes));
    }
    if (lane == 0 && equal_lanes != 0) of_equal = atomicAdd(&search->equal, __popc(equal_lanes));
    const unsigned below = (1U << lane) - 1;
    of_larger = __shfl_sync(all_lanes, of_larger, 0) + __popc(larger_lanes & below);
    of_equal = __shfl_sync(all_lanes, of_equal, 0) + __popc(equal_lanes & below);
    if (larger) y[of_larger] = i;
    if (equal && of_equal < wanted) y[k - wanted + of_equal] = i;
  }
  //@end
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
