// Kernels that launch kernels. nvcc (-rdc=true) compiles this file as well; what is bound to the
// emulator's order, or to its checks, is below CUDA_EMULATOR.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

enum : int { room = 64 };

__global__ void note(int* log, int what) {
  log[1 + atomicAdd(log, 1)] = what;
}

__global__ void scale(int* x, int factor) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

// The child sees what its parent has written before, and takes the value that factor has then.
__global__ void write_and_scale(int* x, int factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = static_cast<int>(i);
  __syncthreads();
  if (threadIdx.x != 0) return;
  scale<<<2, blockDim.x / 2>>>(x + blockIdx.x * blockDim.x, factor);
  factor = 100;
  scale<<<2, blockDim.x / 2>>>(x + blockIdx.x * blockDim.x, factor / 10);
}

// Half as long each time: 8, 4, 2, 1.
__global__ void halve(int* log, int length) {
  note<<<1, 1>>>(log, length);
  if (length > 1) halve<<<1, 1>>>(log, length / 2);
}

__global__ void last_and_first(int* log) {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 3);
  halve<<<1, 1>>>(log, 2);
}

__global__ void any_order(int* log) {
  cudaStream_t stream = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
  note<<<1, 1, 0, stream>>>(log, 1);
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 2);
  if (cudaStreamDestroy(stream) == cudaSuccess) note<<<1, 1>>>(log, 4);
}

__global__ void take(const int*) {}
__global__ void pass_local(int* x) {
  int mine = 1;
  take<<<1, 1>>>(&mine);
  *x = mine;
}
__global__ void launch_badly(int* error) {
  note<<<1, 2000>>>(error, 0);
  error[threadIdx.x] = cudaPeekAtLastError();
  error[2 + threadIdx.x] = cudaGetLastError();
  error[4 + threadIdx.x] = cudaGetLastError();
}

std::vector<int> logged(Shared<int>& log) {
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return {log.get() + 1, log.get() + 1 + log[0]};
}

template <class T>
T sum_of(const std::vector<T>& values) {
  T sum = 0;
  for (const T value : values) sum += value;
  return sum;
}

}  // namespace

TEST_CASE("a kernel's kernels run after it, one after the other, and the host waits for all") {
  Shared<int> x(room);
  write_and_scale<<<2, room / 2>>>(x.get(), 3);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  int wrong = 0;
  for (int i = 0; i < room; ++i) wrong += x[static_cast<unsigned>(i)] != 30 * i;
  CHECK(wrong == 0);
}

TEST_CASE("kernels of kernels' kernels, and what comes last") {
  Shared<int> log(room);
  last_and_first<<<1, 1>>>(log.get());
  CHECK(logged(log) == std::vector<int>{2, 1, 3});
}

TEST_CASE("a kernel's own streams, and the one that is forgotten") {
  Shared<int> log(room);
  any_order<<<1, 1>>>(log.get());
  CHECK(sum_of(logged(log)) == 7);
}

TEST_CASE("a thread is told of its own launch that failed, the host is not") {
  Shared<int> error(8);
  launch_badly<<<1, 2>>>(error.get());
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  for (unsigned i = 0; i < 4; ++i) CHECK(error[i] == cudaErrorInvalidConfiguration);
  for (unsigned i = 4; i < 6; ++i) CHECK(error[i] == cudaSuccess);
}

#ifdef CUDA_EMULATOR

namespace {

__global__ void each_block(int* log) {
  if (threadIdx.x == 0) note<<<1, 1>>>(log, static_cast<int>(blockIdx.x));
}

__global__ void deeper(int* depth, int at) {
  *depth = at;
  deeper<<<1, 1>>>(depth, at + 1);
  if (cudaGetLastError() == cudaErrorLaunchMaxDepthExceeded) depth[1] = at;
}

__global__ void beyond(int* x) {
  scale<<<1, 32>>>(x + 1, 2);
}

__global__ void into_a_stream(int* log, cudaStream_t stream) {
  note<<<1, 1, 0, stream>>>(log, 1);
  log[2] = cudaGetLastError();
}

}  // namespace

TEST_CASE("children run in the order of their blocks, however many host threads ran these") {
  Shared<int> log(room + 1);
  each_block<<<room, 32>>>(log.get());
  const std::vector<int> blocks = logged(log);
  REQUIRE(blocks.size() == room);
  int wrong = 0;
  for (int i = 0; i < room; ++i) wrong += blocks[static_cast<unsigned>(i)] != i;
  CHECK(wrong == 0);
}

TEST_CASE("24 grids deep, the host's counted") {
  Shared<int> depth(2);
  deeper<<<1, 1>>>(depth.get(), 1);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(depth[0] == 24);
  CHECK(depth[1] == 24);
  deeper<<<1, 1>>>(depth.get(), 1);  // and from the top again
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(depth[1] == 24);
}

TEST_CASE("a stream of the host's is none of a kernel's") {
  Shared<int> log(room);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  into_a_stream<<<1, 1>>>(log.get(), stream);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(log[0] == 0);
  CHECK(log[2] == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("traffic: each child is a launch of its own") {
  Shared<int> x(room);
  const emulator::Traffic traffic = traffic_of([&] { write_and_scale<<<1, room>>>(x.get(), 3); });
  CHECK(traffic.global_load_requests == 4);   // of the children, two warps each, twice
  CHECK(traffic.global_store_requests == 6);  // and two of their parent
}

TEST_CASE("findings in a child, and of a launch that cannot be") {
  Shared<int> x(32);
  emulator::set_checking(true);
  CHECK(lines_found_in([&] { beyond<<<1, 1>>>(x.get()); }) ==
        "out-of-bounds: the kernel reads global memory just past the end of an array\n");
  CHECK(lines_found_in([&] { launch_badly<<<1, 1>>>(x.get()); }) ==
        "invalid-launch: of note by the kernel: a block of 2000 threads: 1024 at most\n");
  CHECK(lines_found_in([&] { pass_local<<<1, 1>>>(x.get()); }) ==
        "invalid-launch: of take by the kernel: an argument points to the thread's local memory, "
        "which the child cannot reach\n");
  Shared<int> log(room);
  CHECK(lines_found_in([&] { last_and_first<<<1, 1>>>(log.get()); }) == "");
  CHECK(lines_found_in([&] { any_order<<<1, 1>>>(log.get()); }) == "");
  emulator::set_checking(false);
}

#endif
