//@stub
//@ // Exercise 26c: PageRank, until it no longer changes.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 26c
//@solution
// Exercise 26c: PageRank, until it no longer changes. The model solution.
//
// A step reads the matrix once. What pages hand on is divided once per page, and not once per link.
//@end

#include <utility>
#include <vector>

#include "check.hpp"

constexpr int block = 128, warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The sum of n numbers, by one block and in the same order every time.
__global__ void add_up(const float* values, int n, float* sum) {
  __shared__ float sums[block];
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += block) mine += values[i];
  sums[threadIdx.x] = mine;
  for (int d = block / 2; d > 0; d /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < d) sums[threadIdx.x] += sums[threadIdx.x + d];
  }
  if (threadIdx.x == 0) *sum = sums[0];
}

// What a page gives to each page that it links to: given[p] = rank[p] / links[p]. A page without
// links gives nothing to these: lost[p] is its rank, and 0 for all others.
__global__ void share_out(const float* rank, const int* links, int pages, float* given,
                          float* lost) {
  const int page = blockIdx.x * block + threadIdx.x;
  //@stub
  //@ // TODO ({lines} lines): both, if there is such a page.
  //@solution
  if (page >= pages) return;
  given[page] = links[page] == 0 ? 0 : rank[page] / static_cast<float>(links[page]);
  lost[page] = links[page] == 0 ? rank[page] : 0;
  //@end
}

// next[p] = (1 - damping) / pages + damping * (what p is given by pages that link to it + its share
// of *lost), and change[p] = |next[p] - rank[p]|. Page p has links from the pages from[offsets[p]]
// to from[offsets[p + 1] - 1]. A warp has a page.
__global__ void collect(const int* offsets, const int* from, int pages, float damping,
                        const float* given, const float* lost, const float* rank, float* next,
                        float* change) {
  const int page = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  //@stub
  //@ // TODO ({lines} lines): the lanes' sums of what p is given, their sum, and what lane 0 makes
  //@ // of it.
  //@solution
  if (page >= pages) return;
  float sum = 0;
  for (int k = offsets[page] + lane; k < offsets[page + 1]; k += 32) sum += given[from[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(all_lanes, sum, d);
  if (lane == 0) {
    const auto n = static_cast<float>(pages);
    const float value = (1 - damping) / n + damping * (sum + *lost / n);
    next[page] = value;
    change[page] = fabsf(value - rank[page]);
  }
  //@end
}

// Makes steps until the sum of all changes is below the tolerance, but no more than `most`. Returns
// how many it made; the last step's result is in rank. At the beginning each page has 1 / pages.
// offsets has pages + 1 elements, links has `pages`: to how many pages each page links. rank, next,
// given and other have `pages` elements, sums has two. All are in device memory. pages may be 0.
int launch_pagerank(const int* offsets, const int* from, const int* links, int pages, float damping,
                    float tolerance, int most, float* rank, float* next, float* given, float* other,
                    float* sums) {
  if (pages == 0) return 0;
  const std::vector<float> equal(pages, 1 / static_cast<float>(pages));
  CUDA_CHECK(cudaMemcpy(rank, equal.data(), pages * sizeof(float), cudaMemcpyHostToDevice));
  const int thread_blocks = (pages - 1) / block + 1, warp_blocks = (pages - 1) / warps + 1;
  //@stub
  //@ // TODO ({lines} lines): steps of four launches each. other is lost first, and then change;
  //@ // each is added up into sums. What is to be read next is in rank at the end of each step, or
  //@ // the two pointers change places.
  //@ return 0;
  //@solution
  float* now = rank;
  float* then = next;
  int steps = 0;
  for (float changed = tolerance; steps < most && changed >= tolerance; ++steps) {
    share_out<<<thread_blocks, block>>>(now, links, pages, given, other);
    CUDA_CHECK_LAUNCH();
    add_up<<<1, block>>>(other, pages, sums);
    CUDA_CHECK_LAUNCH();
    collect<<<warp_blocks, block>>>(offsets, from, pages, damping, given, sums, now, then, other);
    CUDA_CHECK_LAUNCH();
    add_up<<<1, block>>>(other, pages, sums + 1);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&changed, sums + 1, sizeof changed, cudaMemcpyDeviceToHost));
    std::swap(now, then);
  }
  if (now != rank) {
    CUDA_CHECK(cudaMemcpy(rank, now, pages * sizeof(float), cudaMemcpyDeviceToDevice));
  }
  return steps;
  //@end
}
