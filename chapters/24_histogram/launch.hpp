// Chapter 24: the launch functions, and the rungs by name.
#pragma once

#include <algorithm>

#include "cluster.hpp"
#include "costs.hpp"
#include "inputs.hpp"
#include "packed.hpp"
#include "private.hpp"
#include "weighted.hpp"

// What a launch function gets, all on the device: an array that begins at a multiple of 16 bytes,
// and room for the result, whatever is in it.
struct CountBytes {
  const Byte* x;
  size_t n;
  unsigned* counts;  // 256
};
struct CountFloats {
  const float* x;
  size_t n;
  Bins bins;
  unsigned* counts;  // bins.count
};

constexpr unsigned most_bins = 1 << 20;

// As many blocks as run at the same time with that many of them on a multiprocessor, but no more
// than the array needs.
inline unsigned blocks_for(size_t n, size_t elements_a_block, int on_a_multiprocessor) {
  const size_t most = static_cast<size_t>(course::device().multiprocessors) * on_a_multiprocessor;
  return static_cast<unsigned>(std::min(most, (n - 1) / elements_a_block + 1));
}

// The counters may take more shared memory than a kernel has without asking.
template <class Kernel>
void allow_shared(Kernel* kernel, size_t bytes) {
  if (bytes <= 48 * 1024) return;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}
inline size_t shared_a_block() {
  return course::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}
// How many blocks of this size a multiprocessor has room for; each takes 1 KiB more.
inline int blocks_beside(size_t shared, int threads) {
  const size_t all = course::device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const int by_threads = course::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / threads;
  return std::clamp(static_cast<int>(all / (shared + 1024)), 1, by_threads);
}

template <class Kernel>
void launch_bytes(const CountBytes& c, Kernel kernel, int threads, int bytes_a_thread,
                  size_t fixed_shared, size_t shared = 0) {
  CUDA_CHECK(cudaMemsetAsync(c.counts, 0, byte_bins * sizeof(unsigned)));
  if (c.n == 0) return;
  allow_shared(kernel, shared);
  const unsigned blocks = blocks_for(c.n, static_cast<size_t>(threads) * bytes_a_thread,
                                     blocks_beside(fixed_shared + shared, threads));
  kernel<<<blocks, threads, shared>>>(c.x, c.n, c.counts);
  CUDA_CHECK_LAUNCH();
}

constexpr size_t one_histogram = byte_bins * sizeof(unsigned);
inline void launch_in_global(const CountBytes& c) {
  launch_bytes(c, in_global, block, 1, 0);
}
inline void launch_in_shared(const CountBytes& c) {
  launch_bytes(c, in_shared, block, 1, one_histogram);
}
inline void launch_by_16_bytes(const CountBytes& c) {
  launch_bytes(c, by_16_bytes, wide_block, 16, one_histogram);
}
inline void launch_per_warp(const CountBytes& c) {
  launch_bytes(c, per_warp, wide_block, 16, wide_block / 32 * one_histogram);
}
template <int copies>
void launch_in_copies(const CountBytes& c) {
  launch_bytes(c, in_copies<copies>, wide_block, 16, copies * one_histogram);
}
inline void launch_in_private(const CountBytes& c) {
  launch_bytes(c, in_private, private_threads, 16 * rounds, 0, private_bytes);
}

struct ByteRung {
  const char* name;
  void (*launch)(const CountBytes&);
};
const std::vector<ByteRung> byte_rungs = {
    {"global", launch_in_global},      {"shared", launch_in_shared},
    {"16 bytes", launch_by_16_bytes},  {"per warp", launch_per_warp},
    {"8 copies", launch_in_copies<8>}, {"own bank", launch_in_copies<32>},
    {"private", launch_in_private},
};

// --- floats ----------------------------------------------------------------------------------

template <class Kernel>
void launch_floats(const CountFloats& c, Kernel kernel, size_t shared) {
  CUDA_CHECK(cudaMemsetAsync(c.counts, 0, c.bins.count * sizeof(unsigned)));
  if (c.n == 0) return;
  allow_shared(kernel, shared);
  const unsigned blocks = blocks_for(c.n, 4 * wide_block, blocks_beside(shared, wide_block));
  kernel<<<blocks, wide_block, shared>>>(c.x, c.n, c.bins, c.counts);
  CUDA_CHECK_LAUNCH();
}

inline void launch_floats_global(const CountFloats& c) {
  launch_floats(c, floats_in_global, 0);
}
template <int copies>
size_t copies_bytes(unsigned bins) {
  return static_cast<size_t>(bins) * copies * sizeof(unsigned);
}
template <int copies>
void launch_floats_copies(const CountFloats& c) {
  launch_floats(c, floats_in_copies<copies>, copies_bytes<copies>(c.bins.count));
}
inline size_t packed_bytes(unsigned bins) {
  return (static_cast<size_t>(bins) + 1) / 2 * sizeof(unsigned);
}
inline void launch_floats_packed(const CountFloats& c) {
  launch_floats(c, floats_packed, packed_bytes(c.bins.count));
}

// Two blocks for each part of the array.
inline void launch_floats_halves(const CountFloats& c) {
  CUDA_CHECK(cudaMemsetAsync(c.counts, 0, c.bins.count * sizeof(unsigned)));
  if (c.n == 0) return;
  const size_t shared = packed_bytes(c.bins.count);
  allow_shared(floats_in_halves, shared);
  const unsigned blocks = blocks_for(c.n, 2 * wide_block, blocks_beside(shared, wide_block));
  floats_in_halves<<<(blocks + 1) / 2 * 2, wide_block, shared>>>(c.x, c.n, c.bins, c.counts);
  CUDA_CHECK_LAUNCH();
}

// The smallest cluster whose blocks have room for a share each: 2, 4 or 8 blocks, or 0.
inline unsigned cluster_for(unsigned bins) {
  if (course::device().compute_capability < 90) return 0;
  for (unsigned blocks = 2; blocks <= 8; blocks *= 2) {
    if (((bins - 1) / blocks + 1) * sizeof(unsigned) <= shared_a_block()) return blocks;
  }
  return 0;
}
inline void launch_floats_cluster(const CountFloats& c) {
  CUDA_CHECK(cudaMemsetAsync(c.counts, 0, c.bins.count * sizeof(unsigned)));
  if (c.n == 0) return;
  const unsigned cluster = cluster_for(c.bins.count);
  const size_t shared = ((c.bins.count - 1) / cluster + 1) * sizeof(unsigned);
  allow_shared(floats_in_cluster, shared);
  const unsigned blocks = blocks_for(c.n, 4 * wide_block, blocks_beside(shared, wide_block));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((blocks + cluster - 1) / cluster * cluster);
  config.blockDim = dim3(wide_block);
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_CHECK(cudaLaunchKernelEx(&config, floats_in_cluster, c.x, c.n, c.bins, c.counts));
}

struct FloatRung {
  const char* name;
  void (*launch)(const CountFloats&);
  bool (*can_count)(unsigned bins);
};
template <int copies>
bool has_room_for(unsigned bins) {
  return copies_bytes<copies>(bins) <= shared_a_block();
}
const std::vector<FloatRung> float_rungs = {
    {"floats, global", launch_floats_global, [](unsigned) { return true; }},
    {"floats, shared", launch_floats_copies<1>, has_room_for<1>},
    {"floats, halves", launch_floats_halves,
     [](unsigned bins) { return packed_bytes(bins) <= shared_a_block(); }},
    {"floats, cluster", launch_floats_cluster,
     [](unsigned bins) { return cluster_for(bins) != 0; }},
    {"floats, packed", launch_floats_packed,
     [](unsigned bins) { return packed_bytes(bins) <= shared_a_block(); }},
};

// --- weights ---------------------------------------------------------------------------------

inline void launch_weights(const CountFloats& c, const float* weights, float* sums) {
  CUDA_CHECK(cudaMemsetAsync(sums, 0, c.bins.count * sizeof(float)));
  if (c.n == 0) return;
  const size_t shared = copies_bytes<1>(c.bins.count);
  allow_shared(weights_as_floats, shared);
  const unsigned blocks = blocks_for(c.n, 4 * wide_block, blocks_beside(shared, wide_block));
  weights_as_floats<<<blocks, wide_block, shared>>>(c.x, weights, c.n, c.bins, sums);
  CUDA_CHECK_LAUNCH();
}
inline void launch_weights(const CountFloats& c, const float* weights, float unit,
                           long long* sums) {
  CUDA_CHECK(cudaMemsetAsync(sums, 0, c.bins.count * sizeof(long long)));
  if (c.n == 0) return;
  const size_t shared = copies_bytes<1>(c.bins.count);
  allow_shared(weights_in_units, shared);
  const unsigned blocks = blocks_for(c.n, 4 * wide_block, blocks_beside(shared, wide_block));
  weights_in_units<<<blocks, wide_block, shared>>>(c.x, weights, c.n, c.bins, unit, sums);
  CUDA_CHECK_LAUNCH();
}
