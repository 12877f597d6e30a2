// Chapter 15, third lesson: several threads of the host, each with its own stream.
#pragma once

#include <exception>
#include <mutex>

#include "pipeline.hpp"

// OpenMP distributes the chunks. cudaStreamPerThread is each thread's own default stream: it does
// not wait for another thread's. A thread waits only for its own stream.
void by_threads(const Sum& sum, const Streams& streams) {
  std::exception_ptr failure;  // no exception may leave a parallel region
  std::mutex one_at_a_time;
#pragma omp parallel for num_threads(streams.count()) schedule(static, 1)
  for (int c = 0; c < sum.chunks; ++c) {
    try {
      const Chunk chunk = chunk_of(sum, c);
      copy_in(sum, chunk, cudaStreamPerThread);
      add_up(sum, chunk, cudaStreamPerThread);
      copy_out(sum, chunk, cudaStreamPerThread);
      if (c + streams.count() >= sum.chunks) {  // this thread's last one
        CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
      }
    } catch (...) {
      const std::lock_guard lock(one_at_a_time);
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}
