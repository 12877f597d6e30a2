// Chapter 15, seventh lesson: what each building block costs.
#pragma once

#include <functional>

#include "events.hpp"

__global__ void nothing() {}

struct CallCost {
  const char* what;
  course::Timing call;  // the host's time for one of them
  course::Timing all;   // until the device has done them all, divided by their number
};

class Costs {
 public:
  std::vector<CallCost> measure() {
    cudaStream_t a = two_.of(0);
    cudaStream_t b = two_.of(1);
    const auto launch = [](cudaStream_t stream) {
      nothing<<<1, 32, 0, stream>>>();
      CUDA_CHECK_LAUNCH();
    };
    make_graph(launch);
    // A kernel waits for the event, so the cost of a wait is the difference between the third line
    // and the first.
    return {
        of("launch", [&](int) { launch(a); }),
        of("launch and event",
           [&](int k) {
             launch(a);
             CUDA_CHECK(cudaEventRecord(events_[k], a));
           }),
        of("launch, event, wait",
           [&](int k) {  // to and fro: each kernel waits for the previous one in the other stream
             launch(k % 2 == 0 ? a : b);
             CUDA_CHECK(cudaEventRecord(events_[k], k % 2 == 0 ? a : b));
             CUDA_CHECK(cudaStreamWaitEvent(k % 2 == 0 ? b : a, events_[k], 0));
           }),
        of("host function",
           [&](int) {
             CUDA_CHECK(cudaLaunchHostFunc(
                 a, [](void*) {}, nullptr));
           }),
        of("node of a graph",
           [&](int k) {
             if (k == 0) CUDA_CHECK(cudaGraphLaunch(ready_, a));  // a graph with this many nodes
           }),
        of("query", [&](int) { static_cast<void>(cudaStreamQuery(a)); }),
        of("synchronise", [&](int) { CUDA_CHECK(cudaStreamSynchronize(a)); }),
    };
  }
  Costs() = default;
  Costs(const Costs&) = delete;
  Costs& operator=(const Costs&) = delete;
  ~Costs() {
    CUDA_WARN(cudaGraphExecDestroy(ready_));
    CUDA_WARN(cudaGraphDestroy(graph_));
  }

 private:
  static constexpr int in_a_row = 200;

  // A chain of empty kernels.
  template <class Launch>
  void make_graph(Launch launch) {
    CUDA_CHECK(cudaStreamBeginCapture(two_.of(0), cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < in_a_row; ++k) launch(two_.of(0));
    CUDA_CHECK(cudaStreamEndCapture(two_.of(0), &graph_));
    CUDA_CHECK(cudaGraphInstantiate(&ready_, graph_, 0));
  }

  CallCost of(const char* what, const std::function<void(int)>& one) {
    std::vector<double> calls;
    std::vector<double> all;
    for (int sample = -2; sample < (course::on_emulator ? 1 : 50); ++sample) {
      CUDA_CHECK(cudaDeviceSynchronize());
      course::HostTimer timer;
      timer.start();
      for (int k = 0; k < in_a_row; ++k) one(k);
      const double issued = timer.stop();
      CUDA_CHECK(cudaDeviceSynchronize());
      const double done = timer.stop();
      if (sample < 0) continue;
      calls.push_back(issued / in_a_row);
      all.push_back(done / in_a_row);
    }
    return {what, course::summarise(calls), course::summarise(all)};
  }

  Streams two_{2};
  Events events_{in_a_row};
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};
