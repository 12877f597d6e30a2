// Kernels, and loops of graphs, that do not end: somebody who waits is told where they are.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

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
  CHECK(contains(result.errors, ", and its value is 1: it ends once a kernel of the body sets"));
  CHECK(result.errors.find("note:") == result.errors.rfind("note:"));
  CHECK(scratch.run("EMULATOR_PATIENCE=0 ./loops").errors == "");
}
