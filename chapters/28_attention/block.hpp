/// @file
/// Chapter 28: the forward pass of a transformer's block, from kernels of chapters 22, 27 and 28;
/// and the same in plain loops on the CPU.
#pragma once

#include "../22_hopper/launch.hpp"
#include "../27_rows/launch.hpp"
#include "launch.hpp"

namespace attention {

/// A block's sizes: `heads` heads of 64, and four times as wide between.
struct BlockSizes {
  static constexpr int size = 64;
  int tokens, heads;
  int width() const { return heads * size; }
  int between() const { return 4 * width(); }
};

/// What a block has learnt: factors of the norms, and matrices, width x 3 width, width x width,
/// width x between and between x width.
template <class Array>
struct BlockWeights {
  Array first_norm, second_norm, into_heads, from_heads, up, down;
};

/// Rows of all heads' Q, K and V side by side to a matrix per head, or, backward, O's heads to
/// rows. A thread moves 16 bytes.
/// @param parts 3 of Q, K and V; 1 of O
template <bool backward>
__global__ void arrange_heads(const Bf16* from, Bf16* to, int tokens, int heads, int parts) {
  constexpr int pieces = BlockSizes::size / 8;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= tokens * heads * parts * pieces) return;
  const int in_row = heads * parts;
  const int piece = i % pieces, head = i / pieces % in_row, token = i / pieces / in_row;
  const int by_head = (head * tokens + token) * pieces + piece;
  const auto* const source = reinterpret_cast<const uint4*>(from);
  auto* const target = reinterpret_cast<uint4*>(to);
  target[backward ? i : by_head] = source[backward ? by_head : i];
}

/// x is replaced by the block's result: attention of its norm is added, and then what a network of
/// two layers makes of the norm of that. All matrices are row-major, in BF16.
class TransformerBlock {
 public:
  explicit TransformerBlock(const BlockSizes& s)
      : s_(s),
        normed_(count(s.width())),
        rows_(count(3 * s.width())),
        by_head_(count(3 * s.width())),
        O_(count(s.width())),
        between_(count(s.between())) {}

  void operator()(const BlockWeights<const Bf16*>& w, Bf16* x) {
    if (s_.tokens == 0) return;
    norm(x, w.first_norm);
    multiply(normed_, w.into_heads, rows_, 3 * s_.width(), s_.width());
    arrange<false>(rows_, by_head_, 3);
    const std::size_t matrix = count(s_.width());
    const Bf16* const Q = by_head_;
    launch_groups<Tile<BlockSizes::size, 2, 128, 2>>({Q, Q + matrix, Q + 2 * matrix, O_, nullptr, 1,
                                                      s_.heads, s_.heads, s_.tokens, s_.tokens,
                                                      true, 0.125F});
    arrange<true>(O_, normed_, 1);
    multiply(normed_, w.from_heads, x, s_.width(), s_.width(), true);
    norm(x, w.second_norm);
    multiply(normed_, w.up, between_, s_.between(), s_.width(), false, true);
    multiply(between_, w.down, x, s_.width(), s_.between(), true);
  }

 private:
  std::size_t count(int cols) const {
    return static_cast<std::size_t>(s_.tokens) * static_cast<std::size_t>(cols);
  }
  void norm(const Bf16* x, const Bf16* gamma) {
    rows::RmsNorm<Bf16, false> task;
    static_cast<rows::Norm<Bf16, false>&>(task) = {s_.width(), {x},     normed_, nullptr,
                                                   gamma,      nullptr, 1e-5F};
    rows::launch_rows(task, s_.tokens);
  }
  /// to = from W, or to += from W; with GELU of it.
  void multiply(const Bf16* from, const Bf16* W, Bf16* to, int cols, int inner, bool adds = false,
                bool gelu = false) {
    hopper::Product g{from, W, to, s_.tokens, cols, inner, inner, cols, cols};
    g.beta = adds ? 1.0F : 0.0F;
    if (gelu) g.activation = hopper::Activation::gelu;
    hopper::launch_ring<hopper::Tile<128, 128, 2, 6>, true>(g);
  }
  template <bool backward>
  void arrange(const Bf16* from, Bf16* to, int parts) {
    const int pieces = s_.tokens * s_.width() * parts / 8;
    arrange_heads<backward><<<count_of(pieces, 256), 256>>>(from, to, s_.tokens, s_.heads, parts);
    CUDA_CHECK_LAUNCH();
  }

  BlockSizes s_;
  course::DeviceArray<Bf16> normed_, rows_, by_head_, O_, between_;
};

// ---------------------------------------------------------------- on the CPU

/// from (rows x inner) times W (inner x cols).
inline std::vector<double> plain_product(const std::vector<double>& from,
                                         const std::vector<double>& W, int inner, int cols) {
  const std::size_t rows = from.size() / static_cast<std::size_t>(inner);
  std::vector<double> to(rows * static_cast<std::size_t>(cols), 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (int k = 0; k < inner; ++k) {
      for (int j = 0; j < cols; ++j) to[i * cols + j] += from[i * inner + k] * W[k * cols + j];
    }
  }
  return to;
}

inline std::vector<double> plain_norm(std::vector<double> x, const std::vector<double>& gamma) {
  for (std::size_t row = 0; row < x.size(); row += gamma.size()) {
    double squares = 0;
    for (std::size_t j = 0; j < gamma.size(); ++j) squares += x[row + j] * x[row + j];
    const double root = std::sqrt(squares / static_cast<double>(gamma.size()) + 1e-5);
    for (std::size_t j = 0; j < gamma.size(); ++j) x[row + j] *= gamma[j] / root;
  }
  return x;
}

/// Causal attention of rows with all heads' Q, K and V side by side.
inline std::vector<double> plain_attention(const BlockSizes& s, const std::vector<double>& rows) {
  const int width = s.width();
  std::vector<double> o(static_cast<std::size_t>(s.tokens) * static_cast<std::size_t>(width), 0.0);
  for (int head = 0; head < s.heads; ++head) {
    const auto at = [&](int part, int token) {
      return rows.data() + std::size_t{3} * width * token + part * width + head * s.size;
    };
    for (int i = 0; i < s.tokens; ++i) {
      std::vector<double> weights(static_cast<std::size_t>(i) + 1, 0.0);
      double sum = 0;
      for (int j = 0; j <= i; ++j) {
        for (int x = 0; x < s.size; ++x) weights[j] += at(0, i)[x] * at(1, j)[x] / 8;
        weights[j] = std::exp(weights[j]);
        sum += weights[j];
      }
      for (int j = 0; j <= i; ++j) {
        for (int x = 0; x < s.size; ++x) {
          o[static_cast<std::size_t>(i) * width + head * s.size + x] +=
              weights[j] / sum * at(2, j)[x];
        }
      }
    }
  }
  return o;
}

/// The whole block, in doubles.
inline std::vector<double> plain_block(const BlockSizes& s,
                                       const BlockWeights<std::vector<double>>& w,
                                       std::vector<double> x) {
  const int width = s.width();
  const auto add = [&](const std::vector<double>& more) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += more[i];
  };
  const auto rows = plain_product(plain_norm(x, w.first_norm), w.into_heads, width, 3 * width);
  add(plain_product(plain_attention(s, rows), w.from_heads, width, width));
  auto between = plain_product(plain_norm(x, w.second_norm), w.up, width, s.between());
  for (double& value : between) value *= 0.5 + 0.5 * std::erf(value / std::sqrt(2.0));
  add(plain_product(between, w.down, s.between(), width));
  return x;
}

}  // namespace attention
