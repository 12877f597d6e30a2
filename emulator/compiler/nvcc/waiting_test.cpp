// Kernels, and loops of graphs, that do not end: the waiting user learns where they are.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

TEST_CASE(
    "emucc: threads that wait for others, and kernels that go wrong, without instrumentation") {
  const Scratch scratch;
  scratch.write("waits.cu", R"(
#include <cstdio>
#include <cstdlib>
__device__ volatile int flags[64];
__device__ int arrived;
__global__ void later_block(int* out) {
  if (threadIdx.x == 0) {
    flags[blockIdx.x] = 1;
    if (blockIdx.x + 1 < gridDim.x) while (flags[blockIdx.x + 1] == 0) {}
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, 1);
}
__global__ void own_grid_barrier(int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile int*)&arrived < (int)gridDim.x) {}
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, arrived == (int)gridDim.x);
}
__global__ void other_warp(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) { while (ready == 0) {} }
  else if (threadIdx.x == 32) ready = 1;
  atomicAdd(out, ready);
}
// At the second barrier thread 0 hands its turn to thread 1, which needs slices of time as well.
__global__ void behind_a_barrier(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 1) { while (ready == 0) {} }
  if (threadIdx.x == 32) ready = 1;
  __syncthreads();
  atomicAdd(out, ready);
}
// Slices of time end everywhere, but never while one thread hands its turn to another.
__global__ void many_barriers(int* out, int rounds) {
  __shared__ int round_of[2];
  int right = 0;
  for (int i = 0; i < rounds; ++i) {
    round_of[threadIdx.x] = i;
    __syncthreads();
    right += round_of[1 - threadIdx.x] == i;
    __syncthreads();
  }
  atomicAdd(out, right == rounds);
}
__global__ void lock(int* out) {
  __shared__ int mutex;
  if (threadIdx.x == 0) mutex = 0;
  __syncthreads();
  while (atomicCAS(&mutex, 0, 1) != 0) __nanosleep(10);
  *(volatile int*)out = *(volatile int*)out + 1;
  atomicExch(&mutex, 0);
}
__global__ void division(int* out) { *out = 7 / *out; }
__global__ void null(int* out) { int* p = nullptr; *p = *out; }
int main(int, char** argv) {
  const int which = atoi(argv[1]);
  int* d;
  cudaMallocManaged(&d, 4096);
  *d = 0;
  if (which == 0) later_block<<<8, 64>>>(d);
  if (which == 1) own_grid_barrier<<<8, 64>>>(d);
  if (which == 2) other_warp<<<1, 64>>>(d);
  if (which == 3) lock<<<1, 40>>>(d);
  if (which == 4) null<<<1, 1>>>(d);
  if (which == 5) division<<<1, 1>>>(d);
  if (which == 6) behind_a_barrier<<<1, 64>>>(d);
  if (which == 7) many_barriers<<<1, 2>>>(d, 4000000);
  printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *d);
}
)");
  REQUIRE(scratch.run(emucc + "waits.cu -o waits").status == 0);
  const auto prints = [&](const std::string& which) {
    return scratch.run("EMULATOR_THREADS=1 timeout 20 ./waits " + which).output;
  };
  CHECK(prints("0") == "cudaSuccess 8\n");
  CHECK(prints("1") == "cudaSuccess 8\n");
  CHECK(prints("2") == "cudaSuccess 64\n");
  CHECK(prints("3") == "cudaSuccess 40\n");
  CHECK(prints("4") == "cudaErrorIllegalAddress 0\n");
  CHECK(prints("5") == "cudaSuccess -1\n");  // a division by zero goes on
  CHECK(prints("6") == "cudaSuccess 64\n");
  CHECK(prints("7") == "cudaSuccess 2\n");
}

}  // namespace

TEST_CASE("emucc: a kernel that waits for the host is said to be running, once, and where") {
  const Scratch scratch;
  // The host sets the flag after a second, from another thread: else the kernel would never end.
  scratch.write("waits.cu", R"(
#include <unistd.h>
#include <thread>
__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  std::thread later([&] {
    usleep(1000000);
    *flag = 1;
  });
  wait<<<1, 1>>>(flag);
  later.join();
  return cudaDeviceSynchronize();
}
)");
  for (const std::string options : {"-g", "--look"}) {
    REQUIRE(scratch.run(emucc + options + " waits.cu -o waits").status == 0);
    const Result result = scratch.run("EMULATOR_PATIENCE=0.1 ./waits");
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    CHECK(contains(result.errors, "emulator: note: wait has been running for 0."));
    CHECK(contains(result.errors, "thread (0,0,0) of block (0,0,0) is in "));
    CHECK(contains(result.errors, "waits.cu:5. If it waits for what the host does later, "));
    CHECK(result.errors.find("note:") == result.errors.rfind("note:"));
  }
  CHECK(scratch.run("EMULATOR_PATIENCE=0 ./waits").errors == "");
}

TEST_CASE("emucc: a WHILE node of a graph that goes on is said to do so, once") {
  const Scratch scratch;
  scratch.write("loops.cu", R"(
__global__ void count(cudaGraphConditionalHandle handle, long long begun) {
  if (clock64() - begun > 250000000) cudaGraphSetConditional(handle, 0);
}
__global__ void begin(long long* begun) { *begun = clock64(); }
int main() {
  long long* begun;
  cudaMallocManaged(&begun, sizeof(long long));
  begin<<<1, 1>>>(begun);
  cudaDeviceSynchronize();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop);
  void* arguments[] = {&handle, begun};
  cudaGraphNodeParams body = {cudaGraphNodeTypeKernel};
  body.kernel.func = (void*)count;
  body.kernel.gridDim = body.kernel.blockDim = dim3(1);
  body.kernel.kernelParams = arguments;
  cudaGraphAddNode(&node, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &body);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, 0);
  return cudaDeviceSynchronize();
}
)");
  REQUIRE(scratch.run(emucc + "loops.cu -o loops").status == 0);
  const Result result = scratch.run("EMULATOR_PATIENCE=0.1 ./loops");
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK(
      contains(result.errors, "emulator: note: a WHILE node of a graph has been running for 0.1"));
  CHECK(contains(result.errors, ", and its value is 1: it ends once a kernel in the body sets"));
  CHECK(result.errors.find("note:") == result.errors.rfind("note:"));
  CHECK(scratch.run("EMULATOR_PATIENCE=0 ./loops").errors == "");
}
