// Numbers of 16 bits in kernels: half and bfloat16 through memory, shuffles and atomics. nvcc
// compiles this file as well, but for the traffic.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

__constant__ half factors[2];

// out[i] = the fused sum of one element of `in`, its neighbour in shared memory, and what the lane
// opposite has.
template <class T>
__global__ void through_everything(const T* in, T* out) {
  __shared__ T tile[64];
  const unsigned i = threadIdx.x;
  tile[i] = __ldg(&in[i]);
  __syncthreads();
  const T opposite = __shfl_xor_sync(0xFFFFFFFFU, tile[i], 1);
  out[i] = __hfma(tile[i], tile[63 - i], opposite);
}

template <class T>
__global__ void sum_up(const T* in, T* sum) {
  atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void functions(const half* in, half* out) {
  const half x = in[threadIdx.x];
  out[threadIdx.x] = hsqrt(x);
  out[threadIdx.x + 32] = hexp(x);
  out[threadIdx.x + 64] = hlog2(x);
  out[threadIdx.x + 96] = hrcp(x);
  out[threadIdx.x + 128] = hcos(x);
  out[threadIdx.x + 160] = htanh(x);
  out[threadIdx.x + 192] = hfloor(x);
  out[threadIdx.x + 224] = hrsqrt(x) * factors[1];
}

__global__ void fused(half2* out) {
  const half2 third = __floats2half2_rn(1.0F / 3, 0.1F);
  out[0] = __hfma2(third, third, third);
  out[1] = __hfma2_sat(third, make_half2(half(9), half(-9)), third);
  out[2] = __hfma2_relu(third, make_half2(half(9), half(-9)), third);
  out[3] = __hcmadd(make_half2(half(1), half(2)), make_half2(half(3), half(4)),
                    make_half2(half(5), half(6)));
}

}  // namespace

TEST_CASE_TEMPLATE("16 bits: through global and shared memory and a shuffle", T, half,
                   nv_bfloat16) {
  Shared<T> in(64);
  Shared<T> out(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = static_cast<T>(static_cast<float>(i) / 8);
  through_everything<<<1, 64>>>(in.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) {
    const float sum = static_cast<float>(i) * static_cast<float>(63 - i) / 64 +
                      static_cast<float>(i ^ 1U) / 8;  // exact, as a float
    CHECK(static_cast<float>(out[i]) == static_cast<float>(static_cast<T>(sum)));
  }
}

TEST_CASE_TEMPLATE("16 bits: atomic sums", T, half, nv_bfloat16, half2, nv_bfloat162) {
  Shared<T> in(256);
  Shared<T> sum(1);
  float expected = 0;
  for (unsigned i = 0; i < 256; ++i) {
    const float value = static_cast<float>(i % 2);  // few bits: the order does not matter
    expected += value;
    if constexpr (sizeof(T) == 2) {
      in[i] = static_cast<T>(value);
    } else {
      in[i] = T(decltype(T::x)(value), decltype(T::x)(-value));
    }
  }
  sum_up<<<4, 64>>>(in.get(), sum.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  if constexpr (sizeof(T) == 2) {
    CHECK(static_cast<float>(sum[0]) == expected);
  } else {
    CHECK(__low2float(sum[0]) == expected);
    CHECK(__high2float(sum[0]) == -expected);
  }
}

TEST_CASE("half: functions, against double") {
  const half host_factors[2] = {half(1), half(2)};
  REQUIRE(cudaMemcpyToSymbol(factors, host_factors, sizeof(host_factors)) == cudaSuccess);
  Shared<half> in(32);
  Shared<half> out(256);
  for (unsigned i = 0; i < 32; ++i) in[i] = half(0.3125F * static_cast<float>(i + 1));
  functions<<<1, 32>>>(in.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 32; ++i) {
    const double x = static_cast<float>(in[i]);
    const auto near = [&](unsigned row, double expected) {
      const double got = static_cast<float>(out[row * 32 + i]);
      return std::abs(got - expected) <= std::abs(expected) * 0x1p-10 + 0x1p-20;
    };
    CHECK(near(0, std::sqrt(x)));
    CHECK(near(1, std::exp(x)));
    CHECK(near(2, std::log2(x)));
    CHECK(near(3, 1 / x));
    CHECK(near(4, std::cos(x)));
    CHECK(near(5, std::tanh(x)));
    CHECK(near(6, std::floor(x)));
    CHECK(near(7, 2 / std::sqrt(x)));
  }
}

TEST_CASE("half2: fused, saturated, rectified, complex") {
  Shared<half2> out(4);
  fused<<<1, 1>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const double third = __half2float(half(1.0F / 3));
  CHECK(__low2float(out[0]) == __half2float(__double2half(third * third + third)));
  CHECK(__low2float(out[1]) == 1);
  CHECK(__high2float(out[1]) == 0);
  CHECK(__low2float(out[2]) == __half2float(__double2half(third * 9 + third)));
  CHECK(__high2float(out[2]) == 0);
  CHECK(__low2float(out[3]) == 1 * 3 - 2 * 4 + 5);
  CHECK(__high2float(out[3]) == 1 * 4 + 2 * 3 + 6);
}

#ifdef CUDA_EMULATOR
namespace {

template <class T>
__global__ void add_one_each(const T* in, T* out) {
  const T x = in[threadIdx.x];
  out[threadIdx.x] = x + x;
}
template <class T>
__global__ void add_in_place(T* inout, const T* in) {
  inout[threadIdx.x] += in[threadIdx.x];
}
template <class T>
__global__ void by_function(const T* in, T* out) {
  out[threadIdx.x] = __hadd2(in[threadIdx.x], __ldg(&in[threadIdx.x]));
}
__global__ void converted(const half* in, float* out) {
  out[threadIdx.x] = __half2float(in[threadIdx.x]) * 2.0F;
}
// Of a type with constructors: no guard must be before each use of the tile.
__global__ void in_static_shared(const half2* in, half2* out) {
  __shared__ half2 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] * tile[threadIdx.x];
}
__global__ void in_shared(const half2* in, half2* out) {
  extern __shared__ half2 tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] * tile[threadIdx.x];
}

}  // namespace

TEST_CASE_TEMPLATE("16 bits: a warp's halves are 2 sectors, its pairs 4, in one request", T, half,
                   nv_bfloat16, half2, nv_bfloat162) {
  Shared<T> in(32);
  Shared<T> out(32);
  const unsigned sectors = sizeof(T);
  const auto simple = traffic_of([&] { add_one_each<<<1, 32>>>(in.get(), out.get()); });
  CHECK(simple.global_load_requests == 1);
  CHECK(simple.global_load_sectors == sectors);
  CHECK(simple.global_store_requests == 1);
  CHECK(simple.global_store_sectors == sectors);
  const auto in_place = traffic_of([&] { add_in_place<<<1, 32>>>(out.get(), in.get()); });
  CHECK(in_place.global_load_requests == 2);
  CHECK(in_place.global_load_sectors == 2 * sectors);
  CHECK(in_place.global_store_requests == 1);
  if constexpr (sizeof(T) == 4) {
    const auto function = traffic_of([&] { by_function<<<1, 32>>>(in.get(), out.get()); });
    CHECK(function.global_load_requests == 2);
    CHECK(function.global_load_sectors == 8);
    CHECK(function.global_store_requests == 1);
  }
}

TEST_CASE("16 bits: traffic of conversions and of shared memory") {
  Shared<half> in(32);
  Shared<float> out(32);
  const auto conversion = traffic_of([&] { converted<<<1, 32>>>(in.get(), out.get()); });
  CHECK(conversion.global_load_sectors == 2);
  CHECK(conversion.global_store_sectors == 4);
  Shared<half2> pairs(32);
  Shared<half2> products(32);
  const auto dynamic =
      traffic_of([&] { in_shared<<<1, 32, 32 * sizeof(half2)>>>(pairs.get(), products.get()); });
  const auto fixed = traffic_of([&] { in_static_shared<<<1, 32>>>(pairs.get(), products.get()); });
  for (const emulator::Traffic& tile : {dynamic, fixed}) {
    CHECK(tile.shared_store_instructions == 1);
    CHECK(tile.shared_load_instructions == 2);
    CHECK(tile.shared_load_wavefronts == 2);
    CHECK(tile.global_load_sectors == 4);
  }
}
#endif
