// Chapter 15, sixth lesson: a long kernel that fills the device, and a short one that is
// urgent.
#pragma once

#include "course.hpp"

// Steps of a random generator: work without memory, for any length of time.
__global__ void compute(unsigned* result, int steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i;
  for (int k = 0; k < steps; ++k) value = 1664525U * value + 1013904223U;
  result[i] = value;
}

struct ComputeTask {
  unsigned blocks;
  int steps;
  static constexpr unsigned threads = 256;
  size_t results() const { return size_t{blocks} * threads; }
  void launch(unsigned* result, cudaStream_t stream) const {
    compute<<<blocks, threads, 0, stream>>>(result, steps);
    CUDA_CHECK_LAUNCH();
  }
  bool is_right(const course::DeviceArray<unsigned>& result) const {
    const std::vector<unsigned> got = result.to_host();
    for (const size_t i : {size_t{0}, results() / 2, results() - 1}) {
      auto value = static_cast<unsigned>(i);
      for (int k = 0; k < steps; ++k) value = 1664525U * value + 1013904223U;
      if (got[i] != value) return false;
    }
    return true;
  }
};

// The long one has far more blocks than fit on the device. They wait in a queue, each for an
// earlier block to end. A short one of the same priority queues up after all of them; with a higher
// priority it gets the next free place.
class PriorityLatency {
 public:
  PriorityLatency() {
    int least = 0;
    int greatest = 0;  // the lower number: -5, say
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&slow_, cudaStreamNonBlocking, least));
    CUDA_CHECK(cudaStreamCreateWithPriority(&equal_, cudaStreamNonBlocking, least));
    CUDA_CHECK(cudaStreamCreateWithPriority(&high_, cudaStreamNonBlocking, greatest));
  }
  PriorityLatency(const PriorityLatency&) = delete;
  PriorityLatency& operator=(const PriorityLatency&) = delete;
  ~PriorityLatency() {
    for (cudaStream_t stream : {slow_, equal_, high_}) CUDA_WARN(cudaStreamDestroy(stream));
  }

  // From the launch of the short one until the host knows that it has finished.
  course::Timing alone() { return latency(equal_, false); }
  course::Timing with_equal_priority() { return latency(equal_, true); }
  course::Timing with_high_priority() { return latency(high_, true); }
  bool is_right() const { return long_.is_right(long_result_) && short_.is_right(short_result_); }

 private:
  course::Timing latency(cudaStream_t stream, bool beside_a_long_one) {
    std::vector<double> milliseconds;
    for (int sample = -1; sample < (course::on_emulator ? 1 : 20); ++sample) {
      CUDA_CHECK(cudaDeviceSynchronize());
      course::HostTimer timer;
      timer.start();
      if (beside_a_long_one) {
        long_.launch(long_result_, slow_);
        while (!course::on_emulator && timer.stop() < 0.2) {  // until it fills the device
        }
      }
      timer.start();
      short_.launch(short_result_, stream);
      CUDA_CHECK(cudaStreamSynchronize(stream));
      if (sample >= 0) milliseconds.push_back(timer.stop());
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    return course::summarise(milliseconds);
  }

  const unsigned multiprocessors_ = static_cast<unsigned>(course::device().multiprocessors);
  const ComputeTask long_ =
      course::on_emulator ? ComputeTask{64, 20} : ComputeTask{512 * multiprocessors_, 2000};
  const ComputeTask short_ =
      course::on_emulator ? ComputeTask{1, 5} : ComputeTask{multiprocessors_, 20};
  course::DeviceArray<unsigned> long_result_{long_.results()}, short_result_{short_.results()};
  cudaStream_t slow_ = nullptr, equal_ = nullptr, high_ = nullptr;
};
