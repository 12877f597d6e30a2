// Launches, indices, arguments, errors: what any CUDA program relies on.

#include <doctest/doctest.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "engine/launches/managed_buffer_test.hpp"

using launch_test::Buffer;

namespace {

__global__ void number_threads(unsigned* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] += block * 10000 + thread;
}

}  // namespace

TEST_CASE("every thread of a grid runs once, in 3 dimensions") {
  const dim3 grid(3, 4, 5);
  const dim3 block(4, 3, 7);
  const unsigned threads = 84;
  Buffer<unsigned> out(60 * threads);
  number_threads<<<grid, block>>>(out);
  OK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 60 * threads; ++i) {
    REQUIRE(out[i] == i / threads * 10000 + i % threads);
  }
}

namespace {

__global__ void take_logarithms(float* x) {
  x[threadIdx.x] = logf(x[threadIdx.x]);
}

}  // namespace

TEST_CASE("what functions of a kernel say of errors is not in the host's errno") {
  Buffer<float> x(2);
  x[0] = 1.0F;
  x[1] = -1.0F;
  errno = 0;
  take_logarithms<<<1, 2>>>(x);
  OK(cudaDeviceSynchronize());
  CHECK(errno == 0);
  CHECK(x[1] != x[1]);
}

namespace {

__global__ void write_one(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void write_two(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 2;
}

int launch_error(dim3 grid, dim3 block, size_t shared = 0) {
  Buffer<int> out(4096);
  write_one<<<grid, block, shared>>>(out);
  const cudaError_t first = cudaGetLastError();
  CHECK(cudaGetLastError() == cudaSuccess);  // asking has cleared it
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  return first;
}

}  // namespace

TEST_CASE("a launch that no GPU accepts leaves CUDA's error") {
  CHECK(launch_error(1, 1024) == cudaSuccess);
  CHECK(launch_error(1, 1025) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, dim3(32, 33)) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(0, 32) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, 0) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, 32, 1 << 20) == cudaErrorInvalidValue);
}

namespace {

template <int Bias, class T>
__global__ void add(T* out, const T* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + Bias;
}

struct Divisor {
  __host__ __device__ Divisor(int n) : number(n) {}
  int number;
};

__global__ void takes_divisor(Divisor divisor, const int* p, int* out) {
  out[0] = p == nullptr ? divisor.number : 0;
}

__global__ void takes_pointer(const int* p, int* out, int value = 7) {
  out[threadIdx.x] = p == nullptr ? value : 0;
}

struct Launcher {
  void (*kernel)(int*) = write_one;
  void run(int* out) { this->kernel<<<1, 8>>>(out); }
};

#define LAUNCH(kernel, n, ...) kernel<<<((n) + 31) / 32, 32>>>(__VA_ARGS__)

}  // namespace

TEST_CASE("launches in every form that C++ allows") {
  Buffer<int> in(100);
  Buffer<int> out(100);
  std::iota(in.data, in.data + 100, 0);
  const int n = 100;

  const int one_block = n >> 5 >> 1;  // clang-format 14 takes >> inside <<<>>> for its end
  add<5><<<one_block, 128>>>(out.data, in.data, n);
  CHECK(out[99] == 104);
  add<6, int><<<dim3{1}, dim3{128}>>>(out, in, n);
  CHECK(out[99] == 105);
  LAUNCH((add<7, int>), n, out, in, n);
  CHECK(out[99] == 106);
  if (n > 0) add<8, int><<<4, 32>>>(out, in, n);
  CHECK(out[99] == 107);

  takes_pointer<<<1, 1>>>(NULL, out);
  CHECK(out[0] == 7);
  takes_pointer<<<1, 1>>>(NULL, out, n);
  CHECK(out[0] == 100);
  takes_pointer<<<1, 1>>>(0, out, 8L);
  CHECK(out[0] == 8);
  takes_divisor<<<1, 1>>>(5, 0, out);
  CHECK(out[0] == 5);
  takes_pointer<<<1, 1>>>(nullptr, out, 9);
  CHECK(out[0] == 9);

  void (*pointer)(int*) = write_one;
  (*pointer)<<<1, 4>>>(out);
  CHECK(out[3] == 1);
  Launcher().run(out);
  CHECK(out[7] == 1);

  // An argument is evaluated once, not once a thread.
  int calls = 0;
  const auto next = [&] { return ++calls; };
  takes_pointer<<<2, 32>>>(nullptr, out, next());
  CHECK(calls == 1);
  CHECK(out[31] == 1);
  // So is what says which kernel it is.
  const std::vector<void (*)(int*)> kernels{write_one, write_two};
  const auto pick = [&] { return kernels.at(static_cast<std::size_t>(calls++)); };
  pick()<<<2, 32>>>(out);
  CHECK(calls == 2);
  CHECK(out[31] == 2);

  int* data = out;
  int value = 3;
  const int* null = nullptr;
  void* arguments[] = {&null, &data, &value};
  OK(cudaLaunchKernel(takes_pointer, dim3(1), dim3(1), arguments, 0, nullptr));
  CHECK(out[0] == 3);
  OK(cudaGetLastError());
}

namespace {

struct Span {
  int from, to;
};
template <class T>
__global__ void fill(T* out, Span span, dim3 by) {
  const int i = span.from + static_cast<int>(threadIdx.x);
  if (i < span.to) out[i] = static_cast<T>(by.x * 10 + by.y);
}

}  // namespace

TEST_CASE("arguments in braces become what the parameters are") {
  Buffer<int> out(8);
  const int from = 2;
  fill<int><<<1, 32>>>(out, {from, from + 3}, {4, 2});
  fill<int><<<dim3{1}, 32>>>(out, Span{7, 8}, {});
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) CHECK(out[i] == (i >= 2 && i < 5 ? 42 : i == 7 ? 11 : 0));
}

namespace {

__global__ void fail_in(int kind, int* data) {
  if (threadIdx.x != 3) return;
  if (kind == 0) data[1L << 45] = 1;
  if (kind == 1) *static_cast<volatile int*>(nullptr) = 1;
  if (kind == 2) __trap();
  if (kind == 3) assert(kind == 4);
}

__global__ void recurse(volatile int* data, int depth) {
  volatile char room[4096];
  room[depth % 4096] = 1;
  if (depth < 1 << 20) {
    void (*volatile again)(volatile int*, int) = recurse;
    again(data, depth + room[depth % 4096]);
  }
  data[0] = room[0];
}

}  // namespace

TEST_CASE("a kernel that fails ends its launch, not the program") {
  const cudaError_t expected[] = {cudaErrorIllegalAddress, cudaErrorIllegalAddress,
                                  cudaErrorLaunchFailure, cudaErrorAssert};
  for (int kind = 0; kind < 4; ++kind) {
    CAPTURE(kind);
    int* data = nullptr;
    OK(cudaMalloc(&data, 64));
    fail_in<<<4, 32>>>(kind, data);
    CHECK(cudaDeviceSynchronize() == expected[kind]);
    CHECK(cudaMalloc(&data, 64) == expected[kind]);  // sticky: nothing works until a reset
    OK(cudaDeviceReset());
    OK(cudaMalloc(&data, 64));
    OK(cudaFree(data));
  }
  int* data = nullptr;
  OK(cudaMalloc(&data, 64));
  recurse<<<1, 1>>>(data, 0);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
}

namespace {

__global__ void divergent_barrier() {
  __syncthreads_or(1);
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncthreads_or(1);
  }
}
__global__ void absent_lane() {
  if (threadIdx.x < 16) {
    __shfl_sync(0xFFFFFFFFU, 1, 0);
  } else {
    __syncthreads();
  }
}
__global__ void halves_disagree() {
  __syncwarp(threadIdx.x < 16 ? 0xFFFFFFFFU : 0xFFFF0000U);
  __syncthreads();
}
__global__ void mask_without_caller() {
  __syncwarp(0xFFFE);
}

}  // namespace

TEST_CASE("threads that would wait for ever are reported") {
  divergent_barrier<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
  absent_lane<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
  halves_disagree<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
  mask_without_caller<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
}

namespace {

#define HALF_A_WARP 16
__global__ void __launch_bounds__(64) declared_with_bounds(int* p);
__global__ void declared_with_bounds(int* p) {
  *p = 1;
}
template <int threads, class T>
__global__ void __launch_bounds__(threads * 2, 2) bounded_template(T* p) {
  *p = 1;
}
__launch_bounds__(HALF_A_WARP, 1, 2) __global__ static void bounded_by_macro(int* p) {
  *p = 1;
}
// Of that name there is one without.
__global__ void one_of_two(int* p) {
  *p = 1;
}
__global__ void __launch_bounds__(32) one_of_two(int* p, int n) {
  *p = n;
}

void launch_by_pointer(void (*kernel)(int*), int threads, int* p) {
  kernel<<<1, threads>>>(p);
}

int largest_block(const void* kernel) {
  cudaFuncAttributes attributes{};
  OK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.maxThreadsPerBlock;
}

// The error of a launch, and whether the kernel ran.
template <class Launch>
cudaError_t error_of(int* p, Launch launch) {
  *p = 0;
  launch();
  const cudaError_t error = cudaGetLastError();
  OK(cudaDeviceSynchronize());
  CHECK(*p == (error == cudaSuccess ? 1 : 0));
  return error;
}

}  // namespace

TEST_CASE("a block may have as many threads as the kernel's launch bounds say") {
  Buffer<int> out(1);
  int* const p = out;
  const auto invalid = cudaErrorInvalidValue;
  cudaGetLastError();  // of the tests before
  CHECK(error_of(p, [=] { declared_with_bounds<<<1, 64>>>(p); }) == cudaSuccess);
  CHECK(error_of(p, [=] { declared_with_bounds<<<1, 65>>>(p); }) == invalid);
  CHECK(error_of(p, [=] { bounded_template<20><<<1, 40>>>(p); }) == cudaSuccess);
  CHECK(error_of(p, [=] { bounded_template<20><<<1, dim3(41)>>>(p); }) == invalid);
  CHECK(error_of(p, [=] { bounded_template<7, int><<<1, dim3(5, 3)>>>(p); }) == invalid);
  CHECK(error_of(p, [=] { bounded_by_macro<<<1, 17>>>(p); }) == invalid);
  CHECK(error_of(p, [=] { one_of_two<<<1, 33>>>(p); }) == cudaSuccess);
  CHECK(error_of(p, [=] { one_of_two<<<1, 33>>>(p, 1); }) == invalid);
  CHECK(error_of(p, [=] { launch_by_pointer(bounded_by_macro, 16, p); }) == cudaSuccess);
  CHECK(error_of(p, [=] { launch_by_pointer(bounded_by_macro, 17, p); }) == invalid);
  CHECK(error_of(p, [=] {
          int* copy = p;
          void* arguments[] = {&copy};
          cudaLaunchKernel((const void*)bounded_template<7, int>, 1, 15, arguments);
        }) == invalid);
  CHECK(largest_block((const void*)declared_with_bounds) == 64);
  CHECK(largest_block((const void*)bounded_template<7, int>) == 14);
  CHECK(largest_block((const void*)number_threads) == 1024);
  int grid = 0;
  int block = 0;
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, declared_with_bounds));
  CHECK(block == 64);
  int blocks = -1;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, declared_with_bounds, 65, 0));
  CHECK(blocks == 0);
}

namespace {

__global__ void print(int* results) {
  results[0] = printf("%d %s%%\n", 1, "two");
  results[1] = printf("none\n");
  const int n = std::printf("%*d\n", 3, 4);
  results[2] = n;
}

}  // namespace

TEST_CASE("printf in a kernel returns how many arguments it has printed") {
  Buffer<int> results(3);
  print<<<1, 1>>>(results);
  OK(cudaDeviceSynchronize());
  CHECK(results[0] == 2);
  CHECK(results[1] == 0);
  CHECK(results[2] == 2);
}
