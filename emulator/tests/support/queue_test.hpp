#pragma once
/// \file
/// What the tests of the queue share.

#include <memory>
#include <string>
#include <vector>

#include "streams/order.hpp"
#include "tests/support/host_test.hpp"

namespace host_test {

/// A device as new, whose streams work in that order for the length of a scope.
class InOrder {
 public:
  explicit InOrder(emulator::streams::Order order, std::uint64_t seed = 0) {
    emulator::streams::set_order(order, seed);
  }
  ~InOrder() {
    cudaDeviceReset();
    emulator::streams::set_order(emulator::streams::Order::as_issued);
  }
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;

 private:
  Fresh fresh_;
};

inline cudaStream_t stream_with(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

inline cudaEvent_t some_event() {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  return event;
}

/// Work that can be seen: a host function that leaves its letter.
class Letters {
 public:
  void issue(cudaStream_t stream, char letter) {
    entries_.push_back(std::make_unique<Entry>(Entry{this, letter}));
    const cudaHostFn_t leave = [](void* data) {
      const Entry& entry = *static_cast<Entry*>(data);
      entry.all->text.push_back(entry.letter);
    };
    CHECK(cudaLaunchHostFunc(stream, leave, entries_.back().get()) == cudaSuccess);
  }

  std::string text;

 private:
  struct Entry {
    Letters* all;
    char letter;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace host_test
