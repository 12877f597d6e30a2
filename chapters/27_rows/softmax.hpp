/// @file
/// Chapter 27: softmax, its logarithm, and cross-entropy, as tasks for the kernels of this chapter.
///
/// A task says what a row's statistics are, how to get those of a thread's registers (`look`), and
/// what is written once those of the row are known (`write`). Unless it is `only_looking`, a look
/// changes the registers, and `write` wants them so. of_columns is the number of arrays with one
/// number per column.
#pragma once

#include "parts.hpp"
#include "statistics.hpp"

namespace rows {

/// The statistics of a softmax, of registers that stay as they are.
template <class Exp, class T, int inputs, int chunks>
__device__ MaxAndSum<Exp> max_and_sum(const Registers<T, inputs, chunks>& x) {
  MaxAndSum<Exp> own;
#pragma unroll
  for (int k = 0; k < chunks; ++k) {
#pragma unroll
    for (const float value : x[0][k]) own.max = fmaxf(own.max, value);
  }
#pragma unroll
  for (int k = 0; k < chunks; ++k) {
#pragma unroll
    for (const float value : x[0][k]) own.sum += Exp::exp(value, own.max);
  }
  return own;
}

/// y = e^(x - max) / sum. A row with a NaN, with +infinity, or of minus infinity only, becomes
/// NaNs: there is no such distribution. Single elements of minus infinity become 0.
/// @tparam keeps_powers one exponential per element, and registers with powers instead of x.
///         Otherwise two.
template <class T_, class Exp = ByEx2, bool keeps_powers = true>
struct Softmax {
  using T = T_;
  using Again = Softmax<T, Exp, false>;
  static constexpr bool only_looking = !keeps_powers;
  using Statistics = MaxAndSum<Exp>;
  static constexpr int inputs = 1;
  static constexpr float fill = -INFINITY;
  static constexpr int of_columns = 0;
  int cols;
  const T* in[inputs];
  T* y;

  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part&, std::size_t) const {
    if constexpr (!keeps_powers) return max_and_sum<Exp, T, inputs, chunks>(x);
    Statistics own;
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
#pragma unroll
      for (const float value : x[0][k]) own.max = fmaxf(own.max, value);
    }
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
#pragma unroll
      for (float& value : x[0][k]) {
        value = Exp::exp(value, own.max);
        own.sum += value;
      }
    }
    return own;
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics& own, const Statistics& all, const Columns&) const {
    const float factor = __fdividef(keeps_powers ? Exp::ratio(own.max, all.max) : 1.0F, all.sum);
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float result[per_chunk<T>];
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        const float value = x[0][k][e];
        result[e] = (keeps_powers ? value : Exp::exp(value, all.max)) * factor;
      }
      store(y + row * cols, part, k, result);
    }
  }
};

/// y = x - max - ln(sum): never the logarithm of a power that was rounded to 0.
template <class T_>
struct LogSoftmax {
  using T = T_;
  using Again = LogSoftmax;
  static constexpr bool only_looking = true;
  using Statistics = MaxAndSum<ByEx2>;
  static constexpr int inputs = 1;
  static constexpr float fill = -INFINITY;
  static constexpr int of_columns = 0;
  int cols;
  const T* in[inputs];
  T* y;

  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part&, std::size_t) const {
    return max_and_sum<ByEx2, T, inputs, chunks>(x);
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics&, const Statistics& all, const Columns&) const {
    const float log_sum = logf(all.sum);
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float result[per_chunk<T>];
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) result[e] = x[0][k][e] - all.max - log_sum;
      store(y + row * cols, part, k, result);
    }
  }
};

/// The loss of a row, -log softmax(x)[target], and its gradient in the same pass: softmax(x), less
/// 1 at the target, times `scale`. The gradient is left out if dx is
/// null.
template <class T_>
struct CrossEntropy {
  using T = T_;
  using Again = CrossEntropy;
  static constexpr bool only_looking = true;
  using Statistics = MaxAndSum<ByEx2>;
  static constexpr int inputs = 1;
  static constexpr float fill = -INFINITY;
  static constexpr int of_columns = 0;
  int cols;
  const T* in[inputs];
  const int* targets;  // one column per row
  float* losses;       // one per row
  T* dx;
  float scale;

  template <class Part, int chunks>
  __device__ Statistics look(Registers<T, inputs, chunks>& x, const Part&, std::size_t) const {
    return max_and_sum<ByEx2, T, inputs, chunks>(x);
  }
  template <class Part, class Columns, int chunks>
  __device__ void write(const Registers<T, inputs, chunks>& x, const Part& part, std::size_t row,
                        const Statistics&, const Statistics& all, const Columns&) const {
    const int target = targets[row];
    const float factor = __fdividef(1.0F, all.sum);
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      float result[per_chunk<T>];
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        const bool is_target = part.has(k, e) && part.column(k) + e == target;
        if (is_target) losses[row] = logf(all.sum) - (x[0][k][e] - all.max);
        result[e] = (ByEx2::exp(x[0][k][e], all.max) * factor - (is_target ? 1.0F : 0.0F)) * scale;
      }
      if (dx != nullptr) store(dx + row * cols, part, k, result);
    }
  }
};

}  // namespace rows
