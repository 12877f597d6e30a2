/// @file
/// Chapter 28: what is computed, and the softmax that warps of all kernels with tensor cores share.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace attention {

using Bf16 = __nv_bfloat16;

/// O = softmax(scale Q Kᵀ) V, for each head of each sequence. All are row-major without gaps and
/// begin at a multiple of 16 bytes: Q and O are batches x heads x queries x size, K and V are
/// batches x kv_heads x keys x size. Neighbouring heads share a head of K and V if there are fewer.
///
/// Causal: a query sees keys up to its own; the last query's is the last key. A query that sees no
/// key has O = 0, and minus infinity as its logarithm.
struct Problem {
  const Bf16* Q;
  const Bf16* K;
  const Bf16* V;
  Bf16* O;
  float* logs;  ///< log of the sum of e^score, per query; or null
  int batches, heads, kv_heads, queries, keys;
  bool causal;
  float scale;  ///< positive

  __host__ __device__ int all_heads() const { return batches * heads; }
  __host__ __device__ int kv_head(int head) const { return head / (heads / kv_heads); }
  /// The keys that a query sees are those before this one.
  __host__ __device__ int keys_of(int query) const {
    if (!causal) return keys;
    const int seen = query + 1 + keys - queries;
    return seen < 0 ? 0 : seen < keys ? seen : keys;
  }
  /// The first row of a head, of Q and O.
  __host__ __device__ std::int64_t query_row(int head) const {
    return std::int64_t{head} * queries;
  }
  /// Likewise of K and V, for a head of Q.
  __host__ __device__ std::int64_t key_row(int head) const {
    return std::int64_t{kv_head(head)} * keys;
  }
};

constexpr float log2_e = 1.44269504F;
constexpr float ln_2 = 0.69314718F;

/// 2^x, by the one instruction that a GPU has for exponentials.
inline __device__ float ex2(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// Two floats as numbers of BF16 in a word, the first in the lower half.
inline __device__ std::uint32_t pair_of(float first, float second) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

/// The maximum, or the sum, of the four lanes that have a row's fragments.
inline __device__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 2));
}
inline __device__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xFFFFFFFFU, x, 1);
  return x + __shfl_xor_sync(0xFFFFFFFFU, x, 2);
}

/// The state of two rows of a warp's 16, lane / 4 and the one eight below. Fragments are those of
/// mma.sync and of wgmma: of each eight columns c, numbers 4 c and 4 c + 1 are in the first row, 4
/// c + 2 and 4 c + 3 in the second, in columns 8 c + 2 (lane % 4) and the next one.
struct OnlineSoftmax {
  float max[2] = {-INFINITY, -INFINITY};  ///< of all scores so far
  float sum[2] = {0.0F, 0.0F};            ///< this lane's part, relative to max
  float factor[2];                        ///< of what was summed up before the newest scores

  /// Turns scores into powers relative to the maximum of all so far.
  /// @param scale the scores', times log2_e
  template <int count>
  __device__ void powers(float (&s)[count], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float newest = -INFINITY;
#pragma unroll
      for (int i = 2 * half; i < count; i += 4) newest = fmaxf(newest, fmaxf(s[i], s[i + 1]));
      newest = fmaxf(max[half], quad_max(newest));
      factor[half] = max[half] == -INFINITY ? 0.0F : ex2((max[half] - newest) * scale);
      max[half] = newest;
      const float base = newest == -INFINITY ? 0.0F : newest * scale;
      float added = 0.0F;
#pragma unroll
      for (int i = 2 * half; i < count; i += 4) {
        s[i] = ex2(fmaf(s[i], scale, -base));
        s[i + 1] = ex2(fmaf(s[i + 1], scale, -base));
        added += s[i] + s[i + 1];
      }
      sum[half] = sum[half] * factor[half] + added;
    }
  }

  /// Makes earlier sums relative to the newest maximum.
  template <int count>
  __device__ void rescale(float (&o)[count]) const {
#pragma unroll
    for (int i = 0; i < count; i += 4) {
      o[i] *= factor[0], o[i + 1] *= factor[0];
      o[i + 2] *= factor[1], o[i + 3] *= factor[1];
    }
  }

  /// At the end: sums of products become means, and the logarithms are returned.
  template <int count>
  __device__ float2 finish(float (&o)[count], float scale) {
    float logs[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float all = quad_sum(sum[half]);
      const bool none = all == 0.0F;
      const float inverse = none ? 0.0F : 1.0F / all;
      logs[half] = none ? -INFINITY : ln_2 * (max[half] * scale + log2f(all));
#pragma unroll
      for (int i = 2 * half; i < count; i += 4) {
        o[i] = none ? 0.0F : o[i] * inverse;
        o[i + 1] = none ? 0.0F : o[i + 1] * inverse;
      }
    }
    return make_float2(logs[0], logs[1]);
  }
};

/// Of a warp's scores, those that a query does not see become minus infinity.
/// @param row,col of the fragments' first query and first key
template <int count>
__device__ void mask(float (&s)[count], const Problem& p, int row, int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int seen = p.keys_of(row + lane / 4 + 8 * half) - col - lane % 4 * 2;
#pragma unroll
    for (int i = 2 * half; i < count; i += 4) {
      if (i / 4 * 8 >= seen) s[i] = -INFINITY;
      if (i / 4 * 8 + 1 >= seen) s[i + 1] = -INFINITY;
    }
  }
}

/// Powers as the left operand of the next product: of each 16 keys four words.
template <int count>
__device__ void pack(std::uint32_t (&words)[count / 2], const float (&s)[count]) {
#pragma unroll
  for (int i = 0; i < count / 2; ++i) words[i] = pair_of(s[2 * i], s[2 * i + 1]);
}

/// A warp's 16 rows of O, and their logarithms. Four lanes that have a row's numbers in twos
/// exchange them, so that each writes 16 bytes at a time.
template <int count>
__device__ void write_rows(const float (&o)[count], float2 logs, const Problem& p, int head,
                           int row) {
  constexpr int size = 2 * count;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int t = lane % 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int query = row + lane / 4 + 8 * half;
    Bf16* const line = p.O + (p.query_row(head) + query) * size;
#pragma unroll
    for (int c = 0; c < count / 4; c += 4) {
      std::uint32_t w[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int i = 4 * (c + k) + 2 * half;
        w[k] = pair_of(o[i], o[i + 1]);
      }
      // Words k of the four lanes are a 4 x 4 matrix, which is transposed.
#pragma unroll
      for (int distance = 1; distance <= 2; distance *= 2) {
        const bool upper = (t & distance) != 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          if ((k & distance) != 0) continue;
          const std::uint32_t sent = upper ? w[k] : w[k + distance];
          const std::uint32_t got = __shfl_xor_sync(0xFFFFFFFFU, sent, distance);
          (upper ? w[k] : w[k + distance]) = got;
        }
      }
      if (query < p.queries) {
        *reinterpret_cast<uint4*>(line + 8 * (c + t)) = make_uint4(w[0], w[1], w[2], w[3]);
      }
    }
    if (t == 0 && query < p.queries && p.logs != nullptr) {
      p.logs[p.query_row(head) + query] = half == 0 ? logs.x : logs.y;
    }
  }
}

}  // namespace attention
