/// \file
/// Launches that wait in a stream: their arguments are those of the call.

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "base/host_state.hpp"
#include "emulator/host/launch_api.h"
#include "tests/support/queue_test.hpp"

using namespace host_test;
using emulator::streams::Order;

namespace {

struct Three {
  int values[3];
};

// Counts its copies that live.
struct Counted {
  explicit Counted(int from) : value(from) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive; }
  ~Counted() { --alive; }
  int value;
  static inline int alive = 0;
};

// Cannot be copied, but converts to a parameter.
struct Handle {
  explicit Handle(int* pointer) : pointer_(pointer) {}
  Handle(const Handle&) = delete;
  operator int*() const { return pointer_; }

 private:
  int* pointer_;
};

__global__ void put(int* out, int value) {
  *out = value;
}
__global__ void put_sum(int* out, Three three, const int* more) {
  *out = three.values[0] + three.values[1] + three.values[2] + (more == nullptr ? 0 : *more);
}
__global__ void put_counted(int* out, Counted counted) {
  *out = counted.value;
}
__global__ void fail(int* out) {
  *(out - 1000000) = 1;
}

int* managed_int() {
  int* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, sizeof(int)) == cudaSuccess);
  *memory = 0;
  return memory;
}

}  // namespace

TEST_CASE("a launch that waits has the arguments of the call") {
  const InOrder late(Order::late);
  int* const out = managed_int();
  int value = 5;
  put<<<1, 1>>>(out, value);
  value = 6;
  CHECK(*out == 0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 5);

  auto three = std::make_unique<Three>(Three{{1, 2, 3}});
  put_sum<<<1, 1>>>(out, *three, nullptr);
  three.reset();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 6);
  put_sum<<<1, 1>>>(out, {{1, 1, 1}}, 0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 3);

  {
    const Counted counted(7);
    put_counted<<<1, 1>>>(out, counted);
  }
  CHECK(*out == 3);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 7);
  CHECK(Counted::alive == 0);

  value = 8;
  void* arguments[] = {const_cast<int**>(&out), &value};
  CHECK(cudaLaunchKernel(put, dim3(1), dim3(1), arguments) == cudaSuccess);
  value = 9;
  arguments[1] = nullptr;
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 8);
}

TEST_CASE("an array that is an argument is a pointer to it") {
  const InOrder late(Order::late);
  int* const out = managed_int();
  int numbers[2] = {1, 2};
  REQUIRE(cudaHostRegister(numbers, sizeof numbers, cudaHostRegisterDefault) == cudaSuccess);
  put_sum<<<1, 1>>>(out, Three{}, numbers);
  numbers[0] = 4;
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 4);
  CHECK(cudaHostUnregister(numbers) == cudaSuccess);
}

TEST_CASE("a launch that cannot be kept runs at the call, after what comes before it") {
  const InOrder late(Order::late);
  int* const out = managed_int();
  Letters letters;
  letters.issue(nullptr, 'a');
  put<<<1, 1>>>(Handle(out), 1);
  CHECK(letters.text == "a");
  CHECK(*out == 1);
  void (*kernel)(int*, int) = put;
  letters.issue(nullptr, 'b');
  kernel<<<1, 1>>>(out, 2);
  CHECK(letters.text == "ab");
  CHECK(*out == 2);
}

TEST_CASE("a kernel's failure is told by who waits for it, a refused launch at once") {
  const InOrder late(Order::late);
  int* const out = managed_int();
  put<<<1, 2000>>>(out, 1);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  fail<<<1, 1>>>(out);
  put<<<1, 1>>>(out, 1);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(*out == 0);  // nothing ran after it
}
