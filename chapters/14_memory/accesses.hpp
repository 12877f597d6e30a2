// Lesson 2: which addresses a warp reads, now in the device's own memory. Reads begin beside a
// sector's boundary, or skip elements; and threads read their own contiguous pieces, which suits a
// CPU's cache and is too much for a GPU's, unless that is made larger.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "host_memory.hpp"

constexpr size_t floats_a_sector = 8;
constexpr size_t piece = 8;  // floats that a thread reads one after the other

// Element i is read from `offset` elements further on.
__global__ void read_at_offset(const float* x, float* y, size_t n, size_t offset) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i < n) y[i] = x[i + offset];
}

// Only every stride-th element of x is read; in y they are contiguous.
__global__ void read_with_stride(const float* x, float* y, size_t n, size_t stride) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i * stride < n) y[i] = x[i * stride];
}

// Requests for the split of one memory between level 1 and shared memory. Each has its own kernel,
// since CUDA stores these requests per kernel.
enum class CacheHint { none, carve_out_0, carve_out_100, prefer_l1, prefer_shared };

// The sum of a piece. Each load of a warp touches 32 sectors, and the next seven loads need the
// same ones: they are in level 1, if they have not been evicted.
template <CacheHint hint>
__global__ void sum_pieces(const float* x, float* y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i * piece >= n) return;
  float sum = 0.0F;
  for (size_t k = i * piece; k < (i + 1) * piece; ++k) {
    if (k < n) sum += x[k];
  }
  y[i] = sum;
}

unsigned blocks_of(size_t threads) {
  return static_cast<unsigned>((threads - 1) / block + 1);
}

void launch_read_at_offset(const float* x, float* y, size_t n, size_t offset) {
  if (n == 0) return;
  read_at_offset<<<blocks_of(n), block>>>(x, y, n, offset);
  CUDA_CHECK_LAUNCH();
}

void launch_read_with_stride(const float* x, float* y, size_t n, size_t stride) {
  if (n == 0) return;
  read_with_stride<<<blocks_of((n - 1) / stride + 1), block>>>(x, y, n, stride);
  CUDA_CHECK_LAUNCH();
}

// These are only hints: the driver may choose another split.
template <CacheHint hint>
void set_cache_hint() {
  constexpr auto* kernel = sum_pieces<hint>;
  constexpr cudaFuncAttribute carve_out = cudaFuncAttributePreferredSharedMemoryCarveout;
  if (hint == CacheHint::carve_out_0) {  // in per cent of the largest possible shared memory
    CUDA_CHECK(cudaFuncSetAttribute(kernel, carve_out, cudaSharedmemCarveoutMaxL1));
  } else if (hint == CacheHint::carve_out_100) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, carve_out, cudaSharedmemCarveoutMaxShared));
  } else if (hint == CacheHint::prefer_l1) {
    CUDA_CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
  } else if (hint == CacheHint::prefer_shared) {
    CUDA_CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared));
  }
}

template <CacheHint hint>
void launch_sum_pieces(const float* x, float* y, size_t n, size_t) {
  if (n == 0) return;
  set_cache_hint<hint>();
  sum_pieces<hint><<<blocks_of((n - 1) / piece + 1), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

enum class Pattern { offset, stride, pieces };

struct Access {
  std::string name;
  Pattern pattern;
  size_t distance;  // the offset or the stride
  void (*launch)(const float* x, float* y, size_t n, size_t distance);

  // The k-th element of x that thread i reads, and how many it reads.
  size_t element(size_t i, size_t k) const {
    if (pattern == Pattern::offset) return i + distance;
    return pattern == Pattern::stride ? i * distance : i * piece + k;
  }
  size_t loads() const { return pattern == Pattern::pieces ? piece : 1; }

  // Elements of y.
  size_t results(size_t n) const {
    const size_t apart = pattern == Pattern::offset ? 1 : element(1, 0);
    return n == 0 ? 0 : (n - 1) / apart + 1;
  }
  // The bytes needed: the elements read of x, and y.
  double bytes(size_t n) const {
    const size_t wanted = pattern == Pattern::stride ? results(n) : n;
    return sizeof(float) * static_cast<double>(wanted + results(n));
  }
};

constexpr size_t largest_offset = 31;  // x has this many elements beyond n

inline std::vector<Access> all_accesses() {
  std::vector<Access> all;
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{4}, size_t{8}, largest_offset}) {
    all.push_back(
        {"offset " + std::to_string(offset), Pattern::offset, offset, launch_read_at_offset});
  }
  for (const size_t stride : {2, 4, 8, 16, 32}) {
    all.push_back(
        {"stride " + std::to_string(stride), Pattern::stride, stride, launch_read_with_stride});
  }
  const auto add_pieces = [&](const char* name, auto launch) {
    all.push_back({name, Pattern::pieces, 0, launch});
  };
  add_pieces("pieces", launch_sum_pieces<CacheHint::none>);
  add_pieces("pieces, carve-out 0", launch_sum_pieces<CacheHint::carve_out_0>);
  add_pieces("pieces, carve-out 100", launch_sum_pieces<CacheHint::carve_out_100>);
  add_pieces("pieces, prefer L1", launch_sum_pieces<CacheHint::prefer_l1>);
  add_pieces("pieces, prefer shared", launch_sum_pieces<CacheHint::prefer_shared>);
  return all;
}

// The prediction, counted by hand: for each load of each warp, the sectors that contain its lanes'
// elements. x begins at a sector's boundary, as all memory from cudaMalloc() does.
inline size_t predicted_load_sectors(const Access& access, size_t n) {
  const size_t threads = access.results(n);
  size_t sectors = 0;
  for (size_t warp = 0; warp < threads; warp += 32) {
    for (size_t k = 0; k < access.loads(); ++k) {
      std::set<size_t> touched;
      for (size_t i = warp; i < std::min(warp + 32, threads); ++i) {
        if (access.element(i, k) < n + access.distance) {
          touched.insert(access.element(i, k) / floats_a_sector);
        }
      }
      sectors += touched.size();
    }
  }
  return sectors;
}

// The expected y. x holds small whole numbers, so the sums are exact.
inline std::vector<double> expected_of(const Access& access, const std::vector<float>& x,
                                       size_t n) {
  std::vector<double> y(access.results(n));
  for (size_t i = 0; i < y.size(); ++i) {
    for (size_t k = 0; k < access.loads(); ++k) {
      if (access.element(i, k) < n + access.distance) y[i] += x[access.element(i, k)];
    }
  }
  return y;
}

// How many blocks fit on a multiprocessor, as the runtime reports it, if each needs this much
// shared memory.
template <CacheHint hint>
int resident_blocks(size_t shared_bytes) {
  set_cache_hint<hint>();
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_pieces<hint>, block,
                                                           shared_bytes));
  return blocks;
}
