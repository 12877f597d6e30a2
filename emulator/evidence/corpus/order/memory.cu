// Memory that is freed, or serves again, while work on it may run; and memory and events that do
// not do what they seem to.
#include <vector>

#include "fixture.hpp"

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void add(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}

static int* allocate(cudaStream_t stream) {
  int* made = nullptr;
  cudaMallocAsync(&made, bytes, stream);
  return made;
}

// case: freed_in_another_stream
// bug: freed-in-use
// where: cudaFreeAsync(made, t.other)
// mend: cudaStreamWaitEvent(other, event) before the memory is freed
static bool freed_in_another_stream(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(made, 7);
  cudaFreeAsync(made, t.other);
  return true;
}
// case: freed_in_its_stream
// correct
static bool freed_in_its_stream(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(made, 7);
  cudaFreeAsync(made, t.one);
  return true;
}

// case: used_after_it_was_freed
// bug: use-after-free
// where: cudaFreeAsync(gone, t.one)
// mend: free it after the last kernel
static bool used_after_it_was_freed(Fixture& t) {
  int* const gone = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(gone, 7);
  cudaFreeAsync(gone, t.one);
  fill<<<1, n, 0, t.other>>>(gone, 8);
  return true;
}
// case: freed_twice_in_turn
// correct
static bool freed_twice_in_turn(Fixture& t) {
  for (cudaStream_t stream : {t.one, t.other}) {
    int* const made = allocate(stream);
    fill<<<1, n, 0, stream>>>(made, 8);
    cudaFreeAsync(made, stream);
  }
  return true;
}

// case: freed_beside_a_copy
// bug: freed-in-use
// where: cudaMemcpyAsync(t.pinned, made
// mend: after the copy
static bool freed_beside_a_copy(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(made, 7);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  cudaMemcpyAsync(t.pinned, made, bytes, cudaMemcpyDeviceToHost, t.other);
  cudaFreeAsync(made, t.one);
  return true;
}
// case: freed_behind_a_copy
// correct
static bool freed_behind_a_copy(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(made, 7);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  cudaMemcpyAsync(t.pinned, made, bytes, cudaMemcpyDeviceToHost, t.other);
  cudaEventRecord(t.event2, t.other);
  cudaStreamWaitEvent(t.one, t.event2);
  cudaFreeAsync(made, t.one);
  return true;
}

// case: freed_at_once
// bug: freed-in-use
// where: cudaFree(made)
// mend: cudaStreamSynchronize(stream)
static bool freed_at_once(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(made, 7);
  cudaFree(made);  // which waits only for what cudaMalloc() allocates
  return true;
}
// case: freed_after_wait
// correct
static bool freed_after_wait(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.one>>>(made, 7);
  cudaStreamSynchronize(t.one);
  cudaFree(made);
  return true;
}

// case: pinned_given_back
// bug: freed-in-use
// where: cudaFreeHost(t.pinned)
// mend: before cudaFreeHost()
static bool pinned_given_back(Fixture& t) {
  cudaMemcpyAsync(t.x, t.pinned, bytes, cudaMemcpyHostToDevice, t.one);
  cudaFreeHost(t.pinned);
  t.pinned = nullptr;
  return true;
}
// case: pinned_given_back_after_wait
// correct
static bool pinned_given_back_after_wait(Fixture& t) {
  cudaMemcpyAsync(t.x, t.pinned, bytes, cudaMemcpyHostToDevice, t.one);
  cudaStreamSynchronize(t.one);
  cudaFreeHost(t.pinned);
  t.pinned = nullptr;
  return true;
}

// case: unregistered_at_once
// bug: freed-in-use
// where: cudaHostUnregister(values.data())
// mend: before cudaHostUnregister()
static bool unregistered_at_once(Fixture& t) {
  std::vector<int> values(n);
  cudaHostRegister(values.data(), bytes, cudaHostRegisterDefault);
  cudaMemcpyAsync(t.x, values.data(), bytes, cudaMemcpyHostToDevice, t.one);
  cudaHostUnregister(values.data());
  return true;
}
// case: unregistered_after_wait
// correct
static bool unregistered_after_wait(Fixture& t) {
  std::vector<int> values(n);
  cudaHostRegister(values.data(), bytes, cudaHostRegisterDefault);
  cudaMemcpyAsync(t.x, values.data(), bytes, cudaMemcpyHostToDevice, t.one);
  cudaEventRecord(t.event, t.one);
  cudaEventSynchronize(t.event);
  cudaHostUnregister(values.data());
  return true;
}

// case: used_before_it_is_there
// bug: unordered
// where: int* const made = allocate(t.one)
// mend: after the allocation
static bool used_before_it_is_there(Fixture& t) {
  int* const made = allocate(t.one);
  fill<<<1, n, 0, t.other>>>(made, 7);
  cudaStreamSynchronize(t.other);
  cudaFreeAsync(made, t.other);
  return true;
}
// case: used_behind_the_allocation
// correct
static bool used_behind_the_allocation(Fixture& t) {
  int* const made = allocate(t.one);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  fill<<<1, n, 0, t.other>>>(made, 7);
  cudaFreeAsync(made, t.other);
  return true;
}

// case: own_pool_without_events
// bug: unordered
// where: fill<<<1, n, 0, t.other>>>(free_ones.back(), 2)
// mend: cudaEventRecord(event, stream) after the launch of add
static bool own_pool_without_events(Fixture& t) {
  std::vector<int*> free_ones{t.x};
  int* const taken = free_ones.back();
  free_ones.pop_back();
  add<<<1, n, 0, t.one>>>(t.y, taken);
  free_ones.push_back(taken);
  fill<<<1, n, 0, t.other>>>(free_ones.back(), 2);
  return true;
}
// case: own_pool_with_events
// correct
static bool own_pool_with_events(Fixture& t) {
  std::vector<int*> free_ones{t.x};
  int* const taken = free_ones.back();
  free_ones.pop_back();
  add<<<1, n, 0, t.one>>>(t.y, taken);
  cudaEventRecord(t.event, t.one);
  free_ones.push_back(taken);
  cudaStreamWaitEvent(t.other, t.event);
  fill<<<1, n, 0, t.other>>>(free_ones.back(), 2);
  return true;
}

// case: stream_waits_for_nothing
// bug: unrecorded-event
// severity: warning
// where: cudaStreamWaitEvent(t.other, t.event)
// mend: cudaEventRecord(event, stream)
static bool stream_waits_for_nothing(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaStreamWaitEvent(t.other, t.event);
  cudaEventRecord(t.event, t.one);
  return true;
}
// case: stream_waits_for_something
// correct
static bool stream_waits_for_something(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  return true;
}

// case: host_waits_for_nothing
// bug: unrecorded-event
// severity: warning
// where: cudaEventSynchronize(t.event2)
// mend: first
static bool host_waits_for_nothing(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaEventRecord(t.event, t.one);
  cudaEventSynchronize(t.event2);
  return true;
}
// case: host_waits_twice
// correct
static bool host_waits_twice(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaEventRecord(t.event, t.one);
  cudaEventSynchronize(t.event);
  cudaEventSynchronize(t.event);
  return true;
}

// case: overlap_lost
// bug: pageable-copy
// severity: warning
// where: cudaMemcpyAsync(t.y, values.data()
// mend: cudaMallocHost()
static bool overlap_lost(Fixture& t) {
  const std::vector<int> values(n);
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaMemcpyAsync(t.y, values.data(), bytes, cudaMemcpyHostToDevice, t.other);
  return true;
}
// case: nothing_to_overlap
// correct
static bool nothing_to_overlap(Fixture& t) {
  const std::vector<int> values(n);
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaMemcpyAsync(t.y, values.data(), bytes, cudaMemcpyHostToDevice, t.one);
  return true;
}

// case: result_to_the_stack
// bug: pageable-copy
// severity: warning
// where: cudaMemcpyAsync(values, t.y
// mend: cudaHostRegister()
static bool result_to_the_stack(Fixture& t) {
  int values[n];
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaMemcpyAsync(values, t.y, bytes, cudaMemcpyDeviceToHost, t.other);
  return values[0] == 0;
}
// case: result_to_pinned_memory
// correct
static bool result_to_pinned_memory(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaMemcpyAsync(t.pinned, t.y, bytes, cudaMemcpyDeviceToHost, t.other);
  cudaStreamSynchronize(t.other);
  return t.pinned[0] == 0;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(freed_in_another_stream),
      PROGRAM(freed_in_its_stream),
      PROGRAM(used_after_it_was_freed),
      PROGRAM(freed_twice_in_turn),
      PROGRAM(freed_beside_a_copy),
      PROGRAM(freed_behind_a_copy),
      PROGRAM(freed_at_once),
      PROGRAM(freed_after_wait),
      PROGRAM(pinned_given_back),
      PROGRAM(pinned_given_back_after_wait),
      PROGRAM(unregistered_at_once),
      PROGRAM(unregistered_after_wait),
      PROGRAM(used_before_it_is_there),
      PROGRAM(used_behind_the_allocation),
      PROGRAM(own_pool_without_events),
      PROGRAM(own_pool_with_events),
      PROGRAM(stream_waits_for_nothing),
      PROGRAM(stream_waits_for_something),
      PROGRAM(host_waits_for_nothing),
      PROGRAM(host_waits_twice),
      PROGRAM(overlap_lost),
      PROGRAM(nothing_to_overlap),
      PROGRAM(result_to_the_stack),
      PROGRAM(result_to_pinned_memory),
  };
  return run(argc, argv, programs);
}
