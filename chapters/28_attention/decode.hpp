/// @file
/// Chapter 28: one query per sequence, as when a model writes a text word by word. All keys and
/// values are read for it, so their reads are the time. Blocks share out the keys of a head.
#pragma once

#include "problem.hpp"

namespace attention {

constexpr int decode_threads = 128;
constexpr int decode_ahead = 4;  ///< keys whose loads a team of lanes has in flight

/// Of some keys: the maximum of their scores, the sum of their powers, and the sum of powers times
/// values. Two of them are merged in any order.
struct Part {
  float max, sum;
};
inline __device__ float scale_to(float max, float all, float scale) {
  return max == -INFINITY ? 0.0F : ex2((max - all) * scale);
}

/// 8 numbers of BF16, from 16 bytes.
inline __device__ void unpack(const uint4& chunk, float (&x)[8]) {
  const unsigned pairs[] = {chunk.x, chunk.y, chunk.z, chunk.w};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    x[2 * k] = __uint_as_float(pairs[k] << 16);
    x[2 * k + 1] = __uint_as_float(pairs[k] & 0xFFFF0000U);
  }
}

/// Where a block writes its part: per head and split, `size` sums, and a Part.
struct Splits {
  float* sums;
  Part* parts;
  int count;  ///< of blocks that share a head's keys
};

/// A team of lanes loads a key's row, 16 bytes each, and then the value's. It has `group` queries:
/// those of the heads that share these keys, which are thus read once.
template <int size, int group>
__global__ void __launch_bounds__(decode_threads)
    decode_split(const Problem p, const Splits splits) {
  constexpr int lanes = size / 8;  // of a team
  constexpr int teams = decode_threads / lanes;
  __shared__ Part parts[teams][group];
  __shared__ float sums[teams][size];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % lanes, team = thread / lanes;
  const int split = static_cast<int>(blockIdx.x);
  const int kv = static_cast<int>(blockIdx.y);  // a head of K and V
  const float scale = p.scale * log2_e;
  float q[group][8], o[group][8] = {};
  Part part[group];
#pragma unroll
  for (int g = 0; g < group; ++g) {
    const auto* const row = p.Q + (std::int64_t{kv} * group + g) * size;
    unpack(reinterpret_cast<const uint4*>(row)[lane], q[g]);
    part[g] = {-INFINITY, 0.0F};
  }
  const int share = (p.keys + splits.count - 1) / splits.count;
  const int end = min(p.keys, (split + 1) * share);
  const auto* const K = reinterpret_cast<const uint4*>(p.K + std::int64_t{kv} * p.keys * size);
  const auto* const V = reinterpret_cast<const uint4*>(p.V + std::int64_t{kv} * p.keys * size);
  for (int key = split * share; key < end; key += decode_ahead * teams) {
    uint4 k[decode_ahead] = {}, v[decode_ahead] = {};
#pragma unroll
    for (int a = 0; a < decode_ahead; ++a) {
      const int row = key + a * teams + team;
      if (row >= end) continue;
      k[a] = __ldcs(K + std::int64_t{row} * lanes + lane);
      v[a] = __ldcs(V + std::int64_t{row} * lanes + lane);
    }
#pragma unroll
    for (int g = 0; g < group; ++g) {
      float s[decode_ahead];
      float newest = part[g].max;
#pragma unroll
      for (int a = 0; a < decode_ahead; ++a) {
        float x[8];
        unpack(k[a], x);
        s[a] = 0.0F;
#pragma unroll
        for (int i = 0; i < 8; ++i) s[a] += q[g][i] * x[i];
#pragma unroll
        for (int distance = lanes / 2; distance > 0; distance /= 2) {
          s[a] += __shfl_xor_sync(0xFFFFFFFFU, s[a], distance);
        }
        if (key + a * teams + team >= end) s[a] = -INFINITY;
        newest = fmaxf(newest, s[a]);
      }
      const float factor = scale_to(part[g].max, newest, scale);
      const float base = newest == -INFINITY ? 0.0F : newest;
      part[g] = {newest, part[g].sum * factor};
#pragma unroll
      for (float& value : o[g]) value *= factor;
#pragma unroll
      for (int a = 0; a < decode_ahead; ++a) {
        float x[8];
        unpack(v[a], x);
        const float power = ex2((s[a] - base) * scale);
        part[g].sum += power;
#pragma unroll
        for (int i = 0; i < 8; ++i) o[g][i] += power * x[i];
      }
    }
  }
#pragma unroll
  for (int g = 0; g < group; ++g) {
    if (lane == 0) parts[team][g] = part[g];
  }
#pragma unroll
  for (int g = 0; g < group; ++g) {
    __syncthreads();  // all parts are there; the sums before have been read
    float max = -INFINITY, sum = 0.0F;
    for (int t = 0; t < teams; ++t) max = fmaxf(max, parts[t][g].max);
    for (int t = 0; t < teams; ++t) sum += parts[t][g].sum * scale_to(parts[t][g].max, max, scale);
    const float factor = scale_to(part[g].max, max, scale);
#pragma unroll
    for (int i = 0; i < 8; ++i) sums[team][8 * lane + i] = o[g][i] * factor;
    __syncthreads();
    const std::int64_t at = (std::int64_t{kv} * group + g) * splits.count + split;
    for (int x = thread; x < size; x += decode_threads) {
      float all = 0.0F;
      for (int t = 0; t < teams; ++t) all += sums[t][x];
      splits.sums[at * size + x] = all;
    }
    if (thread == 0) splits.parts[at] = {max, sum};
  }
}

/// A block merges the parts of a head.
template <int size>
__global__ void __launch_bounds__(size) merge_splits(const Problem p, const Splits splits) {
  const int head = static_cast<int>(blockIdx.x);
  const int x = static_cast<int>(threadIdx.x);
  const float scale = p.scale * log2_e;
  const std::int64_t at = std::int64_t{head} * splits.count;
  float max = -INFINITY, sum = 0.0F, o = 0.0F;
  for (int s = 0; s < splits.count; ++s) max = fmaxf(max, splits.parts[at + s].max);
  for (int s = 0; s < splits.count; ++s) {
    const float factor = scale_to(splits.parts[at + s].max, max, scale);
    sum += splits.parts[at + s].sum * factor;
    o += splits.sums[(at + s) * size + x] * factor;
  }
  const bool none = sum == 0.0F;
  p.O[std::int64_t{head} * size + x] = __float2bfloat16(none ? 0.0F : o / sum);
  if (x == 0 && p.logs != nullptr) {
    p.logs[head] = none ? -INFINITY : max * p.scale + logf(sum);
  }
}

}  // namespace attention
