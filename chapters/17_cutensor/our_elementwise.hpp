// Chapter 17, eighth lesson: the same by kernels of ours. In A[w,h,c,n] and in D[c,w,h,n] h follows
// w: for our kernels they are one mode, the pixel. What remains is a transpose of pixels and
// channels, once for each image, and so the tile of chapter 11.
#pragma once

#include "elementwise.hpp"

constexpr int side = 32;
constexpr int block_rows = 8;  // four rows of a tile per thread

// What happens to an element of A on its way into D: to `a`, which belongs at D[at].
struct ScaleEpilogue {
  float alpha;
  __device__ float operator()(float a, size_t /*at*/, int /*channel*/) const { return alpha * a; }
};
struct SumEpilogue {
  float alpha, gamma;
  const float* C;
  __device__ float operator()(float a, size_t at, int /*channel*/) const {
    return alpha * a + gamma * C[at];
  }
};
struct BiasReluEpilogue {
  float alpha, beta, gamma;
  const float* bias;
  const float* C;
  __device__ float operator()(float a, size_t at, int channel) const {
    return fmaxf(alpha * a + beta * bias[channel], gamma * C[at]);
  }
};

// A block reads a tile of 32 pixels of 32 channels, along the pixels, and writes it along the
// channels. A row of the tile is padded by one word: so a column uses all banks.
template <class Become>
__global__ void interleave(const float* A, float* D, unsigned pixels, unsigned channels,
                           Become become) {
  __shared__ float tile[side][side + 1];
  const unsigned across = (pixels - 1) / side + 1;
  const unsigned down = (channels - 1) / side + 1;
  const unsigned first_pixel = blockIdx.x % across * side;
  const unsigned first_channel = blockIdx.x / across % down * side;
  const size_t image = static_cast<size_t>(blockIdx.x / across / down) * channels * pixels;
#pragma unroll
  for (unsigned i = threadIdx.y; i < side; i += block_rows) {
    const unsigned pixel = first_pixel + threadIdx.x;
    const unsigned channel = first_channel + i;
    if (pixel < pixels && channel < channels) {
      tile[i][threadIdx.x] = A[image + static_cast<size_t>(channel) * pixels + pixel];
    }
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = threadIdx.y; i < side; i += block_rows) {
    const unsigned channel = first_channel + threadIdx.x;
    const unsigned pixel = first_pixel + i;
    if (pixel < pixels && channel < channels) {
      const size_t at = image + static_cast<size_t>(pixel) * channels + channel;
      D[at] = become(tile[threadIdx.x][i], at, static_cast<int>(channel));
    }
  }
}

template <class Become>
void launch_interleave(const Images& p, const PictureData& d, Become become) {
  if (p.size() == 0) return;
  const auto tiles = [](size_t length) { return (length - 1) / side + 1; };
  const auto blocks = static_cast<unsigned>(tiles(p.pixels()) * tiles(p.c) * p.n);
  interleave<<<blocks, dim3(side, block_rows)>>>(d.A, d.D, static_cast<unsigned>(p.pixels()),
                                                 static_cast<unsigned>(p.c), become);
  CUDA_CHECK_LAUNCH();
}

inline void launch_permute(const Images& p, float alpha, const PictureData& d) {
  launch_interleave(p, d, ScaleEpilogue{alpha});
}
inline void launch_add(const Images& p, float alpha, float gamma, const PictureData& d) {
  launch_interleave(p, d, SumEpilogue{alpha, gamma, d.C});
}
inline void launch_biased_max(const Images& p, float alpha, float beta, float gamma,
                              const PictureData& d) {
  launch_interleave(p, d, BiasReluEpilogue{alpha, beta, gamma, d.bias, d.C});
}

// The pixels of one channel of one image are contiguous. A block adds them up: first each thread
// its own, then each warp by shuffles, and then the first warp the other warps' sums (chapter 10).
constexpr int reduce_threads = 256;

__device__ inline float sum_of_warp(float sum) {
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  return sum;
}

template <class E>  // a float, or a float4 where the pixels are a multiple of four
__global__ void __launch_bounds__(reduce_threads)
    sum_pixels(const float* A, float alpha, unsigned pixels, float* sums) {
  __shared__ float of_warps[reduce_threads / 32];
  const auto* const plane =
      reinterpret_cast<const E*>(A + blockIdx.x * static_cast<size_t>(pixels));
  const unsigned count = pixels / (sizeof(E) / sizeof(float));
  float sum = 0.0F;
  for (unsigned i = threadIdx.x; i < count; i += reduce_threads) {
    if constexpr (sizeof(E) == sizeof(float4)) {
      const float4 four = plane[i];
      sum += (four.x + four.y) + (four.z + four.w);
    } else {
      sum += plane[i];
    }
  }
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = sum_of_warp(threadIdx.x < reduce_threads / 32 ? of_warps[threadIdx.x] : 0.0F);
  if (threadIdx.x == 0) sums[blockIdx.x] = alpha * sum;
}

inline void launch_reduce(const Images& p, float alpha, const PictureData& d) {
  const size_t sums = static_cast<size_t>(p.c) * p.n;
  if (sums == 0) return;
  const bool aligned = reinterpret_cast<std::uintptr_t>(d.A) % 16 == 0;
  const auto kernel = p.pixels() % 4 == 0 && aligned ? sum_pixels<float4> : sum_pixels<float>;
  kernel<<<static_cast<unsigned>(sums), reduce_threads>>>(d.A, alpha,
                                                          static_cast<unsigned>(p.pixels()), d.D);
  CUDA_CHECK_LAUNCH();
}
