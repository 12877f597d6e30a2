#include "observers/timeline/host_copies.hpp"

#include "tests/support/queue_test.hpp"

using namespace host_test;
using emulator::HostCopies;
using emulator::streams::Order;

namespace {

constexpr std::size_t bytes = 64;

/// Two pieces of either kind of memory, and two streams.
struct Memory {
  Memory() {
    for (char*& one : device) REQUIRE(cudaMalloc(&one, bytes) == cudaSuccess);
    for (char*& one : pinned) REQUIRE(cudaMallocHost(&one, bytes) == cudaSuccess);
    for (cudaStream_t& one : streams) one = stream_with();
    emulator::count_host_copies(true);
  }
  ~Memory() { emulator::count_host_copies(false); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void fetch(int k) {
    CHECK(cudaMemcpyAsync(device[k], pinned[k], bytes, cudaMemcpyHostToDevice, streams[k]) ==
          cudaSuccess);
  }

  char* device[2] = {};
  char* pinned[2] = {};
  char pageable[bytes] = {};
  cudaStream_t streams[2] = {};
};

}  // namespace

TEST_CASE("copies between host and device are counted by the kind of the host's memory") {
  for (const Order order : {Order::as_issued, Order::late}) {
    const InOrder in_order(order);
    Memory m;
    m.fetch(0);
    CHECK(cudaMemcpy(m.pinned[1], m.device[1], 10, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpyAsync(m.device[1], m.pageable, 3, cudaMemcpyHostToDevice, m.streams[1]) ==
          cudaSuccess);
    CHECK(cudaMemcpy(m.pageable, m.device[1], 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(m.device[1], m.device[0], bytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(m.pinned[1], m.pinned[0], bytes, cudaMemcpyHostToHost) == cudaSuccess);
    CHECK(cudaMemset(m.device[0], 0, bytes) == cudaSuccess);
    const HostCopies copies = emulator::host_copies();
    CHECK(copies.pinned == 2);
    CHECK(copies.pinned_bytes == bytes + 10);
    CHECK(copies.pageable == 2);
    CHECK(copies.pageable_bytes == 7);
  }
}

TEST_CASE("as late as may be, a copy is on its way until somebody waits for it") {
  const InOrder in_order(Order::late);
  Memory m;
  for (int k = 0; k < 3; ++k) {
    m.fetch(0);
    CHECK(cudaStreamSynchronize(m.streams[0]) == cudaSuccess);
  }
  CHECK(emulator::host_copies().most_on_their_way == 1);
  m.fetch(0);
  m.fetch(1);
  CHECK(cudaStreamSynchronize(m.streams[0]) == cudaSuccess);
  m.fetch(0);
  CHECK(emulator::host_copies().most_on_their_way == 2);
  CHECK(emulator::host_copies().pinned == 6);
}

TEST_CASE("counting begins with nothing, and ends") {
  const InOrder in_order(Order::as_issued);
  {
    Memory m;
    m.fetch(0);
    emulator::count_host_copies(true);
    CHECK(emulator::host_copies().pinned == 0);
    m.fetch(0);
    HostCopies other;
    other.pinned = 5;
    other.most_on_their_way = 7;
    emulator::timeline::add_host_copies(other);
    CHECK(emulator::host_copies().pinned == 6);
    CHECK(emulator::host_copies().most_on_their_way == 7);
    CHECK(emulator::host_copies_are_counted());
  }
  CHECK_FALSE(emulator::host_copies_are_counted());
  CHECK(emulator::host_copies().pinned == 0);
}
