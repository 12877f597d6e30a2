// One device's memory is freed, while another device may use it.
#include "fixture.hpp"

// case: freed_while_a_peer_reads
// bug: freed-in-use
// where: cudaFree(shared);
// mend: after the launch of add
static bool freed_while_a_peer_reads(Fixture& t) {
  t.join();
  int* shared = nullptr;
  cudaMalloc(&shared, bytes);
  cudaMemset(shared, 0, bytes);
  cudaDeviceSynchronize();
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, shared);
  t.a.use();
  cudaFree(shared);
  return true;
}

// case: freed_once_the_peer_has_read
// correct
static bool freed_once_the_peer_has_read(Fixture& t) {
  t.join();
  int* shared = nullptr;
  cudaMalloc(&shared, bytes);
  cudaMemset(shared, 0, bytes);
  cudaDeviceSynchronize();
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, shared);
  cudaStreamSynchronize(t.b.stream);
  t.a.use();
  cudaFree(shared);
  return t.first_of(t.b.y) == 0;
}

// case: freed_in_one_stream
// bug: freed-in-use
// where: cudaFreeAsync(shared, t.a.stream);
static bool freed_in_one_stream(Fixture& t) {
  int* shared = nullptr;
  cudaMallocAsync(&shared, bytes, t.a.stream);
  cudaMemsetAsync(shared, 0, bytes, t.a.stream);
  cudaStreamSynchronize(t.a.stream);
  cudaMemcpyPeerAsync(t.b.x, 1, shared, 0, bytes, t.b.stream);
  cudaFreeAsync(shared, t.a.stream);
  return true;
}

// case: freed_behind_the_other_stream
// correct
static bool freed_behind_the_other_stream(Fixture& t) {
  int* shared = nullptr;
  cudaMallocAsync(&shared, bytes, t.a.stream);
  cudaMemsetAsync(shared, 0, bytes, t.a.stream);
  cudaStreamSynchronize(t.a.stream);
  t.b.use();
  cudaMemcpyPeerAsync(t.b.x, 1, shared, 0, bytes, t.b.stream);
  cudaEventRecord(t.b.event, t.b.stream);
  cudaStreamWaitEvent(t.a.stream, t.b.event, 0);
  cudaFreeAsync(shared, t.a.stream);
  return t.first_of(t.b.x) == 0;
}

// case: freed_while_it_is_copied
// bug: freed-in-use
// where: cudaFree(shared);
// mend: after the copy
static bool freed_while_it_is_copied(Fixture& t) {
  int* shared = nullptr;
  cudaMalloc(&shared, bytes);
  cudaMemset(shared, 0, bytes);
  cudaDeviceSynchronize();
  cudaMemcpyPeerAsync(t.b.x, 1, shared, 0, bytes, t.b.stream);
  cudaFree(shared);
  return true;
}

// case: freed_behind_its_own_copy
// correct
static bool freed_behind_its_own_copy(Fixture& t) {
  int* shared = nullptr;
  cudaMalloc(&shared, bytes);
  cudaMemset(shared, 0, bytes);
  cudaDeviceSynchronize();
  cudaMemcpyPeerAsync(t.b.x, 1, shared, 0, bytes, t.a.stream);
  cudaFree(shared);
  return t.first_of(t.b.x) == 0;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(freed_while_a_peer_reads), PROGRAM(freed_once_the_peer_has_read),
      PROGRAM(freed_in_one_stream),      PROGRAM(freed_behind_the_other_stream),
      PROGRAM(freed_while_it_is_copied), PROGRAM(freed_behind_its_own_copy),
  };
  return run(argc, argv, programs);
}
