// Kernels that do what the host's processor cannot do, and those that need much of a stack.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace {

__global__ void store_at(char* p) {
  *reinterpret_cast<float4*>(p) = make_float4(1, 2, 3, 4);
}

cudaError_t after(char* p) {
  store_at<<<1, 1>>>(p);
  const cudaError_t error = cudaDeviceSynchronize();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  return error;
}

}  // namespace

TEST_CASE("an access that is not aligned, and one to no address") {
  char* p = nullptr;
  REQUIRE(cudaMallocManaged(&p, 64) == cudaSuccess);
  CHECK(after(p + 8) == cudaErrorMisalignedAddress);
  CHECK(after(nullptr) == cudaErrorIllegalAddress);
  CHECK(after(reinterpret_cast<char*>(std::uintptr_t{0x1234'5678'9ABC'DEF0})) ==
        cudaErrorIllegalAddress);
}

namespace {

// Each thread fills an array of its own and adds it up, so that none of it can be left out.
template <int bytes>
__global__ void fill_local(int* sum) {
  volatile char local[bytes];
  for (int i = 0; i < bytes; i += 1024) local[i] = 1;
  int n = 0;
  for (int i = 0; i < bytes; i += 1024) n += local[i];
  atomicAdd(sum, n);
}
// Touches the far end alone, beyond any guard.
template <int bytes>
__global__ void touch_end(int* sum) {
  volatile char local[bytes];
  local[0] = 1;
  *sum = local[0];
}

}  // namespace

TEST_CASE("local arrays of up to 512 KB, and not beyond") {
  int* sum = nullptr;
  REQUIRE(cudaMallocManaged(&sum, sizeof(int)) == cudaSuccess);
  *sum = 0;
  fill_local<300 * 1024><<<2, 3>>>(sum);
  fill_local<511 * 1024><<<2, 3>>>(sum);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*sum == 6 * (300 + 511));
  touch_end<3 * 1024 * 1024><<<1, 1>>>(sum);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  (void)cudaGetLastError();  // other tests begin without an error
}

namespace {

__global__ void nothing() {}

}  // namespace

TEST_CASE("a launch on a stream that is none") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  nothing<<<1, 1, 0, stream>>>();
  CHECK(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  nothing<<<1, 1, 0, stream>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  nothing<<<1, 1, 0, reinterpret_cast<cudaStream_t>(0x123457)>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

#ifdef __x86_64__
namespace {

// Both results of a division, and that of the smallest number by -1.
template <class T>
__global__ void divide(const T* x, T* results) {
  results[0] = x[0] / x[1];
  results[1] = x[0] % x[1];
  results[2] = x[2] / x[3];
  results[3] = x[0] / x[3];
}

template <class T>
void check_division(T smallest) {
  T* x = nullptr;
  REQUIRE(cudaMallocManaged(&x, 8 * sizeof(T)) == cudaSuccess);
  x[0] = 7;
  x[1] = 0;
  x[2] = smallest;
  x[3] = static_cast<T>(-1);
  divide<<<1, 1>>>(x, x + 4);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(x[4] == static_cast<T>(-1));
  CHECK(x[5] == 7);
  CHECK(x[6] == (smallest == 0 ? 0 : smallest));
  CHECK(x[7] == (smallest == 0 ? 0 : static_cast<T>(-7)));
  CHECK(cudaFree(x) == cudaSuccess);
}

}  // namespace

TEST_CASE("an integer divided by zero: the kernel goes on") {
  check_division<int>(std::numeric_limits<int>::min());
  check_division<long long>(std::numeric_limits<long long>::min());
  check_division<unsigned>(0);
  check_division<unsigned long long>(0);
}
#endif
