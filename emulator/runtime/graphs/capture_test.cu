/// \file
/// Streams that are captured: what becomes of their work. NVIDIA's compiler also takes this file.

#include "graphs/capture_test.hpp"

using namespace graph_test;

TEST_CASE("capture: work becomes nodes, and is done only in launches of the graph") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with();
  begin(stream);
  CHECK(status_of(stream) == cudaStreamCaptureStatusActive);
  int value = 4;
  put<<<1, 1, 0, stream>>>(out, value);
  CHECK(cudaGetLastError() == cudaSuccess);
  value = 5;  // too late
  add<<<1, 1, 0, stream>>>(out, 1);
  const cudaHostFn_t twice = [](void* data) { *static_cast<int*>(data) *= 2; };
  CHECK(cudaLaunchHostFunc(stream, twice, out) == cudaSuccess);
  cudaGraph_t const graph = end(stream);
  CHECK(status_of(stream) == cudaStreamCaptureStatusNone);
  CHECK(*out == 0);

  const Nodes nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 3);
  CHECK(type_of(nodes[0]) == cudaGraphNodeTypeKernel);
  CHECK(type_of(nodes[2]) == cudaGraphNodeTypeHost);
  CHECK(dependencies_of(nodes[0]).empty());
  CHECK(dependencies_of(nodes[1]) == Nodes{nodes[0]});
  CHECK(dependencies_of(nodes[2]) == Nodes{nodes[1]});
  cudaGraphExec_t const executable = instantiated(graph);
  for (int i = 0; i < 2; ++i) {
    launch(executable, stream);
    CHECK(*out == 10);
  }
}

TEST_CASE("capture: the parameters of a captured kernel can be read and changed") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with();
  begin(stream);
  put<<<1, 1, 0, stream>>>(out, 4);
  cudaGraph_t const graph = end(stream);
  cudaGraphExec_t const executable = instantiated(graph);
  cudaKernelNodeParams parameters = {};
  cudaGraphNode_t const node = nodes_of(graph)[0];
  REQUIRE(cudaGraphKernelNodeGetParams(node, &parameters) == cudaSuccess);
  REQUIRE(parameters.kernelParams != nullptr);
  CHECK(*static_cast<int*>(parameters.kernelParams[1]) == 4);
  int other = 9;
  void* arguments[] = {parameters.kernelParams[0], &other};
  parameters.kernelParams = arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, node, &parameters) == cudaSuccess);
  launch(executable);
  CHECK(*out == 9);
}

TEST_CASE("capture: copies and sets of all forms") {
  const Fresh fresh;
  int* const out = managed_ints(4);
  int host[4] = {1, 2, 3, 4};
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof(host)) == cudaSuccess);
  cudaStream_t const stream = stream_with();
  begin(stream);
  CHECK(cudaMemcpyAsync(device, host, sizeof(host), cudaMemcpyHostToDevice, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(device + 1, 0, sizeof(int), stream) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(out, 8, device, 8, 4, 2, cudaMemcpyDefault, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(out + 1, device + 1, 4, cudaMemcpyDefault, stream) == cudaSuccess);
  cudaGraph_t const graph = end(stream);
  CHECK(nodes_of(graph).size() == 4);
  CHECK(type_of(nodes_of(graph)[1]) == cudaGraphNodeTypeMemset);
  host[0] = 10;  // read in the launch
  launch(instantiated(graph));
  CHECK(out[0] == 10);
  CHECK(out[1] == 0);
  CHECK(out[2] == 3);
  CHECK(out[3] == 0);
}

TEST_CASE("capture: events fork into other streams and join them") {
  const Fresh fresh;
  int* const out = managed_ints(3);
  cudaStream_t const first = stream_with();
  cudaStream_t const second = stream_with(cudaStreamNonBlocking);
  cudaEvent_t const fork = some_event();
  cudaEvent_t const join = some_event();
  begin(first);
  put<<<1, 1, 0, first>>>(out, 2);
  CHECK(cudaEventRecord(fork, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, fork) == cudaSuccess);
  CHECK(status_of(second) == cudaStreamCaptureStatusActive);
  add<<<1, 1, 0, first>>>(out, 3);
  put<<<1, 1, 0, second>>>(out + 1, 7);
  CHECK(cudaEventRecord(join, second) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(first, join) == cudaSuccess);
  multiply<<<1, 1, 0, first>>>(out, 10);
  cudaGraph_t const graph = end(first);
  CHECK(status_of(second) == cudaStreamCaptureStatusNone);
  const Nodes nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 4);
  CHECK(dependencies_of(nodes[1]) == Nodes{nodes[0]});
  CHECK(dependencies_of(nodes[2]) == Nodes{nodes[0]});
  CHECK(dependencies_of(nodes[3]) == Nodes{nodes[1], nodes[2]});
  launch(instantiated(graph), second);
  CHECK(out[0] == 50);
  CHECK(out[1] == 7);
  // The event stood for a node, which nobody can wait for.
  CHECK(cudaEventQuery(fork) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaEventRecord(fork, first) == cudaSuccess);
  CHECK(cudaEventSynchronize(fork) == cudaSuccess);
}
TEST_CASE("capture: what it waits for next can be asked and changed") {
  const Fresh fresh;
  int* const out = managed_ints(2);
  cudaStream_t const stream = stream_with();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* after = nullptr;
  std::size_t count = 9;
  CHECK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0) ==
        cudaErrorIllegalState);
  begin(stream);
  put<<<1, 1, 0, stream>>>(out, 4);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &after, nullptr, &count) ==
        cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  REQUIRE(count == 1);
  const cudaGraphNode_t first = after[0];
  cudaGraphNode_t own = kernel_node(graph, (void*)put, out + 1, 5);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1,
                                            cudaStreamAddCaptureDependencies) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(out, 6);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1,
                                            cudaStreamSetCaptureDependencies) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(out + 1, 7);
  CHECK(end(stream) == graph);
  const Nodes nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 4);
  CHECK(dependencies_of(nodes[2]) == Nodes{first, own});
  CHECK(dependencies_of(nodes[3]) == Nodes{own});
  launch(instantiated(graph));
  CHECK(out[0] == 10);
  CHECK(out[1] == 12);
}

TEST_CASE("capture: a stream that joined may be destroyed, and one in which it began ends it") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t first = stream_with();
  cudaStream_t const second = stream_with();
  cudaEvent_t const event = some_event();
  begin(first);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event) == cudaSuccess);
  put<<<1, 1, 0, second>>>(out, 3);
  CHECK(cudaEventRecord(event, second) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(first, event) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  launch(instantiated(end(first)));
  CHECK(*out == 3);
  begin(first);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("capture: into a graph that exists") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const first = kernel_node(graph, (void*)put, out, 3);
  cudaStream_t const stream = stream_with();
  REQUIRE(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                        cudaStreamCaptureModeGlobal) == cudaSuccess);
  multiply<<<1, 1, 0, stream>>>(out, 5);
  CHECK(end(stream) == graph);
  CHECK(dependencies_of(nodes_of(graph)[1]) == Nodes{first});
  launch(instantiated(graph));
  CHECK(*out == 15);
}

TEST_CASE("capture: external events become nodes, too") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaEvent_t const before = some_event();
  cudaEvent_t const after = some_event();
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  CHECK(cudaEventRecordWithFlags(before, stream, cudaEventRecordExternal) == cudaErrorIllegalState);
  begin(stream);
  CHECK(cudaStreamWaitEvent(stream, before, cudaEventWaitExternal) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(out, 2);
  CHECK(cudaEventRecordWithFlags(after, stream, cudaEventRecordExternal) == cudaSuccess);
  cudaGraph_t const graph = end(stream);
  const Nodes nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 3);
  CHECK(type_of(nodes[0]) == cudaGraphNodeTypeWaitEvent);
  CHECK(type_of(nodes[1]) == cudaGraphNodeTypeKernel);
  CHECK(type_of(nodes[2]) == cudaGraphNodeTypeEventRecord);
  CHECK(*out == 0);
  CHECK(cudaGraphLaunch(instantiated(graph), stream) == cudaSuccess);
  CHECK(cudaEventSynchronize(after) == cudaSuccess);
  CHECK(*out == 2);
}

TEST_CASE("capture: memory that streams allocate and free") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  int* memory = nullptr;
  begin(stream);
  CHECK(cudaMallocAsync(&memory, sizeof(int), stream) == cudaSuccess);
  put<<<1, 1, 0, stream>>>(memory, 11);
  CHECK(cudaMemcpyAsync(out, memory, sizeof(int), cudaMemcpyDefault, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  cudaGraph_t const graph = end(stream);
  const Nodes nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 4);
  CHECK(type_of(nodes[0]) == cudaGraphNodeTypeMemAlloc);
  CHECK(type_of(nodes[3]) == cudaGraphNodeTypeMemFree);
  cudaGraphExec_t const executable = instantiated(graph);
  for (int i = 0; i < 2; ++i) {
    *out = 0;
    launch(executable, stream);
    CHECK(*out == 11);
  }
}

namespace {

// As libraries launch: a kernel is a function's parameter.
template <class Kernel>
void launch_given(Kernel kernel, cudaStream_t stream, int* out, int value) {
  kernel<<<1, 1, 0, stream>>>(out, value);
}

}  // namespace

TEST_CASE("captures: a kernel that a function was given is as good as one with a name") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  launch_given(put, stream, out, 5);
  launch_given(multiply, stream, out, 3);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(*out == 0);
  launch(instantiated(graph), stream);
  CHECK(*out == 15);
}
