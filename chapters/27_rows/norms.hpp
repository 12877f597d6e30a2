/// @file
/// Chapter 27: layer norm and RMS norm, as tasks; with a residual, which is added in the same pass.
#pragma once

#include "parts.hpp"
#include "statistics.hpp"

namespace rows {

/// What both norms get. With a residual, in[1] is added to in[0], and the sum is written, too, to
/// another array. The norm is that of the sum as T holds it.
template <class T_, bool with_residual>
struct Norm {
  using T = T_;
  static constexpr int inputs = with_residual ? 2 : 1;
  static constexpr float fill = 0;
  static constexpr bool only_looking = !with_residual;
  static constexpr int of_columns = 2;
  int cols;
  const T* in[inputs];
  T* y;
  T* sum;          // null without a residual
  const T* gamma;  // factors, one per column
  const T* beta;   // what is added, one per column; RMS norm has none
  float epsilon;

 protected:
  template <class Part, int chunks>
  __device__ void add_residual(Registers<T, inputs, chunks>& x, const Part& part,
                               std::size_t row) const {
    if constexpr (with_residual) {
#pragma unroll
      for (int k = 0; k < chunks; ++k) {
#pragma unroll
        for (int e = 0; e < per_chunk<T>; ++e) {
          x[0][k][e] = as_float(rounded<T>(x[0][k][e] + x[1][k][e]));
        }
        store(sum + row * cols, part, k, x[0][k]);
      }
    }
  }
};

/// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta.
template <class T_, bool with_residual>
struct LayerNorm : Norm<T_, with_residual> {
  using T = T_;
  using Base = Norm<T_, with_residual>;
  using Base::inputs;
  using Again = LayerNorm;
  using Statistics = Moments;

  /// Two passes over registers cost nothing: the squares are of distances from the thread's mean.
  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part& part,
                             std::size_t row) const {
    this->add_residual(x, part, row);
    Statistics own;
    float sum = 0;
    int count = 0;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      count += part.count(k);
#pragma unroll
      for (const float value : x[0][k]) sum += value;  // those that are not in the row are 0
    }
    own.count = static_cast<float>(count);
    own.mean = count > 0 ? __fdividef(sum, own.count) : 0.0F;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        const float distance = part.has(k, e) ? x[0][k][e] - own.mean : 0.0F;
        own.squares = fmaf(distance, distance, own.squares);
      }
    }
    return own;
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics&, const Statistics& all, const Columns& columns) const {
    const float factor = rsqrtf(__fdividef(all.squares, all.count) + this->epsilon);
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float gamma[per_chunk<T>], beta[per_chunk<T>], result[per_chunk<T>];
      unpack(columns.get(this->gamma, part, 0, k, this->cols), gamma);
      unpack(columns.get(this->beta, part, 1, k, this->cols), beta);
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        result[e] = fmaf((x[0][k][e] - all.mean) * factor, gamma[e], beta[e]);
      }
      store(this->y + row * this->cols, part, k, result);
    }
  }
};

/// y = x / sqrt(mean of x^2 + epsilon) * gamma.
template <class T_, bool with_residual>
struct RmsNorm : Norm<T_, with_residual> {
  using T = T_;
  using Base = Norm<T_, with_residual>;
  using Base::inputs;
  using Again = RmsNorm;
  using Statistics = Sums<1>;
  static constexpr int of_columns = 1;

  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part& part,
                             std::size_t row) const {
    this->add_residual(x, part, row);
    Statistics own;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
#pragma unroll
      for (const float value : x[0][k]) own.sum[0] = fmaf(value, value, own.sum[0]);
    }
    return own;
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics&, const Statistics& all, const Columns& columns) const {
    const float mean = __fdividef(all.sum[0], static_cast<float>(this->cols));
    const float factor = rsqrtf(mean + this->epsilon);
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float gamma[per_chunk<T>], result[per_chunk<T>];
      unpack(columns.get(this->gamma, part, 0, k, this->cols), gamma);
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) result[e] = x[0][k][e] * factor * gamma[e];
      store(this->y + row * this->cols, part, k, result);
    }
  }
};

}  // namespace rows
