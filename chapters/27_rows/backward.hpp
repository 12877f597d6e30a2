/// @file
/// Chapter 27: the gradients. Each is a task with two inputs, whose row sums are known after one
/// look; only gamma's and beta's gradients are sums over rows, not over columns.
#pragma once

#include "parts.hpp"
#include "statistics.hpp"

namespace rows {

/// dx = y (dy - sum of y dy), for a softmax; or dx = dy - e^y (sum of dy), for its logarithm.
template <class T_, bool of_logarithm>
struct SoftmaxBackward {
  using T = T_;
  using Statistics = Sums<1>;
  static constexpr int inputs = 2;
  static constexpr float fill = 0;
  static constexpr bool only_looking = false;
  static constexpr int of_columns = 0;
  int cols;
  const T* in[inputs];  // y, dy
  T* dx;

  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part&, std::size_t) const {
    Statistics own;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        own.sum[0] = fmaf(of_logarithm ? 1.0F : x[0][k][e], x[1][k][e], own.sum[0]);
      }
    }
    return own;
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics&, const Statistics& all, const Columns&) const {
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float result[per_chunk<T>];
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        const float y = x[0][k][e], dy = x[1][k][e];
        result[e] = of_logarithm ? dy - ByEx2::exp(y, 0) * all.sum[0] : y * (dy - all.sum[0]);
      }
      store(dx + row * cols, part, k, result);
    }
  }
};

/// dx of a norm. With g = gamma dy and z the normalised x: dx = (g - mean of g - z (mean of g z)) /
/// deviation; RMS norm has no mean of g. What has to be known of x is computed again, in the same
/// look: the sums of x, x^2 and so on are of x less its first element, which is near the mean
/// compared with numbers that are all far from 0.
template <class T_, bool has_mean>
struct NormBackward {
  using T = T_;
  using Statistics = Sums<has_mean ? 4 : 2>;
  static constexpr int inputs = 2;
  static constexpr float fill = 0;
  static constexpr bool only_looking = false;
  static constexpr int of_columns = 0;
  int cols;
  const T* in[inputs];  // x, dy
  const T* gamma;
  T* dx;
  float epsilon;

  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part& part,
                             std::size_t row) const {
    const float origin = has_mean ? as_float(in[0][row * cols]) : 0.0F;
    Statistics own;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float factor[per_chunk<T>] = {};
      unpack(load_columns(gamma, part, k, cols), factor);
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        x[0][k][e] = part.has(k, e) ? x[0][k][e] - origin : 0.0F;
        x[1][k][e] *= factor[e];
        own.sum[0] = fmaf(x[0][k][e], x[0][k][e], own.sum[0]);
        own.sum[1] = fmaf(x[0][k][e], x[1][k][e], own.sum[1]);
        if constexpr (has_mean) {
          own.sum[2] += x[0][k][e];
          own.sum[3] += x[1][k][e];
        }
      }
    }
    return own;
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics&, const Statistics& all, const Columns&) const {
    const float of_each = __fdividef(1.0F, static_cast<float>(cols));
    float mean = 0, mean_of_g = 0;
    if constexpr (has_mean) {
      mean = all.sum[2] * of_each;
      mean_of_g = all.sum[3] * of_each;
    }
    const float factor = rsqrtf(all.sum[0] * of_each - mean * mean + epsilon);
    const float mean_of_product = (all.sum[1] * of_each - mean * mean_of_g) * factor;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float result[per_chunk<T>];
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        const float z = (x[0][k][e] - mean) * factor;
        result[e] = (x[1][k][e] - mean_of_g - z * mean_of_product) * factor;
      }
      store(dx + row * cols, part, k, result);
    }
  }
};

constexpr int column_threads = 128, column_parts = 64;

/// The gradients of gamma and beta: sums over rows of dy z and of dy. Each block adds up some rows
/// of 128 columns; a second launch adds up what the blocks have found, always in the same order.
/// @param moments mean and 1 / deviation of each row
template <class T>
__global__ void __launch_bounds__(column_threads)
    column_sums(const T* x, const T* dy, const float2* moments, int rows, int cols, float2* found) {
  const int j = static_cast<int>(blockIdx.x * column_threads + threadIdx.x);
  if (j >= cols) return;
  const int share = (rows + column_parts - 1) / column_parts;
  const int begin = static_cast<int>(blockIdx.y) * share, end = min(begin + share, rows);
  float2 sum = {0, 0};
  for (int i = begin; i < end; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * cols + j;
    const float2 of_row = moments[i];
    const float g = as_float(dy[at]);
    sum.x = fmaf(g, (as_float(x[at]) - of_row.x) * of_row.y, sum.x);
    sum.y += g;
  }
  found[static_cast<std::size_t>(blockIdx.y) * cols + j] = sum;
}
template <class T>
__global__ void __launch_bounds__(column_threads)
    add_column_sums(const float2* found, int cols, T* dgamma, T* dbeta) {
  const int j = static_cast<int>(blockIdx.x * column_threads + threadIdx.x);
  if (j >= cols) return;
  float2 sum = {0, 0};
  for (int part = 0; part < column_parts; ++part) {
    const float2 of_part = found[static_cast<std::size_t>(part) * cols + j];
    sum.x += of_part.x;
    sum.y += of_part.y;
  }
  dgamma[j] = rounded<T>(sum.x);
  if (dbeta != nullptr) dbeta[j] = rounded<T>(sum.y);
}

}  // namespace rows
