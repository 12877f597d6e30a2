// Kernels on two devices tell each other something while both run.
#include "fixture.hpp"

#include <cuda/atomic>

// One gives data and then sets the flag; the other takes the data if the flag is set, and
// leaves 7 in the first word in any case.
__device__ void put(int* data) {
  if (threadIdx.x > 0) data[threadIdx.x] = 7;
  __syncthreads();
}
__global__ void give_fenced(int* data, volatile int* flag) {
  put(data);
  __threadfence_system();
  if (threadIdx.x == 1) flag[0] = 1;
}
__global__ void give_twice_fenced(int* data, volatile int* flag) {
  put(data);
  __threadfence();
  if (threadIdx.x < 32) __threadfence_system();
  if (threadIdx.x == 1) flag[0] = 1;
}
__global__ void give_exchanged_system(int* data, int* flag) {
  put(data);
  __threadfence_system();
  if (threadIdx.x == 1) atomicExch_system(flag, 1);
}
__global__ void give_ref_system(int* data, int* flag) {
  put(data);
  const cuda::atomic_ref<int, cuda::thread_scope_system> system_flag(*flag);
  if (threadIdx.x == 1) system_flag.store(1, cuda::memory_order_release);
}
__global__ void take(int* data, volatile int* flag) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
    if (flag[0] == 1) {
      __threadfence_system();
      sum = data[1] - 7;
    }
    data[0] = 7 + sum;
  }
}

__global__ void count_up_system(int* word) {
  atomicAdd_system(word, 1);
}
__global__ void largest_system(int* word, int value) {
  atomicMax_system(word, value);
}
__global__ void claim_system(int* word, int value) {
  atomicCAS_system(word, 0, value);
}

// case: flag_without_a_fence
// bug: narrow-scope
// where: flag[0] = 1;  // at once
// mend: __threadfence_system()
__global__ void give_at_once(int* data, volatile int* flag) {
  put(data);
  if (threadIdx.x == 1) flag[0] = 1;  // at once
}
static bool flag_without_a_fence(Fixture& t) {
  t.join();
  give_at_once<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return true;
}

// case: flag_behind_a_fence
// correct
static bool flag_behind_a_fence(Fixture& t) {
  t.join();
  give_fenced<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return t.first_of(t.b.x) == 7;
}

// case: flag_behind_a_fence_for_the_device
// bug: narrow-scope
// where: flag[0] = 1;  // narrow
// mend: __threadfence_system()
__global__ void give_narrow(int* data, volatile int* flag) {
  put(data);
  __threadfence();
  if (threadIdx.x == 1) flag[0] = 1;  // narrow
}
static bool flag_behind_a_fence_for_the_device(Fixture& t) {
  t.join();
  give_narrow<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return true;
}

// case: flag_behind_both_fences
// correct
static bool flag_behind_both_fences(Fixture& t) {
  t.join();
  give_twice_fenced<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return t.first_of(t.b.x) == 7;
}

// case: flag_by_an_exchange_for_the_device
// bug: narrow-scope
// where: atomicExch(flag, 1)
// mend: _system()
__global__ void give_exchanged(int* data, int* flag) {
  put(data);
  __threadfence_system();
  if (threadIdx.x == 1) atomicExch(flag, 1);
}
static bool flag_by_an_exchange_for_the_device(Fixture& t) {
  t.join();
  give_exchanged<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return true;
}

// case: flag_by_an_exchange_for_the_system
// correct
static bool flag_by_an_exchange_for_the_system(Fixture& t) {
  t.join();
  give_exchanged_system<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return t.first_of(t.b.x) == 7;
}

// case: flag_by_an_atomic_of_the_device
// bug: narrow-scope
// where: device_flag.store(1
// mend: thread_scope_system
__global__ void give_ref(int* data, int* flag) {
  put(data);
  const cuda::atomic_ref<int, cuda::thread_scope_device> device_flag(*flag);
  if (threadIdx.x == 1) device_flag.store(1, cuda::memory_order_release);
}
static bool flag_by_an_atomic_of_the_device(Fixture& t) {
  t.join();
  give_ref<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return true;
}

// case: flag_by_an_atomic_of_the_system
// correct
static bool flag_by_an_atomic_of_the_system(Fixture& t) {
  t.join();
  give_ref_system<<<1, n, 0, t.a.stream>>>(t.b.x, t.b.y);
  t.b.use();
  take<<<1, n, 0, t.b.stream>>>(t.b.x, t.b.y);
  return t.first_of(t.b.x) == 7;
}

// case: counted_by_two_devices
// bug: narrow-scope
// where: atomicAdd(word, 1)
// mend: atomicAdd_system()
__global__ void count_up(int* word) {
  atomicAdd(word, 1);
}
static bool counted_by_two_devices(Fixture& t) {
  t.join();
  count_up<<<1, n, 0, t.a.stream>>>(t.b.x);
  t.b.use();
  count_up<<<1, n, 0, t.b.stream>>>(t.b.x);
  return true;
}

// case: counted_by_two_devices_for_the_system
// correct
static bool counted_by_two_devices_for_the_system(Fixture& t) {
  t.join();
  count_up_system<<<1, n, 0, t.a.stream>>>(t.b.x);
  t.b.use();
  count_up_system<<<1, n, 0, t.b.stream>>>(t.b.x);
  return t.first_of(t.b.x) == 2 * n;
}

// case: counted_by_one_for_itself
// bug: narrow-scope
// where: atomicAdd(word, 1)
// mend: atomicAdd_system()
__global__ void count_own(int* word) {
  atomicAdd(word, 1);
}
static bool counted_by_one_for_itself(Fixture& t) {
  t.join();
  count_up_system<<<1, n, 0, t.a.stream>>>(t.b.x);
  t.b.use();
  count_own<<<1, n, 0, t.b.stream>>>(t.b.x);
  return true;
}

// case: counted_by_one_after_the_other
// correct
static bool counted_by_one_after_the_other(Fixture& t) {
  t.join();
  count_up<<<1, n, 0, t.a.stream>>>(t.b.x);
  cudaEventRecord(t.a.event, t.a.stream);
  t.b.use();
  cudaStreamWaitEvent(t.b.stream, t.a.event, 0);
  count_up<<<1, n, 0, t.b.stream>>>(t.b.x);
  return t.first_of(t.b.x) == 2 * n;
}

// case: largest_of_two_devices
// bug: narrow-scope
// where: atomicMax(word, value)
// mend: _system()
__global__ void largest(int* word, int value) {
  atomicMax(word, value);
}
static bool largest_of_two_devices(Fixture& t) {
  t.join();
  largest<<<1, n, 0, t.a.stream>>>(t.b.x, 3);
  t.b.use();
  largest<<<1, n, 0, t.b.stream>>>(t.b.x, 5);
  return true;
}

// case: largest_of_two_devices_for_the_system
// correct
static bool largest_of_two_devices_for_the_system(Fixture& t) {
  t.join();
  largest_system<<<1, n, 0, t.a.stream>>>(t.b.x, 3);
  t.b.use();
  largest_system<<<1, n, 0, t.b.stream>>>(t.b.x, 5);
  return t.first_of(t.b.x) == 5;
}

// case: claimed_by_two_devices
// bug: narrow-scope
// where: atomicCAS(word, 0, value)
// mend: _system()
__global__ void claim(int* word, int value) {
  atomicCAS(word, 0, value);
}
static bool claimed_by_two_devices(Fixture& t) {
  t.join();
  claim<<<1, 1, 0, t.a.stream>>>(t.b.x, 3);
  t.b.use();
  claim<<<1, 1, 0, t.b.stream>>>(t.b.x, 5);
  return true;
}

// case: claimed_by_two_devices_for_the_system
// correct
static bool claimed_by_two_devices_for_the_system(Fixture& t) {
  t.join();
  claim_system<<<1, 1, 0, t.a.stream>>>(t.b.x, 3);
  t.b.use();
  claim_system<<<1, 1, 0, t.b.stream>>>(t.b.x, 5);
  return t.first_of(t.b.x) != 0;
}

// case: met_by_loads_that_acquire
// correct
__global__ void meet(int* theirs, int* their_flag, int* mine, int* my_flag) {
  theirs[1] = 7;
  const cuda::atomic_ref<int, cuda::thread_scope_system> told(*their_flag), heard(*my_flag);
  told.store(1, cuda::memory_order_release);
  while (heard.load(cuda::memory_order_acquire) == 0) {
  }
  mine[0] = mine[1];
}
static bool met_by_loads_that_acquire(Fixture& t) {
  t.join();
  meet<<<1, 1, 0, t.a.stream>>>(t.b.x, t.b.y, t.a.x, t.a.y);
  t.b.use();
  meet<<<1, 1, 0, t.b.stream>>>(t.a.x, t.a.y, t.b.x, t.b.y);
  return t.first_of(t.a.x) == 7 && t.first_of(t.b.x) == 7;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(flag_without_a_fence),
      PROGRAM(flag_behind_a_fence),
      PROGRAM(flag_behind_a_fence_for_the_device),
      PROGRAM(flag_behind_both_fences),
      PROGRAM(flag_by_an_exchange_for_the_device),
      PROGRAM(flag_by_an_exchange_for_the_system),
      PROGRAM(flag_by_an_atomic_of_the_device),
      PROGRAM(flag_by_an_atomic_of_the_system),
      PROGRAM(counted_by_two_devices),
      PROGRAM(counted_by_two_devices_for_the_system),
      PROGRAM(counted_by_one_for_itself),
      PROGRAM(counted_by_one_after_the_other),
      PROGRAM(largest_of_two_devices),
      PROGRAM(largest_of_two_devices_for_the_system),
      PROGRAM(claimed_by_two_devices),
      PROGRAM(claimed_by_two_devices_for_the_system),
      PROGRAM(met_by_loads_that_acquire),
  };
  return run(argc, argv, programs);
}
