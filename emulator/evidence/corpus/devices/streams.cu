// Two devices use the same memory, and nothing orders them.
#include "fixture.hpp"

// case: kernel_reads_peer
// bug: unordered
// where: add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
// mend: cudaStreamWaitEvent
static bool kernel_reads_peer(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
  return true;
}

// case: kernel_waits_for_peer
// correct
static bool kernel_waits_for_peer(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
  return t.first_of(t.b.y) == 7;
}

// case: kernel_writes_peer
// bug: unordered
// where: add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
// mend: cudaStreamWaitEvent
static bool kernel_writes_peer(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.b.x, 7);
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
  return true;
}

// case: kernel_behind_peer_write
// correct
static bool kernel_behind_peer_write(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.b.x, 7);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
  return t.first_of(t.b.y) == 7;
}

// case: copy_of_half_a_result
// bug: unordered
// where: cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.b.stream);
// mend: before the copy
static bool copy_of_half_a_result(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.b.stream);
  return true;
}

// case: copy_in_the_streams_order
// correct
static bool copy_in_the_streams_order(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  return t.first_of(t.b.x) == 7;
}

// case: used_before_it_has_come
// bug: unordered
// where: add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
// mend: after the copy
static bool used_before_it_has_come(Fixture& t) {
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
  return true;
}

// case: used_once_it_has_come
// correct
static bool used_once_it_has_come(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 5);
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
  return t.first_of(t.b.y) == 5;
}

// case: overwritten_as_it_comes
// bug: unordered
// where: fill<<<1, n, 0, t.b.stream>>>(t.b.x, 3);
// mend: cudaStreamWaitEvent
static bool overwritten_as_it_comes(Fixture& t) {
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  t.b.use();
  fill<<<1, n, 0, t.b.stream>>>(t.b.x, 3);
  return true;
}

// case: overwritten_afterwards
// correct
static bool overwritten_afterwards(Fixture& t) {
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  cudaStreamSynchronize(t.a.stream);
  t.b.use();
  fill<<<1, n, 0, t.b.stream>>>(t.b.x, 3);
  return t.first_of(t.b.x) == 3;
}

// case: source_overwritten
// bug: unordered
// where: fill<<<1, n, 0, t.a.stream>>>(t.a.x, 8);
// mend: cudaStreamWaitEvent
static bool source_overwritten(Fixture& t) {
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.b.stream);
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 8);
  return true;
}

// case: source_kept_until_it_is_there
// correct
static bool source_kept_until_it_is_there(Fixture& t) {
  t.b.use();
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.b.stream);
  cudaEventRecord(t.b.event, t.b.stream);
  t.a.use();
  cudaStreamWaitEvent(t.a.stream, t.b.event, 0);
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 8);
  return t.first_of(t.b.x) == 0 && t.first_of(t.a.x) == 8;
}

// case: waited_for_the_wrong_device
// bug: unordered
// where: add<<<1, n>>>(t.b.y, t.a.x);
static bool waited_for_the_wrong_device(Fixture& t) {
  t.join();
  fill<<<1, n>>>(t.a.x, 7);
  t.b.use();
  cudaDeviceSynchronize();
  add<<<1, n>>>(t.b.y, t.a.x);
  return true;
}

// case: waited_for_the_right_device
// correct
static bool waited_for_the_right_device(Fixture& t) {
  t.join();
  fill<<<1, n>>>(t.a.x, 7);
  cudaDeviceSynchronize();
  t.b.use();
  add<<<1, n>>>(t.b.y, t.a.x);
  return t.first_of(t.b.y) == 7;
}

// case: event_recorded_too_early
// bug: unordered
// where: add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
static bool event_recorded_too_early(Fixture& t) {
  t.join();
  cudaEventRecord(t.a.event, t.a.stream);
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
  return true;
}

// case: event_recorded_anew
// correct
static bool event_recorded_anew(Fixture& t) {
  t.join();
  cudaEventRecord(t.a.event, t.a.stream);
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
  return t.first_of(t.b.y) == 7;
}

// case: another_stream_waits
// bug: unordered
// where: add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
static bool another_stream_waits(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  cudaEventRecord(t.a.event, t.a.stream);
  cudaStreamWaitEvent(t.a.stream, t.a.event, 0);
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
  return true;
}

// case: the_default_stream_waits
// correct
static bool the_default_stream_waits(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 7);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(nullptr, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.a.x);
  return t.first_of(t.b.y) == 7;
}

// case: two_default_streams
// bug: unordered
// where: add<<<1, n>>>(t.b.y, t.a.x);
// mend: cudaStreamWaitEvent
static bool two_default_streams(Fixture& t) {
  t.join();
  fill<<<1, n>>>(t.a.x, 7);
  t.b.use();
  add<<<1, n>>>(t.b.y, t.a.x);
  return true;
}

// case: two_default_streams_and_a_copy
// correct
static bool two_default_streams_and_a_copy(Fixture& t) {
  fill<<<1, n>>>(t.a.x, 7);
  cudaMemcpyPeer(t.b.x, 1, t.a.x, 0, bytes);
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.b.x);
  return t.first_of(t.b.y) == 7;
}

// case: host_waits_for_one_of_two
// bug: unordered
// where: return t.pinned[0] == 7;
// mend: with device 1 in use
static bool host_waits_for_one_of_two(Fixture& t) {
  t.b.use();
  fill<<<1, n>>>(t.pinned, 7);
  t.a.use();
  cudaDeviceSynchronize();
  return t.pinned[0] == 7;
}

// case: host_waits_for_both
// correct
static bool host_waits_for_both(Fixture& t) {
  t.b.use();
  fill<<<1, n>>>(t.pinned, 7);
  t.a.use();
  cudaDeviceSynchronize();
  t.b.use();
  cudaDeviceSynchronize();
  return t.pinned[0] == 7;
}

// case: halo_from_a_neighbour_at_work
// bug: unordered
// where: cudaMemcpyPeerAsync(t.a.y, 0, t.b.x, 1, sizeof(int), t.a.stream);
static bool halo_from_a_neighbour_at_work(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 1);
  t.b.use();
  fill<<<1, n, 0, t.b.stream>>>(t.b.x, 2);
  cudaMemcpyPeerAsync(t.a.y, 0, t.b.x, 1, sizeof(int), t.a.stream);
  return true;
}

// case: halo_from_a_neighbour_that_is_done
// correct
static bool halo_from_a_neighbour_that_is_done(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 1);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  fill<<<1, n, 0, t.b.stream>>>(t.b.x, 2);
  cudaEventRecord(t.b.event, t.b.stream);
  cudaStreamWaitEvent(t.a.stream, t.b.event, 0);
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  cudaMemcpyPeerAsync(t.a.y, 0, t.b.x, 1, sizeof(int), t.a.stream);
  cudaMemcpyPeerAsync(t.b.y, 1, t.a.x, 0, sizeof(int), t.b.stream);
  return t.first_of(t.a.y) == 2 && t.first_of(t.b.y) == 1;
}

// case: managed_by_two_devices
// bug: unordered
// where: add<<<1, n, 0, t.b.stream>>>(t.b.y, t.managed);
// mend: cudaStreamWaitEvent
static bool managed_by_two_devices(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.managed, 7);
  t.b.use();
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.managed);
  return true;
}

// case: managed_by_one_after_the_other
// correct
static bool managed_by_one_after_the_other(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.managed, 7);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  add<<<1, n, 0, t.b.stream>>>(t.b.y, t.managed);
  return t.first_of(t.b.y) == 7;
}

// case: ring_without_a_wait
// bug: unordered
// where: cudaMemcpyPeerAsync(t.a.y, 0, t.b.x, 1, bytes, t.b.stream);
// mend: cudaStreamWaitEvent
static bool ring_without_a_wait(Fixture& t) {
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  cudaMemcpyPeerAsync(t.a.y, 0, t.b.x, 1, bytes, t.b.stream);
  return true;
}

// case: ring_in_steps
// correct
static bool ring_in_steps(Fixture& t) {
  fill<<<1, n, 0, t.a.stream>>>(t.a.x, 4);
  cudaMemcpyPeerAsync(t.b.x, 1, t.a.x, 0, bytes, t.a.stream);
  cudaEventRecord(t.a.event, t.a.stream);
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  cudaMemcpyPeerAsync(t.a.y, 0, t.b.x, 1, bytes, t.b.stream);
  return t.first_of(t.a.y) == 4;
}

// case: set_while_a_peer_writes
// bug: unordered
// where: cudaMemsetAsync(t.b.x, 0, bytes, t.b.stream);
// mend: cudaStreamWaitEvent
static bool set_while_a_peer_writes(Fixture& t) {
  t.join();
  fill<<<1, n, 0, t.a.stream>>>(t.b.x, 7);
  t.b.use();
  cudaMemsetAsync(t.b.x, 0, bytes, t.b.stream);
  return true;
}

// case: set_before_a_peer_writes
// correct
static bool set_before_a_peer_writes(Fixture& t) {
  t.join();
  t.b.use();
  cudaMemsetAsync(t.b.x, 1, bytes, t.b.stream);
  cudaEventRecord(t.b.event, t.b.stream);
  t.a.use();
  cudaStreamWaitEvent(t.a.stream, t.b.event, 0);
  fill<<<1, n, 0, t.a.stream>>>(t.b.x, 7);
  return t.first_of(t.b.x) == 7;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(kernel_reads_peer),
      PROGRAM(kernel_waits_for_peer),
      PROGRAM(kernel_writes_peer),
      PROGRAM(kernel_behind_peer_write),
      PROGRAM(copy_of_half_a_result),
      PROGRAM(copy_in_the_streams_order),
      PROGRAM(used_before_it_has_come),
      PROGRAM(used_once_it_has_come),
      PROGRAM(overwritten_as_it_comes),
      PROGRAM(overwritten_afterwards),
      PROGRAM(source_overwritten),
      PROGRAM(source_kept_until_it_is_there),
      PROGRAM(waited_for_the_wrong_device),
      PROGRAM(waited_for_the_right_device),
      PROGRAM(event_recorded_too_early),
      PROGRAM(event_recorded_anew),
      PROGRAM(another_stream_waits),
      PROGRAM(the_default_stream_waits),
      PROGRAM(two_default_streams),
      PROGRAM(two_default_streams_and_a_copy),
      PROGRAM(host_waits_for_one_of_two),
      PROGRAM(host_waits_for_both),
      PROGRAM(halo_from_a_neighbour_at_work),
      PROGRAM(halo_from_a_neighbour_that_is_done),
      PROGRAM(managed_by_two_devices),
      PROGRAM(managed_by_one_after_the_other),
      PROGRAM(ring_without_a_wait),
      PROGRAM(ring_in_steps),
      PROGRAM(set_while_a_peer_writes),
      PROGRAM(set_before_a_peer_writes),
  };
  return run(argc, argv, programs);
}
