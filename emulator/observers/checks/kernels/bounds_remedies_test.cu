// What a finding says about an access beside an array: for each remedy ways to make that mistake,
// and beside them those that another remedy is for.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <string>

#include "emulator/findings.h"

namespace {

constexpr int n = 100;
constexpr int width = 10;  // of an image

__constant__ int weights[5];

struct Pair {
  int first;
  int second;
};

// Too large an index.
__global__ void too_large(int which, int* a, int size) {
  __shared__ int tile[32];
  const int i = static_cast<int>(threadIdx.x);
  const int x = i % width;
  const int y = i / width;
  int sum = 0;
  switch (which) {
    case 0:
      a[i] = 1;  // more threads than elements
      break;
    case 1:
      for (int k = 0; k <= size; ++k) sum += a[k];
      break;
    case 2:
      if (i < size) sum = a[i + 1];
      break;
    case 3:
      if (x < width && y < width) a[(y + 1) * width + x] = 1;
      break;
    case 4:
      for (int k = i; k < size; k += 2) sum += a[k] + a[k + 1];
      break;
    case 5:
      if (i <= size) a[i] = 1;
      break;
    case 6:
      if (i < size / 4 + 1) sum = reinterpret_cast<int4*>(a)[i].x;
      break;
    case 7:
      if (i < size) reinterpret_cast<Pair*>(a)[i].second = 1;  // elements of half the size
      break;
    case 8:
      sum = a[2 * i];
      break;
    default:
      atomicAdd(&a[i % (size + 1)], 1);
  }
  tile[i % 32] = sum;
}

// An index below 0.
__global__ void below_zero(int which, int* a, int size) {
  const int i = static_cast<int>(threadIdx.x);
  const int x = i % width;
  const int y = i / width;
  if (i >= size) return;
  switch (which) {
    case 0:
      a[i] = a[i - 1];
      break;
    case 1:
      a[i - 2] = i;
      break;
    case 2:
      for (int k = size - 1; k >= -1; --k) a[k] = 0;
      break;
    case 3:
      a[i] = a[(y - 1) * width + x];
      break;
    case 4:
      for (int k = -1; k < 1; ++k) a[i] += a[i + k];
      break;
    case 5:
      atomicAdd(&a[i % 3 - 1], 1);
      break;
    case 6:
      a[size - 2 - i] = i;
      break;
    case 7:
      if (x > 0) a[i - 20] = i;
      break;
    case 8:
      a[i ^ -1] = 1;
      break;
    default:
      a[i - size] = 1;
  }
}

// An index that was computed wrongly.
__global__ void far_away(int which, int* a, int size) {
  const unsigned i = threadIdx.x;
  if (i != 0) return;
  const int large = 65536;
  switch (which) {
    case 0:
      a[i - 1] = 1;  // unsigned
      break;
    case 1:
      a[i - static_cast<unsigned>(size)] = 1;
      break;
    case 2:
      a[static_cast<unsigned>(large) * 30000U] = 1;
      break;
    case 3:
      a[-large * 30000] = 1;
      break;
    default:
      a[2147483647] = 1;
  }
}

__global__ void of_shared(int which, int* a, int size) {
  __shared__ int tile[32];
  const int i = static_cast<int>(threadIdx.x);
  tile[i % 32] = i;
  __syncthreads();
  switch (which) {
    case 0:
      a[i % size] = tile[i];
      break;
    case 1:
      a[i % size] = tile[i % 32 + 1];
      break;
    case 2:
      for (int k = 0; k <= 32; ++k) a[i % size] = tile[k];
      break;
    default:
      a[i % size] = weights[i];
  }
}

__global__ void of_dynamic(int, int* a, int size) {
  extern __shared__ int numbers[];
  numbers[threadIdx.x] = 1;
  a[static_cast<int>(threadIdx.x) % size] = numbers[threadIdx.x];
}

// Where g++ notes that these are constructed is beside them.
struct Point {
  int x, y;
  __host__ __device__ Point() {}
};
__global__ void of_constructed(int, int* a, int size) {
  __shared__ Point points[128];
  __shared__ Point origin;
  points[threadIdx.x].x = 1;
  if (threadIdx.x == 0) origin.y = 2;
  __syncthreads();
  const auto i = static_cast<int>(threadIdx.x);
  if (i < size) a[i] = points[127 - i].x + origin.y;
}

std::string remedy(void (*kernel)(int, int*, int), int which, std::size_t shared_bytes = 0,
                   std::size_t bytes = n * sizeof(int)) {
  int* a = nullptr;
  REQUIRE(cudaMalloc(&a, bytes) == cudaSuccess);
  REQUIRE(cudaMemset(a, 0, bytes) == cudaSuccess);
  emulator::clear_findings();
  emulator::set_checking(true);
  kernel<<<1, 128, shared_bytes>>>(which, a, n);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    if (finding.kind == "out-of-bounds" && text.empty()) text = finding.remedy;
  }
  emulator::clear_findings();
  if (failed) {
    REQUIRE(cudaDeviceReset() == cudaSuccess);
  } else {
    REQUIRE(cudaFree(a) == cudaSuccess);
  }
  return text;
}

bool has(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

}  // namespace

TEST_CASE("shared variables of a class with a constructor") {
  CHECK(remedy(of_constructed, 0) == "");
}

TEST_CASE("an index past the end is compared with the number of elements") {
  for (int which = 0; which < 10; ++which) {
    INFO(which);
    const std::string text = remedy(too_large, which);
    CHECK(has(text, "compare the index with the number of elements"));
    CHECK_FALSE(has(text, "with 0"));
  }
}

TEST_CASE("an index below 0 is compared with 0") {
  for (int which = 0; which < 10; ++which) {
    INFO(which);
    const std::string text = remedy(below_zero, which);
    CHECK(has(text, "compare the index with 0"));
    CHECK_FALSE(has(text, "the last block"));
  }
}

TEST_CASE("an index far away was computed wrongly") {
  for (int which = 0; which < 5; ++which) {
    INFO(which);
    CHECK(has(remedy(far_away, which), "how the index is computed"));
  }
}

TEST_CASE("of a block's own array there may be more") {
  for (int which = 0; which < 4; ++which) {
    INFO(which);
    CHECK(has(remedy(of_shared, which), "make the array larger"));
  }
}

TEST_CASE("dynamic shared memory is asked for, or asked for in bytes") {
  CHECK(has(remedy(of_dynamic, 0), "ask for enough shared memory"));
  CHECK(has(remedy(of_dynamic, 0, 128), "that many elements times sizeof"));
  CHECK(has(remedy(of_dynamic, 0, 500), "that many elements times sizeof"));
}

TEST_CASE("only what has as many bytes as the launch threads was sized without sizeof") {
  CHECK(has(remedy(too_large, 0, 0, 128), "sizes are in bytes"));
  CHECK(has(remedy(too_large, 5, 0, 128), "sizes are in bytes"));
  CHECK(has(remedy(too_large, 0, 0, 100), "sizes are in bytes"));
  CHECK_FALSE(has(remedy(too_large, 0, 0, 40), "sizes are in bytes"));
  CHECK_FALSE(has(remedy(too_large, 0, 0, 256), "sizes are in bytes"));
}
