// Shifts by more bits than a value has, where a GPU mostly gives 0 and the host another value;
// divisions by zero; objects that a kernel makes.

#include <doctest/doctest.h>

#include <new>
#include <string>
#include <vector>

#include "emulator/findings.h"

namespace {

__global__ void shift(unsigned* words, int bits) {
  words[0] = words[0] << bits;
  words[1] = words[1] >> (bits & 31);
}
__global__ void shift_wide(unsigned long long* words, int bits) {
  words[0] = words[0] << bits;
}

template <class Launch>
std::vector<emulator::Finding> found(Launch launch) {
  void* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, 64) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0xFF, 64) == cudaSuccess);
  emulator::clear_findings();
  emulator::set_checking(true);
  launch(memory);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  emulator::set_checking(false);
  std::vector<emulator::Finding> result = emulator::findings();
  emulator::clear_findings();
  REQUIRE(cudaFree(memory) == cudaSuccess);
  return result;
}

std::vector<emulator::Finding> found_by(int bits) {
  return found([&](void* memory) { shift<<<1, 1>>>(static_cast<unsigned*>(memory), bits); });
}

}  // namespace

TEST_CASE("a shift by as many bits as there are is found, with its amount") {
  CHECK(found_by(0).empty());
  CHECK(found_by(31).empty());
  const std::vector<emulator::Finding> by_32 = found_by(32);
  REQUIRE(by_32.size() == 1);
  CHECK(by_32[0].kind == "shift");
  CHECK(by_32[0].severity == emulator::Severity::warning);
  CHECK(by_32[0].place.line == 15);
  CHECK(by_32[0].what.find("a value of 32 bits is shifted by 32:") == 0);
  const std::vector<emulator::Finding> by_less = found_by(-1);
  REQUIRE(by_less.size() == 1);
  CHECK(by_less[0].what.find("shifted by -1:") != std::string::npos);
  CHECK(found([](void* memory) {
          shift_wide<<<1, 1>>>(static_cast<unsigned long long*>(memory), 40);
        }).empty());
  CHECK(found([](void* memory) {
          shift_wide<<<1, 1>>>(static_cast<unsigned long long*>(memory), 64);
        }).size() == 1);
}

#ifdef __x86_64__
namespace {

__global__ void means(const int* sums, const int* counts, int* results, bool looks) {
  const unsigned t = threadIdx.x;
  if (looks && counts[t] == 0) return;
  results[t] = sums[t] / counts[t];
}

std::vector<emulator::Finding> found_in_means(bool looks) {
  return found([&](void* memory) {
    int* const numbers = static_cast<int*>(memory);
    numbers[5] = 0;
    means<<<1, 4>>>(numbers, numbers + 4, numbers + 8, looks);
  });
}

}  // namespace

TEST_CASE("an integer divided by zero is found, with its line, and the kernel goes on") {
  const std::vector<emulator::Finding> findings = found_in_means(false);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "division");
  CHECK(findings[0].place.line == 70);
  CHECK(findings[0].thread.x == 1);
  CHECK(found_in_means(true).empty());
}
#endif

namespace {

struct Shape {
  int size;
  __device__ explicit Shape(int n) : size(n) {}
  __device__ virtual int area() const { return size; }
};
struct Square : Shape {
  __device__ explicit Square(int n) : Shape(n) {}
  __device__ int area() const override { return size * size; }
};

__global__ void make(Square* shapes) {
  new (shapes + threadIdx.x) Square(static_cast<int>(threadIdx.x));
}
__global__ void measure(const Square* shapes, int* areas) {
  const Shape& shape = shapes[threadIdx.x];
  areas[threadIdx.x] = shape.area();
}

}  // namespace

TEST_CASE(
    "a kernel makes objects with virtual functions, and another calls them: nothing is found") {
  CHECK(found([](void* memory) {
          Square* shapes = nullptr;
          REQUIRE(cudaMalloc(&shapes, 4 * sizeof(Square)) == cudaSuccess);
          make<<<1, 4>>>(shapes);
          measure<<<1, 4>>>(shapes, static_cast<int*>(memory));
          REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
          CHECK(static_cast<int*>(memory)[3] == 9);
          REQUIRE(cudaFree(shapes) == cudaSuccess);
        }).empty());
}
