// What timeline_test.py runs: the argument says which part.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int n = 16384;      // of a stream: 16 steps of a kernel
constexpr int bytes = 4 * n;  // and of a copy
constexpr int threads = 256;

__global__ void twice(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

// Two streams: in, kernel, out. Those of one may overlap those of the other, unless the kernels are
// in the legacy default stream, for which all wait.
void two_streams(bool kernels_in_default) {
  float* host = nullptr;
  float* device = nullptr;
  cudaMallocHost(&host, 2 * bytes);
  cudaMalloc(&device, 2 * bytes);
  for (int i = 0; i < 2 * n; ++i) host[i] = static_cast<float>(i);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int k = 0; k < 2; ++k) {
    cudaMemcpyAsync(device + k * n, host + k * n, bytes, cudaMemcpyHostToDevice, streams[k]);
    twice<<<n / threads, threads, 0, kernels_in_default ? nullptr : streams[k]>>>(device + k * n);
    cudaMemcpyAsync(host + k * n, device + k * n, bytes, cudaMemcpyDeviceToHost, streams[k]);
  }
  cudaDeviceSynchronize();
  std::printf("%g\n", host[2 * n - 1]);
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  cudaFree(device);
  cudaFreeHost(host);
}

// The second stream waits for an event in the first; the host asks until it is done.
void an_event() {
  float* device = nullptr;
  cudaMalloc(&device, bytes);
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaMemsetAsync(device, 0, bytes, first);
  twice<<<n / threads, threads, 0, first>>>(device);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event, 0);
  twice<<<n / threads, threads, 0, second>>>(device);
  cudaLaunchHostFunc(
      second, [](void*) {}, nullptr);
  while (cudaStreamQuery(second) == cudaErrorNotReady) {
  }
  std::vector<float> host(n);
  cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(device);
}

// A chain of kernels in one launch of a graph.
void a_graph() {
  float* device = nullptr;
  cudaMalloc(&device, bytes);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(device, 0, bytes, stream);
  for (int k = 0; k < 3; ++k) twice<<<n / threads, threads, 0, stream>>>(device);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t ready = nullptr;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(device);
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "two") == 0) two_streams(false);
  if (std::strcmp(arguments[1], "default") == 0) two_streams(true);
  if (std::strcmp(arguments[1], "event") == 0) an_event();
  if (std::strcmp(arguments[1], "graph") == 0) a_graph();
}
