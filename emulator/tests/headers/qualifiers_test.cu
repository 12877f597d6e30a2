/// \file
/// The words that CUDA adds to declarations, wherever they are allowed. nvcc also compiles this
/// file.

#include <doctest/doctest.h>

namespace {

__noinline__ __device__ int before(int x) {
  return x + 1;
}
__device__ __noinline__ int between(int x) {
  return x + 1;
}
static __device__ int __noinline__ behind_the_type(int x) {
  return x + 1;
}
template <class T>
__device__ __noinline__ T of_a_template(T x) {
  return x + 1;
}
__attribute__((__noinline__, __cold__)) int as_g_plus_plus_has_it(int x) {
  return x + 1;
}
__noinline__ int of_the_host(int x) {
  return x + 1;
}
struct Counter {
  __noinline__ __device__ int next() const { return n + 1; }
  int n;
};
__forceinline__ __device__ int forced(int x) {
  return x + 1;
}
static __forceinline__ __device__ __host__ int forced_and_static(int x) {
  return x + 1;
}
__device__ __inline_hint__ int hinted(int x) {
  return x + 1;
}
__device__ __nv_pure__ int pure(int x) {
  return x + 1;
}
__device__ int assumed(int x) {
  __builtin_assume(x > 0);
  return x + 1;
}
struct __builtin_align__(8) Pair {
  int x, y;
};
static_assert(alignof(Pair) == 8, "as __align__ does");

__global__ void __launch_bounds__(32, 1) add_up(int* sum) {
  int n = before(between(behind_the_type(of_a_template(0))));
  n = Counter{n}.next();
  n = forced(forced_and_static(hinted(pure(assumed(n)))));
  *sum = n;
}
__global__ void __launch_bounds__(32) bounded(int*) {}
__global__ void __maxnreg__(32) few_registers(const __grid_constant__ int n, int* sum) {
  *sum += n;
}

// Pointers that are restrict where the launch is.
template <class T>
__global__ void scale(const T* __restrict__ x, T* __restrict__ y, T factor) {
  y[threadIdx.x] = factor * x[threadIdx.x];
}
template <class T>
void launch_scale(const T* __restrict__ x, T* const __restrict__ y, T factor) {
  scale<<<1, 4>>>(x, y, factor);
}
void launch_scale_of_floats(const float* __restrict__ x, float* __restrict__ y) {
  scale<float><<<1, 4>>>(x, y, 2);
}

}  // namespace

TEST_CASE("functions with CUDA's attributes are functions") {
  int* sum = nullptr;
  REQUIRE(cudaMallocManaged(&sum, sizeof(int)) == cudaSuccess);
  add_up<<<1, 1>>>(sum);
  few_registers<<<1, 1>>>(3, sum);
  bounded<<<1, 1>>>(sum);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*sum == 13);
  CHECK(as_g_plus_plus_has_it(of_the_host(1)) == 3);
  cudaFree(sum);
}

TEST_CASE("restrict pointers are arguments of launches") {
  float* x = nullptr;
  REQUIRE(cudaMallocManaged(&x, 8 * sizeof(float)) == cudaSuccess);
  for (int i = 0; i < 4; ++i) x[i] = static_cast<float>(i);
  launch_scale(x, x + 4, 3.0F);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(x[7] == 9);
  launch_scale_of_floats(x, x + 4);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(x[7] == 6);
  cudaFree(x);
}
