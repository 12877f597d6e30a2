// Chapter 15, fifth lesson: what the host does meanwhile. A host function is work in a stream, like
// a kernel, but one of CUDA's threads runs it on the CPU.
#pragma once

#include <numeric>

#include "pipeline.hpp"

// A host function's argument: it gets one pointer, to something that must exist until it has run.
struct ChunkTotal {
  const float* z;
  size_t length;
  double sum;
};

// It must be short: while it runs, its stream is blocked, and other host functions may wait. It
// must not call CUDA at all, not even to query, and must not wait for anything that waits for the
// device: the device may be waiting for it.
void CUDART_CB add_on_host(void* data) {
  auto* const part = static_cast<ChunkTotal*>(data);
  part->sum = std::accumulate(part->z, part->z + part->length, 0.0);
}

// The sum of all of z, added up chunk by chunk as the chunks arrive, during the others' copies.
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
  streams.wait();  // also for the host functions: only then may `parts` be destroyed
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double total, const ChunkTotal& part) { return total + part.sum; });
}

// To poll instead of waiting: how often the host could do something else before all was done.
// Synchronising would be a single call, with no work in the meantime.
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
  static_cast<void>(cudaGetLastError());  // it still holds that answer: the next check would throw
  CUDA_CHECK(cudaEventDestroy(done));
  return polls;
}
