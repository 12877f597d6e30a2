//@stub
//@ // Exercise 26c: PageRank, until it no longer changes.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 26c
//@solution
// Exercise 26c: PageRank, until it no longer changes. The model solution.
//
// A step reads the matrix once. What pages hand on is divided once per page, and not once per link.
// The host never asks whether all is done, so it never waits: it launches as many steps as there
// may be, and those that are not needed end at once.
//@end

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

// Whether the last step changed so little that no other is needed: then each kernel of a step
// leaves everything as it is.
__device__ bool is_done(const float* changed, float tolerance) {
  return *changed < tolerance;
}

// What a page gives to each page that it links to: given[p] = rank[p] / links[p]. A page without
// links gives nothing to these: lost[p] is its rank, and 0 for all others.
__global__ void share_out(const float* changed, float tolerance, const float* rank,
                          const int* links, int pages, float* given, float* lost) {
  const int page = blockIdx.x * block + threadIdx.x;
  //@stub
  //@ // TODO ({lines} lines): both, if there is such a page and not all is done.
  //@solution
  if (page >= pages || is_done(changed, tolerance)) return;
  given[page] = links[page] == 0 ? 0 : rank[page] / static_cast<float>(links[page]);
  lost[page] = links[page] == 0 ? rank[page] : 0;
  //@end
}

// next[p] = (1 - damping) / pages + damping * (what p is given by pages that link to it + its share
// of *lost), and change[p] = |next[p] - rank[p]|. Page p has links from the pages from[offsets[p]]
// to from[offsets[p + 1] - 1]. A warp has a page; that of page 0 counts the step.
__global__ void collect(const float* changed, float tolerance, const int* offsets, const int* from,
                        int pages, float damping, const float* given, const float* lost,
                        const float* rank, float* next, float* change, int* steps) {
  const int page = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  //@stub
  //@ // TODO ({lines} lines): the lanes' sums of what p is given, their sum, and what lane 0 makes
  //@ // of it.
  //@solution
  if (page >= pages || is_done(changed, tolerance)) return;
  float sum = 0;
  for (int k = offsets[page] + lane; k < offsets[page + 1]; k += 32) sum += given[from[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(all_lanes, sum, d);
  if (lane == 0) {
    const auto n = static_cast<float>(pages);
    const float value = (1 - damping) / n + damping * (sum + *lost / n);
    next[page] = value;
    change[page] = fabsf(value - rank[page]);
    if (page == 0) ++*steps;
  }
  //@end
}

// The next ranks become the ranks.
__global__ void take_over(const float* changed, float tolerance, const float* next, int pages,
                          float* rank) {
  const int page = blockIdx.x * block + threadIdx.x;
  if (page < pages && !is_done(changed, tolerance)) rank[page] = next[page];
}

// Makes steps until the sum of all changes is below the tolerance, but no more than `most`. *steps
// becomes how many it made, and rank what the last one made. At the beginning each page has
// 1 / pages. offsets has pages + 1 elements, links has `pages`: to how many pages each page links.
// rank, next, given and other have `pages` elements, sums has two. All are in device memory. pages
// may be 0.
void launch_pagerank(const int* offsets, const int* from, const int* links, int pages,
                     float damping, float tolerance, int most, float* rank, float* next,
                     float* given, float* other, float* sums, int* steps) {
  if (pages == 0) return;
  const std::vector<float> equal(pages, 1 / static_cast<float>(pages));
  CUDA_CHECK(cudaMemcpy(rank, equal.data(), pages * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(steps, 0, sizeof *steps));
  float* const changed = sums + 1;
  CUDA_CHECK(cudaMemcpy(changed, &tolerance, sizeof tolerance, cudaMemcpyHostToDevice));
  const int thread_blocks = (pages - 1) / block + 1, warp_blocks = (pages - 1) / warps + 1;
  for (int step = 0; step < most; ++step) {
    //@stub
    //@ // TODO ({lines} lines): the launches of a step. other is lost first, and then change; each
    //@ // is added up into one of sums. All kernels of a step have to find the same *changed.
    //@solution
    share_out<<<thread_blocks, block>>>(changed, tolerance, rank, links, pages, given, other);
    CUDA_CHECK_LAUNCH();
    add_up<<<1, block>>>(other, pages, sums);
    CUDA_CHECK_LAUNCH();
    collect<<<warp_blocks, block>>>(changed, tolerance, offsets, from, pages, damping, given, sums,
                                    rank, next, other, steps);
    CUDA_CHECK_LAUNCH();
    take_over<<<thread_blocks, block>>>(changed, tolerance, next, pages, rank);
    CUDA_CHECK_LAUNCH();
    add_up<<<1, block>>>(other, pages, changed);
    CUDA_CHECK_LAUNCH();
    //@end
  }
}
