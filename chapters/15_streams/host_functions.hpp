// Chapter 15, fifth lesson: what the host does meanwhile. A host function is work in a stream, like
// a kernel, that a thread of CUDA's runs on the CPU.
#pragma once

#include <numeric>

#include "pipeline.hpp"

// What a host function is told: it has one pointer, to something that lives until it has run.
struct ChunkTotal {
  const float* z;
  size_t length;
  double sum;
};

// It must be short: while it runs, its stream stands still, and other host functions may wait. It
// must not call CUDA, not even to look, and must not wait for anything that waits for the device:
// the device may be waiting for it.
void CUDART_CB add_on_host(void* data) {
  auto* const part = static_cast<ChunkTotal*>(data);
  part->sum = std::accumulate(part->z, part->z + part->length, 0.0);
}

// The sum of all elements of z, added up chunk by chunk as they come, under the copies of others.
double total_of(const Sum& sum, const Streams& streams) {
  std::vector<ChunkTotal> parts(static_cast<size_t>(sum.chunks));
  for (int c = 0; c < sum.chunks; ++c) {
    const Chunk chunk = chunk_of(sum, c);
    copy_in(sum, chunk, streams.of(c));
    add_up(sum, chunk, streams.of(c));
    copy_out(sum, chunk, streams.of(c));
    ChunkTotal* const part = &parts[static_cast<size_t>(c)];
    *part = {sum.z + chunk.begin, chunk.length, 0.0};
    CUDA_CHECK(cudaLaunchHostFunc(streams.of(c), add_on_host, part));
  }
  streams.wait();  // for the host functions, too: `parts` may go only now
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double total, const ChunkTotal& part) { return total + part.sum; });
}

// To ask and not to wait: how often the host could do something else before all was done. To
// synchronise would have been one call, and no work in the meantime.
long polls_until_done(const Sum& sum, const Streams& streams) {
  cudaEvent_t done = nullptr;
  CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  for (int c = 0; c < sum.chunks; ++c) {
    const Chunk chunk = chunk_of(sum, c);
    copy_in(sum, chunk, streams.of(0));
    add_up(sum, chunk, streams.of(0));
    copy_out(sum, chunk, streams.of(0));
  }
  CUDA_CHECK(cudaEventRecord(done, streams.of(0)));
  long polls = 0;
  cudaError_t answer = cudaEventQuery(done);
  while (answer == cudaErrorNotReady) {  // an answer, not an error
    ++polls;
    answer = cudaEventQuery(done);
  }
  CUDA_CHECK(answer);
  static_cast<void>(cudaGetLastError());  // which remembers the answer: the next check would throw
  CUDA_CHECK(cudaEventDestroy(done));
  return polls;
}
