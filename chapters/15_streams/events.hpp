// Chapter 15, second lesson: one stream per kind of work, and events between them.
#pragma once

#include "pipeline.hpp"

// Events without time stamps: these are cheaper.
class Events {
 public:
  explicit Events(int count) : events_(static_cast<size_t>(count)) {
    for (cudaEvent_t& event : events_) {
      CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    for (cudaEvent_t event : events_) CUDA_WARN(cudaEventDestroy(event));
  }
  cudaEvent_t operator[](int k) const { return events_[static_cast<size_t>(k)]; }

 private:
  std::vector<cudaEvent_t> events_;
};

// One stream copies in, one computes, one copies out. A chunk goes through all three, so each
// stream must wait for the previous one: an event is recorded after the chunk's work in the first
// stream, and its next part in the second stream waits for the event. The host waits for nothing.
void issue_by_kind(const Sum& sum, cudaStream_t in, cudaStream_t kernels, cudaStream_t out,
                   const Events& arrived, const Events& added) {
  for (int c = 0; c < sum.chunks; ++c) {
    const Chunk chunk = chunk_of(sum, c);
    copy_in(sum, chunk, in);
    CUDA_CHECK(cudaEventRecord(arrived[c], in));

    CUDA_CHECK(cudaStreamWaitEvent(kernels, arrived[c], 0));
    add_up(sum, chunk, kernels);
    CUDA_CHECK(cudaEventRecord(added[c], kernels));

    CUDA_CHECK(cudaStreamWaitEvent(out, added[c], 0));
    copy_out(sum, chunk, out);
  }
}

class StreamPerKind {
 public:
  explicit StreamPerKind(const Sum& sum) : sum_(sum), arrived_(sum.chunks), added_(sum.chunks) {}
  void run() const {
    issue_by_kind(sum_, three_.of(0), three_.of(1), three_.of(2), arrived_, added_);
    CUDA_CHECK(
        cudaStreamSynchronize(three_.of(2)));  // the last chunk's copy: all else is before it
  }

 private:
  Sum sum_;
  Streams three_{3};
  Events arrived_, added_;
};
