// The host uses memory while a kernel or a copy may still be at it.
#include <vector>

#include "fixture.hpp"

__managed__ int counter = 0;

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void add(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}
__global__ void count() {
  atomicAdd(&counter, 1);
}

// case: managed_read_at_once
// bug: unordered
// where: return t.managed[3] == 7
// mend: cudaDeviceSynchronize()
static bool managed_read_at_once(Fixture& t) {
  fill<<<1, n>>>(t.managed, 7);
  return t.managed[3] == 7;
}
// case: managed_read_after_wait
// correct
static bool managed_read_after_wait(Fixture& t) {
  fill<<<1, n>>>(t.managed, 7);
  cudaDeviceSynchronize();
  return t.managed[3] == 7;
}

// case: managed_changed_for_the_next
// bug: unordered
// where: t.managed[3] = 8
// mend: cudaStreamSynchronize(stream)
static bool managed_changed_for_the_next(Fixture& t) {
  add<<<1, n, 0, t.one>>>(t.x, t.managed);
  t.managed[3] = 8;
  add<<<1, n, 0, t.one>>>(t.x, t.managed);
  return true;
}
// case: managed_only_read
// correct
static bool managed_only_read(Fixture& t) {
  t.managed[3] = 8;
  add<<<1, n, 0, t.one>>>(t.x, t.managed);
  return t.managed[3] == 8;
}

// case: copy_read_at_once
// bug: unordered
// where: return t.pinned[5] == 0
// mend: cudaStreamSynchronize(stream)
static bool copy_read_at_once(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  return t.pinned[5] == 0;
}
// case: copy_read_after_wait
// correct
static bool copy_read_after_wait(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaStreamSynchronize(t.one);
  return t.pinned[5] == 0;
}

// case: source_overwritten
// bug: unordered
// where: t.pinned[i] = i
// mend: before the host writes
static bool source_overwritten(Fixture& t) {
  cudaMemcpyAsync(t.x, t.pinned, bytes, cudaMemcpyHostToDevice, t.one);
  for (int i = 0; i < n; ++i) t.pinned[i] = i;
  return true;
}
// case: other_half_overwritten
// correct
static bool other_half_overwritten(Fixture& t) {
  cudaMemcpyAsync(t.x, t.pinned, bytes / 2, cudaMemcpyHostToDevice, t.one);
  for (int i = n / 2; i < n; ++i) t.pinned[i] = i;
  return true;
}

// case: wrong_stream
// bug: unordered
// where: return t.pinned[0] == 0
// mend: after the copy
static bool wrong_stream(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaStreamSynchronize(t.other);
  return t.pinned[0] == 0;
}
// case: wait_for_default_stream
// correct
static bool wait_for_default_stream(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaStreamSynchronize(nullptr);
  return t.pinned[0] == 0;
}

// case: default_stream_does_not_help
// bug: unordered
// where: return t.pinned[1] == 0
// mend: cudaStreamSynchronize(stream)
static bool default_stream_does_not_help(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.apart);
  cudaStreamSynchronize(nullptr);
  return t.pinned[1] == 0;
}
// case: wait_for_all
// correct
static bool wait_for_all(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.apart);
  cudaDeviceSynchronize();
  return t.pinned[1] == 0;
}

// case: event_before_copy
// bug: unordered
// where: return t.pinned[2] == 0
// mend: after the copy
static bool event_before_copy(Fixture& t) {
  cudaEventRecord(t.event, t.one);
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaEventSynchronize(t.event);
  return t.pinned[2] == 0;
}
// case: event_behind_copy
// correct
static bool event_behind_copy(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaEventRecord(t.event, t.one);
  cudaEventSynchronize(t.event);
  return t.pinned[2] == 0;
}

// case: only_the_stream_waits
// bug: unordered
// where: return t.pinned[4] == 0
// mend: cudaStreamSynchronize(stream)
static bool only_the_stream_waits(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  return t.pinned[4] == 0;
}
// case: host_waits_for_the_waiting_stream
// correct
static bool host_waits_for_the_waiting_stream(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaEventRecord(t.event, t.one);
  cudaStreamWaitEvent(t.other, t.event);
  cudaStreamSynchronize(t.other);
  return t.pinned[4] == 0;
}

// case: zero_copy_result
// bug: unordered
// where: return t.pinned[0] == 7
// mend: launch of fill
static bool zero_copy_result(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.pinned, 7);
  return t.pinned[0] == 7;
}
// case: zero_copy_polled
// correct
static bool zero_copy_polled(Fixture& t) {
  fill<<<1, n, 0, t.one>>>(t.pinned, 7);
  while (cudaStreamQuery(t.one) == cudaErrorNotReady) {
  }
  return t.pinned[0] == 7;
}

// case: memset_of_the_host
// bug: unordered
// where: std::memset(t.pinned
// mend: before the host writes
static bool memset_of_the_host(Fixture& t) {
  cudaMemcpyAsync(t.x, t.pinned, bytes, cudaMemcpyHostToDevice, t.one);
  std::memset(t.pinned, 1, bytes);
  return true;
}
// case: memset_of_the_stream
// correct
static bool memset_of_the_stream(Fixture& t) {
  cudaMemcpyAsync(t.x, t.managed, bytes, cudaMemcpyDefault, t.one);
  cudaMemsetAsync(t.managed, 1, bytes, t.one);
  cudaStreamSynchronize(t.one);
  return t.managed[0] == 0x01010101;
}

// case: memcpy_of_the_host
// bug: unordered
// where: std::memcpy(values
// mend: before the host reads
static bool memcpy_of_the_host(Fixture& t) {
  int values[n];
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  std::memcpy(values, t.pinned, bytes);
  return values[0] == 0;
}
// case: stack_is_pageable
// correct
static bool stack_is_pageable(Fixture& t) {
  int values[n];
  cudaMemcpyAsync(values, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  return values[0] == 0;  // from pageable memory and to it, the call waits
}

// case: registered_read_at_once
// bug: unordered
// where: right = values[9]
// mend: cudaStreamSynchronize(stream)
static bool registered_read_at_once(Fixture& t) {
  std::vector<int> values(n);
  cudaHostRegister(values.data(), bytes, cudaHostRegisterDefault);
  cudaMemcpyAsync(values.data(), t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  const bool right = values[9] == 0;
  cudaStreamSynchronize(t.one);
  cudaHostUnregister(values.data());
  return right;
}
// case: registered_read_after_wait
// correct
static bool registered_read_after_wait(Fixture& t) {
  std::vector<int> values(n);
  cudaHostRegister(values.data(), bytes, cudaHostRegisterDefault);
  cudaMemcpyAsync(values.data(), t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaStreamSynchronize(t.one);
  const bool right = values[9] == 0;
  cudaHostUnregister(values.data());
  values[9] = 1;
  return right;
}

// case: host_function_read_at_once
// bug: unordered
// where: return t.pinned[6] == 6
// mend: after the host function
static bool host_function_read_at_once(Fixture& t) {
  const auto set = [](void* data) { static_cast<int*>(data)[6] = 6; };
  cudaLaunchHostFunc(t.one, set, t.pinned);
  return t.pinned[6] == 6;
}
// case: host_function_after_copy
// correct
static bool host_function_after_copy(Fixture& t) {
  const auto set = [](void* data) { static_cast<int*>(data)[6] += 6; };
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaLaunchHostFunc(t.one, set, t.pinned);
  cudaStreamSynchronize(t.one);
  return t.pinned[6] == 6;
}

// case: managed_variable
// bug: unordered
// where: return counter == n
// mend: launch of count
static bool managed_variable(Fixture&) {
  count<<<1, n>>>();
  return counter == n;
}
// case: managed_variable_waited_for
// correct
static bool managed_variable_waited_for(Fixture&) {
  count<<<1, n>>>();
  cudaDeviceSynchronize();
  return counter == n;
}

// case: one_staging_buffer
// bug: unordered
// where: t.pinned[0] = round
// mend: before the host writes
static bool one_staging_buffer(Fixture& t) {
  for (int round = 0; round < 3; ++round) {
    t.pinned[0] = round;
    cudaMemcpyAsync(t.x + round, t.pinned, 4, cudaMemcpyHostToDevice, t.one);
  }
  return true;
}
// case: two_staging_buffers
// correct
static bool two_staging_buffers(Fixture& t) {
  const cudaEvent_t events[] = {t.event, t.event2};
  for (int round = 0; round < 5; ++round) {
    if (round > 1) cudaEventSynchronize(events[round % 2]);
    t.pinned[round % 2] = round;
    cudaMemcpyAsync(t.x + round, t.pinned + round % 2, 4, cudaMemcpyHostToDevice, t.one);
    cudaEventRecord(events[round % 2], t.one);
  }
  return true;
}

// case: destroying_is_no_wait
// bug: unordered
// where: return t.pinned[8] == 0
// mend: cudaStreamSynchronize(stream)
static bool destroying_is_no_wait(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaStreamDestroy(t.one);
  t.one = nullptr;
  return t.pinned[8] == 0;
}
// case: freeing_is_a_wait
// correct
static bool freeing_is_a_wait(Fixture& t) {
  cudaMemcpyAsync(t.pinned, t.x, bytes, cudaMemcpyDeviceToHost, t.one);
  cudaFree(t.x);
  t.x = nullptr;
  return t.pinned[8] == 0;
}

// case: one_byte_too_many
// bug: unordered
// where: letters[16] = 'x'
// mend: before the host writes
static bool one_byte_too_many(Fixture& t) {
  char* const letters = reinterpret_cast<char*>(t.pinned);
  cudaMemcpyAsync(t.x, letters, 17, cudaMemcpyHostToDevice, t.one);
  letters[16] = 'x';
  return true;
}
// case: neighbouring_bytes
// correct
static bool neighbouring_bytes(Fixture& t) {
  char* const letters = reinterpret_cast<char*>(t.pinned);
  cudaMemcpyAsync(t.x, letters, 17, cudaMemcpyHostToDevice, t.one);
  letters[17] = 'x';
  return true;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(managed_read_at_once),
      PROGRAM(managed_read_after_wait),
      PROGRAM(managed_changed_for_the_next),
      PROGRAM(managed_only_read),
      PROGRAM(copy_read_at_once),
      PROGRAM(copy_read_after_wait),
      PROGRAM(source_overwritten),
      PROGRAM(other_half_overwritten),
      PROGRAM(wrong_stream),
      PROGRAM(wait_for_default_stream),
      PROGRAM(default_stream_does_not_help),
      PROGRAM(wait_for_all),
      PROGRAM(event_before_copy),
      PROGRAM(event_behind_copy),
      PROGRAM(only_the_stream_waits),
      PROGRAM(host_waits_for_the_waiting_stream),
      PROGRAM(zero_copy_result),
      PROGRAM(zero_copy_polled),
      PROGRAM(memset_of_the_host),
      PROGRAM(memset_of_the_stream),
      PROGRAM(memcpy_of_the_host),
      PROGRAM(stack_is_pageable),
      PROGRAM(registered_read_at_once),
      PROGRAM(registered_read_after_wait),
      PROGRAM(host_function_read_at_once),
      PROGRAM(host_function_after_copy),
      PROGRAM(managed_variable),
      PROGRAM(managed_variable_waited_for),
      PROGRAM(one_staging_buffer),
      PROGRAM(two_staging_buffers),
      PROGRAM(destroying_is_no_wait),
      PROGRAM(freeing_is_a_wait),
      PROGRAM(one_byte_too_many),
      PROGRAM(neighbouring_bytes),
  };
  return run(argc, argv, programs);
}
