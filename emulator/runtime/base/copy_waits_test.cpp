/// \file
/// What a copy has done when the call returns, by the kind of its memory.

#include "base/copy_waits.hpp"

#include <array>

#include "tests/support/queue_test.hpp"

using namespace host_test;
using emulator::streams::Order;

namespace {

// Device memory and pinned memory of a few bytes, and a stream.
struct Memory {
  Memory() {
    REQUIRE(cudaMalloc(&device, 8) == cudaSuccess);
    REQUIRE(cudaMemset(device, 0, 8) == cudaSuccess);
    REQUIRE(cudaMallocHost(&pinned, 8) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    pinned[0] = 0;
  }

  // What the device has once all is done.
  char on_device() const {
    char value = 0;
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
    return value;
  }

  char* device = nullptr;
  char* pinned = nullptr;
  char pageable[8] = {};
  cudaStream_t stream = stream_with(cudaStreamNonBlocking);
};

}  // namespace

TEST_CASE(
    "an asynchronous copy takes pageable memory at the call, and pinned memory when it runs") {
  const InOrder late(Order::late);
  Memory m;
  m.pageable[0] = 1;
  CHECK(cudaMemcpyAsync(m.device, m.pageable, 8, cudaMemcpyHostToDevice, m.stream) == cudaSuccess);
  m.pageable[0] = 2;
  CHECK(m.on_device() == 1);
  m.pinned[0] = 3;
  CHECK(cudaMemcpyAsync(m.device, m.pinned, 8, cudaMemcpyHostToDevice, m.stream) == cudaSuccess);
  m.pinned[0] = 4;
  CHECK(m.on_device() == 4);
  // Registered memory is pinned memory.
  CHECK(cudaHostRegister(m.pageable, 8, cudaHostRegisterDefault) == cudaSuccess);
  m.pageable[0] = 5;
  CHECK(cudaMemcpyAsync(m.device, m.pageable, 8, cudaMemcpyHostToDevice, m.stream) == cudaSuccess);
  m.pageable[0] = 6;
  CHECK(m.on_device() == 6);
  CHECK(cudaHostUnregister(m.pageable) == cudaSuccess);
}

TEST_CASE("a copy to pageable memory is done on return, one to pinned memory is not") {
  const InOrder late(Order::late);
  Memory m;
  CHECK(cudaMemsetAsync(m.device, 1, 8, m.stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(m.pinned, m.device, 8, cudaMemcpyDeviceToHost, m.stream) == cudaSuccess);
  CHECK(m.pinned[0] == 0);
  CHECK(cudaMemcpyAsync(m.pageable, m.device, 8, cudaMemcpyDeviceToHost, m.stream) == cudaSuccess);
  CHECK(m.pageable[0] == 1);
  CHECK(m.pinned[0] == 1);
  // From the host to the host nothing is asynchronous.
  m.pageable[0] = 2;
  CHECK(cudaMemcpyAsync(m.pinned, m.pageable, 8, cudaMemcpyHostToHost, m.stream) == cudaSuccess);
  CHECK(m.pinned[0] == 2);
}

TEST_CASE("the plain forms wait, but not within the device") {
  const InOrder late(Order::late);
  Memory m;
  char* other = nullptr;
  CHECK(cudaMalloc(&other, 8) == cudaSuccess);
  CHECK(cudaMemset(m.device, 1, 8) == cudaSuccess);
  CHECK(cudaMemcpy(other, m.device, 8, cudaMemcpyDeviceToDevice) == cudaSuccess);
  // A non-blocking stream waits for neither.
  CHECK(cudaMemcpyAsync(m.pageable, other, 8, cudaMemcpyDeviceToHost, m.stream) == cudaSuccess);
  CHECK(m.pageable[0] == 0);
  CHECK(cudaMemcpy(m.pinned, other, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(m.pinned[0] == 1);
  // Pageable memory is in flight when the call returns.
  m.pageable[0] = 2;
  CHECK(cudaMemcpy(m.device, m.pageable, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(m.pageable, m.device, 8, cudaMemcpyDeviceToHost, m.stream) == cudaSuccess);
  CHECK(m.pageable[0] == 1);
  m.pinned[0] = 3;
  CHECK(cudaMemcpy(m.device, m.pinned, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(m.pageable, m.device, 8, cudaMemcpyDeviceToHost, m.stream) == cudaSuccess);
  CHECK(m.pageable[0] == 3);
}

TEST_CASE("rows are staged with their pitch") {
  const InOrder late(Order::late);
  std::array<char, 6> from{1, 2, 9, 3, 4, 9};
  std::array<char, 8> to{};
  const Block device(8);
  CHECK(cudaMemset(device.get(), 0, 8) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(device.get(), 4, from.data(), 3, 2, 2, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  from.fill(0);
  CHECK(cudaMemcpy(to.data(), device.get(), 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(to == std::array<char, 8>{1, 2, 0, 0, 3, 4, 0, 0});
}
