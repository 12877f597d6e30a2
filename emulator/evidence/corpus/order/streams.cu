// Two streams use the same memory, and nothing orders them.
#include "fixture.hpp"

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void add(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}

// The host reads what a stream has left, once all is done.
static int first_of(const int* x) {
  int value = -1;
  cudaDeviceSynchronize();
  cudaMemcpy(&value, x, sizeof(value), cudaMemcpyDeviceToHost);
  return value;
}

// case: kernel_reads_kernel
// bug: unordered
// where: add<<<1, n, 0, t.other>>>(t.y, t.x)
// mend: cudaStreamWaitEvent(other, event) before the launch of add
static bool kernel_reads_kernel(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  return true;
}
// case: kernel_waits_for_kernel
// correct
static bool kernel_waits_for_kernel(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  return first_of(t.y) == 7;
}

// case: kernel_before_its_input
// bug: unordered
// where: cudaMemcpyAsync(t.x, t.pinned
// mend: after the copy
static bool kernel_before_its_input(Fixture& t) {
  cudaMemcpyAsync(t.x, t.pinned, bytes, cudaMemcpyHostToDevice, t.one);
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  return true;
}
// case: kernel_behind_its_input
// correct
static bool kernel_behind_its_input(Fixture& t) {
  t.pinned[0] = 3;
  cudaMemcpyAsync(t.x, t.pinned, bytes, cudaMemcpyHostToDevice, t.one);
  add<<<1, n, 0, t.one>>>(t.y, t.x);
  return first_of(t.y) == 3;
}

// case: copy_of_half_a_result
// bug: unordered
// where: cudaMemcpyAsync(t.pinned, t.x
// mend: before the copy
static bool copy_of_half_a_result(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.other);
  return true;
}
// case: copy_of_a_result
// correct
static bool copy_of_a_result(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  cudaStreamSynchronize(t.one);
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.other);
  cudaStreamSynchronize(t.other);
  return t.pinned[0] == 7;
}

// case: apart_from_the_default_stream
// bug: unordered
// where: add<<<1, n, 0, t.apart>>>(t.y, t.x)
// mend: cudaStreamNonBlocking
static bool apart_from_the_default_stream(Fixture& t) {
  fill<<<1, n>>>(t.x, 7);
  add<<<1, n, 0, t.apart>>>(t.y, t.x);
  return true;
}
// case: by_way_of_the_default_stream
// correct
static bool by_way_of_the_default_stream(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 7);
  add<<<1, n>>>(t.y, t.x);
  add<<<1, n, 0, t.other>>>(t.x, t.y);
  return first_of(t.x) == 14;
}

// case: memset_beside_a_kernel
// bug: unordered
// where: cudaMemsetAsync(t.x
// mend: cudaMemset
static bool memset_beside_a_kernel(Fixture& t) {
  cudaMemsetAsync(t.x, 0, bytes, t.one);
  fill<<<1, n, 0, t.other>>>(t.x, 7);
  return true;
}
// case: plain_memset_before_a_kernel
// correct
static bool plain_memset_before_a_kernel(Fixture& t) {
  cudaMemset(t.x, 0, bytes);
  fill<<<1, n, 0, t.other>>>(t.x, 7);
  return first_of(t.x) == 7;
}

// case: plain_memset_is_no_wait
// bug: unordered
// where: cudaMemset(t.y, 0, bytes)
// mend: cudaStreamNonBlocking
static bool plain_memset_is_no_wait(Fixture& t) {
  cudaMemset(t.y, 0, bytes);
  fill<<<1, n, 0, t.apart>>>(t.y, 7);
  return true;
}
// case: plain_copy_is_a_wait
// correct
static bool plain_copy_is_a_wait(Fixture& t) {
  t.pinned[0] = 4;
  cudaMemcpy(t.x, t.pinned, bytes, cudaMemcpyHostToDevice);
  add<<<1, n, 0, t.apart>>>(t.y, t.x);
  return first_of(t.y) == 4;
}

// case: plain_copy_of_pageable_memory
// bug: unordered
// where: cudaMemcpy(t.z, values, bytes, cudaMemcpyHostToDevice)
// mend: cudaStreamNonBlocking
static bool plain_copy_of_pageable_memory(Fixture& t) {
  const int values[n] = {};
  cudaMemcpy(t.z, values, bytes, cudaMemcpyHostToDevice);  // returns once it has the values
  add<<<1, n, 0, t.apart>>>(t.y, t.z);
  return true;
}
// case: plain_copy_and_a_blocking_stream
// correct
static bool plain_copy_and_a_blocking_stream(Fixture& t) {
  const int values[n] = {4};
  cudaMemcpy(t.z, values, bytes, cudaMemcpyHostToDevice);
  add<<<1, n, 0, t.one>>>(t.y, t.z);
  return first_of(t.y) == 4;
}

// case: plain_copy_within_the_device
// bug: unordered
// where: cudaMemcpy(t.x, t.y, bytes, cudaMemcpyDeviceToDevice)
// mend: after the copy
static bool plain_copy_within_the_device(Fixture& t) {
  cudaMemcpy(t.x, t.y, bytes, cudaMemcpyDeviceToDevice);
  fill<<<1, n, 0, t.apart>>>(t.x, 7);
  return true;
}
// case: copy_within_the_device_waited_for
// correct
static bool copy_within_the_device_waited_for(Fixture& t) {
  cudaMemcpy(t.x, t.y, bytes, cudaMemcpyDeviceToDevice);
  cudaStreamSynchronize(nullptr);
  fill<<<1, n, 0, t.apart>>>(t.x, 7);
  return first_of(t.x) == 7;
}

// case: event_before_the_kernel
// bug: unordered
// where: fill<<<1, n, 0, t.one>>>(t.x, 8)
// mend: after the launch of fill
static bool event_before_the_kernel(Fixture& t) {
  cudaEventRecord(t.event, t.one);
  fill<<<1, n, 0, t.one>>>(t.x, 8);
  cudaStreamWaitEvent(t.other, t.event);
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  return true;
}
// case: event_of_the_last_round
// correct
static bool event_of_the_last_round(Fixture& t) {
  for (int round = 1; round < 4; ++round) {
    fill<<<1, n, 0, t.one>>>(t.x, round);
    cudaEventRecord(t.event, t.one);
    cudaStreamWaitEvent(t.other, t.event);
    add<<<1, n, 0, t.other>>>(t.y, t.x);
    cudaEventRecord(t.event2, t.other);
    cudaStreamWaitEvent(t.one, t.event2);
  }
  return first_of(t.y) == 6;
}

// case: no_way_back
// bug: unordered
// where: fill<<<1, n, 0, t.one>>>(t.x, round)
// mend: before the launch of fill
static bool no_way_back(Fixture& t) {
  for (int round = 0; round < 3; ++round) {
    fill<<<1, n, 0, t.one>>>(t.x, round);
    cudaEventRecord(t.event, t.one);
    cudaStreamWaitEvent(t.other, t.event);
    add<<<1, n, 0, t.other>>>(t.y, t.x);
  }
  return true;
}
// case: two_buffers_in_turn
// correct
static bool two_buffers_in_turn(Fixture& t) {
  int* const buffers[] = {t.x, t.z};
  for (int round = 0; round < 2; ++round) {
    fill<<<1, n, 0, t.one>>>(buffers[round], 2);
    cudaEventRecord(t.event, t.one);
    cudaStreamWaitEvent(t.other, t.event);
    add<<<1, n, 0, t.other>>>(t.y, buffers[round]);
  }
  return first_of(t.y) == 4;
}

// case: the_wrong_stream_waits
// bug: unordered
// where: add<<<1, n, 0, t.other>>>(t.z, t.x)
// mend: cudaStreamWaitEvent
static bool the_wrong_stream_waits(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 8);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.apart, t.event);
  add<<<1, n, 0, t.other>>>(t.z, t.x);
  return true;
}
// case: a_chain_of_three
// correct
static bool a_chain_of_three(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 8);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.apart, t.event);
  cudaEventRecord(t.event2, t.apart);
  cudaStreamWaitEvent(t.other, t.event2);
  add<<<1, n, 0, t.other>>>(t.z, t.x);
  return first_of(t.z) == 8;
}

// case: event_recorded_anew
// bug: unordered
// where: add<<<1, n, 0, t.apart>>>(t.z, t.x)
// mend: cudaEventRecord(event, stream) after the launch of fill
static bool event_recorded_anew(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 8);
  cudaEventRecord(t.event, t.one);
  cudaEventRecord(t.event, t.other);
  cudaStreamWaitEvent(t.apart, t.event);
  add<<<1, n, 0, t.apart>>>(t.z, t.x);
  return true;
}
// case: event_recorded_anew_later
// correct
static bool event_recorded_anew_later(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.x, 8);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.apart, t.event);
  cudaEventRecord(t.event, t.other);
  add<<<1, n, 0, t.apart>>>(t.z, t.x);
  return first_of(t.z) == 8;
}

// case: one_of_two_readers
// bug: unordered
// where: add<<<1, n, 0, t.one>>>(t.y, t.x)
// mend: after the launch of add
static bool one_of_two_readers(Fixture& t) {
  add<<<1, n, 0, t.one>>>(t.y, t.x);
  add<<<1, n, 0, t.other>>>(t.z, t.x);
  cudaEventRecord(t.event, t.other);
  cudaStreamWaitEvent(t.apart, t.event);
  fill<<<1, n, 0, t.apart>>>(t.x, 8);
  return true;
}
// case: both_readers
// correct
static bool both_readers(Fixture& t) {
  add<<<1, n, 0, t.one>>>(t.y, t.x);
  add<<<1, n, 0, t.other>>>(t.z, t.x);
  cudaEventRecord(t.event, t.other);
  cudaStreamWaitEvent(t.apart, t.event);
  cudaEventRecord(t.event2, t.one);
  cudaStreamWaitEvent(t.apart, t.event2);
  fill<<<1, n, 0, t.apart>>>(t.x, 8);
  return first_of(t.y) == 0;
}

static bool run_captured(Fixture& t, bool waits) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t launched = nullptr;
  cudaStreamBeginCapture(t.one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  fill<<<1, n, 0, t.one>>>(t.x, 5);
  cudaEventRecord(t.event2, t.one);
  if (waits) cudaStreamWaitEvent(t.other, t.event2);
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  cudaEventRecord(t.event, t.other);
  cudaStreamWaitEvent(t.one, t.event);
  cudaStreamEndCapture(t.one, &graph);
  cudaGraphInstantiate(&launched, graph, 0);
  cudaGraphLaunch(launched, t.one);
  cudaStreamSynchronize(t.one);
  const bool right = !waits || first_of(t.y) == 5;
  cudaGraphExecDestroy(launched);
  cudaGraphDestroy(graph);
  return right;
}

// case: captured_without_a_wait
// bug: unordered
// where: return run_captured(t, false)
// mend: if streams are captured
static bool captured_without_a_wait(Fixture& t) {
  return run_captured(t, false);
}
// case: captured_with_a_wait
// correct
static bool captured_with_a_wait(Fixture& t) {
  return run_captured(t, true);
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(kernel_reads_kernel),
      PROGRAM(kernel_waits_for_kernel),
      PROGRAM(kernel_before_its_input),
      PROGRAM(kernel_behind_its_input),
      PROGRAM(copy_of_half_a_result),
      PROGRAM(copy_of_a_result),
      PROGRAM(apart_from_the_default_stream),
      PROGRAM(by_way_of_the_default_stream),
      PROGRAM(memset_beside_a_kernel),
      PROGRAM(plain_memset_before_a_kernel),
      PROGRAM(plain_memset_is_no_wait),
      PROGRAM(plain_copy_is_a_wait),
      PROGRAM(plain_copy_of_pageable_memory),
      PROGRAM(plain_copy_and_a_blocking_stream),
      PROGRAM(plain_copy_within_the_device),
      PROGRAM(copy_within_the_device_waited_for),
      PROGRAM(event_before_the_kernel),
      PROGRAM(event_of_the_last_round),
      PROGRAM(no_way_back),
      PROGRAM(two_buffers_in_turn),
      PROGRAM(the_wrong_stream_waits),
      PROGRAM(a_chain_of_three),
      PROGRAM(event_recorded_anew),
      PROGRAM(event_recorded_anew_later),
      PROGRAM(one_of_two_readers),
      PROGRAM(both_readers),
      PROGRAM(captured_without_a_wait),
      PROGRAM(captured_with_a_wait),
  };
  return run(argc, argv, programs);
}
