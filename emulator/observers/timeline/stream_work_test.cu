/// \file
/// The list of what was put into streams: what is in it, and what waits for what; and the count of
/// what was done with graphs.

#include <vector>

#include "emulator/order.h"
#include "events/stream_work.hpp"
#include "tests/support/graph_test.hpp"

using namespace graph_test;
using emulator::StreamWork;
using Kind = emulator::StreamWork::Kind;
using Why = emulator::StreamWork::Why;

namespace {

// A device as new, and the list of its work.
struct Listed {
  Listed() { emulator::note_stream_work(true); }
  ~Listed() { emulator::note_stream_work(false); }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;
  Fresh fresh;
};

bool waits(const StreamWork& work, std::size_t other, Why why) {
  for (const StreamWork::Wait& wait : work.after) {
    if (wait.work == other && wait.why == why) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("stream work: nothing is listed unless somebody wants to know") {
  const Fresh fresh;
  add<<<1, 1>>>(managed_ints(), 1);
  CHECK_FALSE(emulator::notes_stream_work());
  CHECK(emulator::stream_work().empty());
}

TEST_CASE("stream work: a stream, an event, the default stream, the host") {
  const Listed listed;
  int* const out = managed_ints();
  int* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, 4) == cudaSuccess);
  int* device = nullptr;
  CHECK(cudaMalloc(&device, 4) == cudaSuccess);
  cudaStream_t const a = stream_with(cudaStreamDefault);
  cudaStream_t const b = stream_with(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, a) == cudaSuccess);  // 0
  add<<<1, 1, 0, a>>>(out, 1);                                                          // 1
  CHECK(cudaEventRecord(event, a) == cudaSuccess);                                      // 2
  CHECK(cudaStreamWaitEvent(b, event, 0) == cudaSuccess);                               // 3
  CHECK(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, b) == cudaSuccess);  // 4
  add<<<1, 1>>>(out, 1);                                                                // 5
  CHECK(cudaStreamSynchronize(b) == cudaSuccess);
  add<<<1, 1, 0, a>>>(out, 1);  // 6
  const std::vector<StreamWork> work = emulator::stream_work();
  REQUIRE(work.size() == 7);
  CHECK(work[0].kind == Kind::copy_to_device);
  CHECK(work[0].bytes == 4);
  CHECK(work[0].after.empty());
  CHECK(work[1].kind == Kind::kernel);
  CHECK(work[1].name == "add");
  CHECK(waits(work[1], 0, Why::same_stream));
  CHECK(work[2].kind == Kind::mark);
  CHECK(waits(work[3], 2, Why::event));
  CHECK(work[4].kind == Kind::copy_to_host);
  CHECK(waits(work[4], 3, Why::same_stream));
  CHECK(waits(work[5], 2, Why::default_stream));
  CHECK(work[5].after.size() == 1);  // b does not block, and nothing has waited
  CHECK(waits(work[6], 4, Why::host));
  CHECK(waits(work[6], 5, Why::default_stream));
}

TEST_CASE("stream work: what a graph launches is there, and its edges") {
  const Listed listed;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const first = kernel_node(graph, (void*)put, out, 2);
  kernel_node(graph, (void*)multiply, out, 3, {first});
  kernel_node(graph, (void*)put, out + 1, 2);
  launch(instantiated(graph));
  std::vector<std::size_t> kernels;
  const std::vector<StreamWork> work = emulator::stream_work();
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work[i].kind == Kind::kernel) kernels.push_back(i);
  }
  REQUIRE(kernels.size() == 3);
  std::size_t ordered = 0;
  for (const std::size_t one : kernels) {
    for (const std::size_t other : kernels) {
      if (waits(work[one], other, Why::same_stream) || waits(work[one], other, Why::event)) {
        ++ordered;
      }
    }
  }
  CHECK(ordered == 1);
}

TEST_CASE("stream work: what comes from elsewhere follows") {
  const Listed listed;
  add<<<1, 1>>>(managed_ints(), 1);
  std::vector<StreamWork> more(2);
  more[1].after.push_back({0, Why::event});
  emulator::timeline::add_stream_work(more);
  const std::vector<StreamWork> work = emulator::stream_work();
  REQUIRE(work.size() == 3);
  CHECK(waits(work[2], 1, Why::event));
}

TEST_CASE("stream work: what is done with graphs is counted, unless it fails") {
  const Fresh fresh;
  emulator::clear_graph_calls();
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) != cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(out, 1);
  add<<<1, 1, 0, stream>>>(out, 1);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
  CHECK(cudaGraphLaunch(nullptr, stream) != cudaSuccess);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(executable, graph, &info) == cudaSuccess);
  static_cast<void>(cudaGetLastError());
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(executable) != cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) != cudaSuccess);
  static_cast<void>(cudaGetLastError());
  const emulator::GraphCalls calls = emulator::graph_calls();
  CHECK(calls.destroyed_graphs == 1);
  CHECK(calls.destroyed_executables == 1);
  CHECK(calls.captures == 1);
  CHECK(calls.instantiations == 1);
  CHECK(calls.updates == 1);
  CHECK(calls.launches == 3);
  CHECK(calls.kernels == 6);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(*out == 6);
}
