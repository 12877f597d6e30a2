// Kernels use another device's memory, with and without access to it.
#include "fixture.hpp"

__global__ void count_up(int* word) {
  atomicAdd_system(word, 1);
}

// case: reads_without_access
// bug: no-peer-access
// where: y[threadIdx.x] += x[threadIdx.x]
// mend: cudaDeviceEnablePeerAccess(1, 0)
__global__ void add_peers(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}
static bool reads_without_access(Fixture& t) {
  add_peers<<<1, n>>>(t.a.y, t.b.x);
  return true;
}

// case: reads_with_access
// correct
static bool reads_with_access(Fixture& t) {
  t.b.use();
  fill<<<1, n>>>(t.b.x, 6);
  cudaDeviceSynchronize();
  t.join();
  add<<<1, n>>>(t.a.y, t.b.x);
  return t.first_of(t.a.y) == 6;
}

// case: writes_without_access
// bug: no-peer-access
// where: x[threadIdx.x] = value
// mend: cudaDeviceEnablePeerAccess(1, 0)
__global__ void fill_peers(int* x, int value) {
  x[threadIdx.x] = value;
}
static bool writes_without_access(Fixture& t) {
  fill_peers<<<1, n>>>(t.b.x, 6);
  return true;
}

// case: copies_without_access
// correct
static bool copies_without_access(Fixture& t) {
  fill<<<1, n>>>(t.a.x, 6);
  cudaMemcpy(t.b.x, t.a.x, bytes, cudaMemcpyDefault);
  return t.first_of(t.b.x) == 6;
}

// case: access_in_the_other_direction
// bug: no-peer-access
// where: x[threadIdx.x] = value
// mend: with device 0 in use
__global__ void fill_one_way(int* x, int value) {
  x[threadIdx.x] = value;
}
static bool access_in_the_other_direction(Fixture& t) {
  t.b.use();
  cudaDeviceEnablePeerAccess(0, 0);
  t.a.use();
  fill_one_way<<<1, n>>>(t.b.x, 6);
  return true;
}

// case: access_in_one_direction
// correct
static bool access_in_one_direction(Fixture& t) {
  t.b.use();
  cudaDeviceEnablePeerAccess(0, 0);
  fill<<<1, n>>>(t.a.x, 6);
  return t.first_of(t.a.x) == 6;
}

// case: access_disabled
// bug: no-peer-access
// where: x[threadIdx.x] = value
__global__ void fill_too_late(int* x, int value) {
  x[threadIdx.x] = value;
}
static bool access_disabled(Fixture& t) {
  t.join();
  cudaDeviceDisablePeerAccess(1);
  fill_too_late<<<1, n>>>(t.b.x, 6);
  return true;
}

// case: access_disabled_afterwards
// correct
static bool access_disabled_afterwards(Fixture& t) {
  t.join();
  fill<<<1, n>>>(t.b.x, 6);
  cudaDeviceSynchronize();
  cudaDeviceDisablePeerAccess(1);
  return t.first_of(t.b.x) == 6;
}

// case: pools_have_their_own_access
// bug: no-peer-access
// where: x[threadIdx.x] = value
// mend: cudaMemPoolSetAccess()
__global__ void fill_pooled(int* x, int value) {
  x[threadIdx.x] = value;
}
static bool pools_have_their_own_access(Fixture& t) {
  t.join();
  t.b.use();
  int* pooled = nullptr;
  cudaMallocAsync(&pooled, bytes, t.b.stream);
  cudaStreamSynchronize(t.b.stream);
  t.a.use();
  fill_pooled<<<1, n>>>(pooled, 6);
  cudaDeviceSynchronize();
  t.b.use();
  cudaFreeAsync(pooled, t.b.stream);
  return true;
}

// case: pool_with_access
// correct
static bool pool_with_access(Fixture& t) {
  t.b.use();
  cudaMemPool_t pool = nullptr;
  cudaDeviceGetDefaultMemPool(&pool, 1);
  const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  cudaMemPoolSetAccess(pool, &access, 1);
  int* pooled = nullptr;
  cudaMallocAsync(&pooled, bytes, t.b.stream);
  cudaStreamSynchronize(t.b.stream);
  t.a.use();
  fill<<<1, n>>>(pooled, 6);
  const bool is_right = t.first_of(pooled) == 6;
  t.b.use();
  cudaFreeAsync(pooled, t.b.stream);
  return is_right;
}

// case: atomic_without_access
// bug: no-peer-access
// where: atomicAdd_system(word, 1)
__global__ void count_peers(int* word) {
  atomicAdd_system(word, 1);
}
static bool atomic_without_access(Fixture& t) {
  count_peers<<<1, n>>>(t.b.x);
  return true;
}

// case: atomic_with_access
// correct
static bool atomic_with_access(Fixture& t) {
  t.join();
  count_up<<<1, n>>>(t.b.x);
  return t.first_of(t.b.x) == n;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(reads_without_access),
      PROGRAM(reads_with_access),
      PROGRAM(writes_without_access),
      PROGRAM(copies_without_access),
      PROGRAM(access_in_the_other_direction),
      PROGRAM(access_in_one_direction),
      PROGRAM(access_disabled),
      PROGRAM(access_disabled_afterwards),
      PROGRAM(pools_have_their_own_access),
      PROGRAM(pool_with_access),
      PROGRAM(atomic_without_access),
      PROGRAM(atomic_with_access),
  };
  return run(argc, argv, programs);
}
