/// @file
/// Chapter 28: launch functions. There may be no queries, no keys and no heads.
#pragma once

#include <algorithm>
#include <type_traits>

#include "course.hpp"
#include "decode.hpp"
#include "groups.hpp"
#include "online.hpp"
#include "warps.hpp"

namespace attention {

/// Whether there is nothing to write.
inline bool is_empty(const Problem& p) {
  return p.all_heads() == 0 || p.queries == 0;
}

template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}

inline unsigned count_of(int numbers, int in_each) {
  return static_cast<unsigned>((numbers + in_each - 1) / in_each);
}

template <int size>
void launch_online(const Problem& p) {
  if (is_empty(p)) return;
  allow_shared(attention_online<size>, sizeof(OnlineTiles<size>));
  const dim3 blocks(count_of(p.queries, online_rows), static_cast<unsigned>(p.all_heads()));
  attention_online<size><<<blocks, online_threads, sizeof(OnlineTiles<size>)>>>(p);
  CUDA_CHECK_LAUNCH();
}

template <int size>
void launch_warps(const Problem& p) {
  if (is_empty(p)) return;
  constexpr std::size_t bytes = std::size_t{4} * 64 * size * 2;
  allow_shared(attention_by_warps<size>, bytes);
  const dim3 blocks(count_of(p.queries, warp_rows), static_cast<unsigned>(p.all_heads()));
  attention_by_warps<size><<<blocks, warp_threads, bytes>>>(p);
  CUDA_CHECK_LAUNCH();
}

/// In three kernels.
/// @param scores,powers room for all heads' queries times keys, rounded up to a multiple of 64
template <int size>
void launch_three(const Problem& p, float* scores, Bf16* powers) {
  if (is_empty(p)) return;
  const Between between = {scores, powers, 64 * static_cast<int>(count_of(p.keys, 64))};
  const auto heads = static_cast<unsigned>(p.all_heads());
  const unsigned rows = count_of(p.queries, 64);
  if (p.keys > 0) {
    all_scores<size><<<dim3(count_of(p.keys, 64), rows, heads), warp_threads>>>(p, between);
    CUDA_CHECK_LAUNCH();
  }
  all_powers<warp_threads>
      <<<dim3(static_cast<unsigned>(p.queries), heads), warp_threads>>>(p, between);
  CUDA_CHECK_LAUNCH();
  all_values<size><<<dim3(rows, heads), warp_threads>>>(p, between);
  CUDA_CHECK_LAUNCH();
}

/// How many heads form a band: as many as have K and V in 16 MiB.
inline int band_of(const Problem& p, int size) {
  const std::int64_t bytes = std::int64_t{4} * std::max(p.keys, 1) * size;
  const auto kv = static_cast<int>(
      std::clamp<std::int64_t>((std::int64_t{16} << 20) / bytes, 1, p.batches * p.kv_heads));
  return kv * (p.heads / p.kv_heads);
}

/// The counter of persistent blocks. Kernels of two streams at once would need two.
inline unsigned* tile_counter() {
  static course::Scratch<unsigned> counter;
  if (counter.size() == 0) {
    counter.at_least(1);
    counter.clear();
  }
  return counter;
}

/// @param persistent a block per multiprocessor takes tile after tile; otherwise each has one
/// @param band       0: as band_of() has it
template <class T>
void launch_groups(const Problem& p, bool persistent = true, int band = 0) {
  if (is_empty(p)) return;
  const auto kernel = attention_in_groups<T>;
  constexpr std::size_t bytes = sizeof(Storage<T>);
  static_assert(bytes <= 232'448);
  allow_shared(kernel, bytes);
  Order order{};
  order.down = static_cast<int>(count_of(p.queries, T::rows));
  order.band = band == 0 ? band_of(p, T::size) : band;
  order.tiles = order.down * p.all_heads();
  order.counter = tile_counter();
  const Maps maps(p, T::size, T::rows, T::keys);
  const int most = persistent ? course::device().multiprocessors : order.tiles;
  kernel<<<std::min(most, order.tiles), T::threads, bytes>>>(maps, p, order);
  CUDA_CHECK_LAUNCH();
}

/// Whether kernels with mma.sync of BF16 run here.
inline bool has_mma() {
  return course::device().compute_capability >= 80;
}

/// Whether kernels with wgmma run here.
inline bool has_wgmma() {
  return course::device().compute_capability == 90;
}

/// Room for parts of decode_split().
class SplitBuffers {
 public:
  Splits of(int heads, int size, int count) {
    const auto all = static_cast<std::size_t>(heads) * static_cast<std::size_t>(count);
    return {sums_.at_least(all * static_cast<std::size_t>(size)), parts_.at_least(all), count};
  }

 private:
  course::Scratch<float> sums_;
  course::Scratch<Part> parts_;
};

/// One query per sequence.
/// @param splits blocks per head of K and V; 0: as many as fill the device
template <int size>
void launch_decode(const Problem& p, int splits = 0) {
  if (is_empty(p)) return;
  if (p.queries != 1) throw course::Error("launch_decode: one query per sequence");
  static SplitBuffers buffers;
  const int kv_heads = p.batches * p.kv_heads;
  if (splits == 0) {
    const int wanted = 8 * course::device().multiprocessors / kv_heads;
    splits = std::clamp(wanted, 1, std::max(1, p.keys / 256));
  }
  const Splits to = buffers.of(p.all_heads(), size, splits);
  const dim3 blocks(static_cast<unsigned>(splits), static_cast<unsigned>(kv_heads));
  switch (p.heads / p.kv_heads) {
    case 1:
      decode_split<size, 1><<<blocks, decode_threads>>>(p, to);
      break;
    case 2:
      decode_split<size, 2><<<blocks, decode_threads>>>(p, to);
      break;
    case 4:
      decode_split<size, 4><<<blocks, decode_threads>>>(p, to);
      break;
    case 8:
      decode_split<size, 8><<<blocks, decode_threads>>>(p, to);
      break;
    default:
      throw course::Error("launch_decode: 1, 2, 4 or 8 heads per head of K and V");
  }
  CUDA_CHECK_LAUNCH();
  merge_splits<size><<<p.all_heads(), size>>>(p, to);
  CUDA_CHECK_LAUNCH();
}

}  // namespace attention
