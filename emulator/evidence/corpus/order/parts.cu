// Two streams use parts of the same memory: the same one, or others.
#include "fixture.hpp"

__device__ int total = 0;
__constant__ int factor = 1;

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void add(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}
__global__ void fill_part(int* x, int begin, int end) {
  const int i = begin + static_cast<int>(threadIdx.x);
  if (i < end) x[i] = i;
}
__global__ void fill_bytes(char* x, int begin, int end) {
  const int i = begin + static_cast<int>(threadIdx.x);
  if (i < end) x[i] = 1;
}
__global__ void add_to_total(const int* x) {
  if (threadIdx.x == 0) total += x[0];
}
__global__ void add_atomically(const int* x) {
  atomicAdd(&total, x[threadIdx.x]);
}
__global__ void scale(int* x) {
  x[threadIdx.x] *= factor;
}

// The host reads what a stream has left, once all is done.
static int first_of(const int* x) {
  int value = -1;
  cudaDeviceSynchronize();
  cudaMemcpy(&value, x, sizeof(value), cudaMemcpyDeviceToHost);
  return value;
}

// case: halves_overlap
// bug: unordered
// where: fill_part<<<1, n, 0, t.other>>>(t.x, n / 2 - 1, n)
// mend: issue both to one stream
static bool halves_overlap(Fixture& t) {
  fill_part<<<1, n, 0, t.one>>>(t.x, 0, n / 2);
  fill_part<<<1, n, 0, t.other>>>(t.x, n / 2 - 1, n);
  return true;
}
// case: halves_side_by_side
// correct
static bool halves_side_by_side(Fixture& t) {
  fill_part<<<1, n, 0, t.one>>>(t.x, 0, n / 2);
  fill_part<<<1, n, 0, t.other>>>(t.x, n / 2, n);
  return first_of(t.x + n - 1) == n - 1;
}

// case: bytes_overlap
// bug: unordered
// where: fill_bytes<<<1, n, 0, t.other>>>(letters, 12, 30)
// mend: issue both to one stream
static bool bytes_overlap(Fixture& t) {
  char* const letters = reinterpret_cast<char*>(t.x);
  fill_bytes<<<1, n, 0, t.one>>>(letters, 0, 13);
  fill_bytes<<<1, n, 0, t.other>>>(letters, 12, 30);
  return true;
}
// case: bytes_of_one_word
// correct
static bool bytes_of_one_word(Fixture& t) {
  char* const letters = reinterpret_cast<char*>(t.x);
  fill_bytes<<<1, n, 0, t.one>>>(letters, 0, 13);
  fill_bytes<<<1, n, 0, t.other>>>(letters, 13, 30);
  return first_of(t.x) == 0x01010101;
}

// case: columns_overlap
// bug: unordered
// where: cudaMemset2DAsync(t.x + 7, 16 * 4, 1, 9 * 4, 16, t.other)
// mend: cudaMemset2D
static bool columns_overlap(Fixture& t) {
  cudaMemset2DAsync(t.x, 16 * 4, 0, 8 * 4, 16, t.one);
  cudaMemset2DAsync(t.x + 7, 16 * 4, 1, 9 * 4, 16, t.other);
  return true;
}
// case: columns_side_by_side
// correct
static bool columns_side_by_side(Fixture& t) {
  cudaMemset2DAsync(t.x, 16 * 4, 0, 8 * 4, 16, t.one);
  cudaMemset2DAsync(t.x + 8, 16 * 4, 1, 8 * 4, 16, t.other);
  return first_of(t.x + 8) == 0x01010101;
}

// case: one_scratch_buffer
// bug: unordered
// where: fill<<<1, n, 0, stream>>>(t.z, 1)
// mend: issue both to one stream
static bool one_scratch_buffer(Fixture& t) {
  for (cudaStream_t stream : {t.one, t.other}) {
    fill<<<1, n, 0, stream>>>(t.z, 1);
    add<<<1, n, 0, stream>>>(stream == t.one ? t.x : t.y, t.z);
  }
  return true;
}
// case: scratch_of_each_stream
// correct
static bool scratch_of_each_stream(Fixture& t) {
  for (cudaStream_t stream : {t.one, t.other}) {
    int* const scratch = stream == t.one ? t.z : t.managed;
    fill<<<1, n, 0, stream>>>(scratch, 1);
    add<<<1, n, 0, stream>>>(stream == t.one ? t.x : t.y, scratch);
  }
  return first_of(t.y) == 1;
}

// case: threads_stream_and_apart
// bug: unordered
// where: add<<<1, n, 0, cudaStreamPerThread>>>(t.y, t.x)
// mend: before the launch of add
static bool threads_stream_and_apart(Fixture& t) {
  fill<<<1, n, 0, t.apart>>>(t.x, 8);
  add<<<1, n, 0, cudaStreamPerThread>>>(t.y, t.x);
  return true;
}
// case: threads_stream_and_legacy
// correct
static bool threads_stream_and_legacy(Fixture& t) {
  fill<<<1, n, 0, cudaStreamLegacy>>>(t.x, 8);
  add<<<1, n, 0, cudaStreamPerThread>>>(t.y, t.x);
  return first_of(t.y) == 8;
}

// case: a_variable_of_both
// bug: unordered
// where: add_to_total<<<1, n, 0, t.other>>>(t.y)
// mend: add_to_total
static bool a_variable_of_both(Fixture& t) {
  add_to_total<<<1, n, 0, t.one>>>(t.x);
  add_to_total<<<1, n, 0, t.other>>>(t.y);
  return true;
}
// case: atomics_of_both
// correct
static bool atomics_of_both(Fixture& t) {
  add_atomically<<<1, n, 0, t.one>>>(t.x);
  add_atomically<<<1, n, 0, t.other>>>(t.y);
  int value = -1;
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&value, total, sizeof(value));
  return value == 0;
}

// case: a_constant_changes
// bug: unordered
// where: cudaMemcpyToSymbolAsync(factor
// mend: before the copy
static bool a_constant_changes(Fixture& t) {
  t.pinned[0] = 2;
  scale<<<1, n, 0, t.one>>>(t.x);
  cudaMemcpyToSymbolAsync(factor, t.pinned, 4, 0, cudaMemcpyHostToDevice, t.other);
  return true;
}
// case: a_constant_changes_in_turn
// correct
static bool a_constant_changes_in_turn(Fixture& t) {
  t.pinned[0] = 2;
  fill<<<1, n, 0, t.one>>>(t.x, 3);
  scale<<<1, n, 0, t.one>>>(t.x);
  cudaMemcpyToSymbolAsync(factor, t.pinned, 4, 0, cudaMemcpyHostToDevice, t.one);
  scale<<<1, n, 0, t.one>>>(t.x);
  return first_of(t.x) == 6;
}

// case: host_function_of_another_stream
// bug: unordered
// where: add<<<1, n, 0, t.other>>>(t.y, t.pinned)
// mend: after the host function
static bool host_function_of_another_stream(Fixture& t) {
  const auto set = [](void* data) { static_cast<int*>(data)[0] = 6; };
  cudaLaunchHostFunc(t.one, set, t.pinned);
  add<<<1, n, 0, t.other>>>(t.y, t.pinned);
  return true;
}
// case: host_function_between
// correct
static bool host_function_between(Fixture& t) {
  const auto set = [](void* data) { static_cast<int*>(data)[0] = 6; };
  cudaLaunchHostFunc(t.one, set, t.pinned);
  add<<<1, n, 0, t.one>>>(t.y, t.pinned);
  return first_of(t.y) == 6;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(halves_overlap),
      PROGRAM(halves_side_by_side),
      PROGRAM(bytes_overlap),
      PROGRAM(bytes_of_one_word),
      PROGRAM(columns_overlap),
      PROGRAM(columns_side_by_side),
      PROGRAM(one_scratch_buffer),
      PROGRAM(scratch_of_each_stream),
      PROGRAM(threads_stream_and_apart),
      PROGRAM(threads_stream_and_legacy),
      PROGRAM(a_variable_of_both),
      PROGRAM(atomics_of_both),
      PROGRAM(a_constant_changes),
      PROGRAM(a_constant_changes_in_turn),
      PROGRAM(host_function_of_another_stream),
      PROGRAM(host_function_between),
  };
  return run(argc, argv, programs);
}
