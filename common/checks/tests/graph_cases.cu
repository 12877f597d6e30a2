// The cases of the check program, cases.cu, that are about graphs.

#include <vector>

#include "checks/exercise.hpp"
#include "checks/streams.hpp"

namespace {

namespace exercise = course::exercise;

__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

// Stores only the first time.
__global__ void once(float* y) {
  if (y[threadIdx.x] != 7.0F) y[threadIdx.x] = 7.0F;
}

/// A kernel in a graph that is launched so often, and the kernel by itself.
exercise::StreamRun run_graph(int launches, int beside_it, bool works_once = false) {
  exercise::Array<float> x(course::exact_vector(64, 1));
  exercise::Array<float> y(64);
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  exercise::StreamRun seen = exercise::run_in_streams([&] {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    if (works_once) {
      once<<<1, 64, 0, stream>>>(x.data());
    } else {
      twice<<<2, 32, 0, stream>>>(x.data(), y.data(), 64);
    }
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    if (launches > 0) CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < launches; ++i) CUDA_CHECK(cudaGraphLaunch(executable, stream));
    for (int i = 0; i < beside_it; ++i) twice<<<2, 32, 0, stream>>>(x.data(), y.data(), 64);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    if (launches > 0) CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
  });
  CUDA_CHECK(cudaStreamDestroy(stream));
  return seen;
}

}  // namespace

TEST_CASE("efficient: graph repeated") {
  exercise::expect_repeated_graph(run_graph(3, 0), {.launches = 3, .read = "what a graph is"});
}

TEST_CASE("efficient: graph too often") {
  exercise::expect_repeated_graph(run_graph(3, 0), {.launches = 2, .read = "what a graph is"});
}

TEST_CASE("efficient: graph and a kernel beside it") {
  exercise::expect_repeated_graph(run_graph(3, 1), {.launches = 3, .read = "what a graph is"});
}

TEST_CASE("efficient: graph that works once") {
  exercise::expect_repeated_graph(run_graph(3, 0, true),
                                  {.launches = 3, .read = "what a graph is"});
}

TEST_CASE("efficient: graph never made") {
  exercise::expect_repeated_graph(run_graph(0, 3), {.launches = 3, .read = "what a graph is"});
}
