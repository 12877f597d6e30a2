/// \file
/// Asking what was said about managed memory.

#include <cstddef>

#include "tests/support/host_test.hpp"

using host_test::Fresh;

namespace {

constexpr cudaError invalid = cudaErrorInvalidValue;
const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
const cudaMemLocation host{cudaMemLocationTypeHost, 0};
constexpr std::size_t page = 4096;

// Managed memory of some pages.
struct Managed {
  explicit Managed(std::size_t size) : bytes(size) {
    REQUIRE(cudaMallocManaged(&data, bytes) == cudaSuccess);
  }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  ~Managed() { CHECK(cudaFree(data) == cudaSuccess); }

  int ask(cudaMemRangeAttribute attribute, std::size_t from, std::size_t count) const {
    int answer = 12345;
    CHECK(cudaMemRangeGetAttribute(&answer, sizeof answer, attribute, data + from, count) ==
          cudaSuccess);
    return answer;
  }
  int ask(cudaMemRangeAttribute attribute) const { return ask(attribute, 0, bytes); }

  char* data = nullptr;
  std::size_t bytes;
};

}  // namespace

TEST_CASE("memory of which nothing was said") {
  const Fresh fresh;
  const Managed memory(3 * page);
  CHECK(memory.ask(cudaMemRangeAttributeReadMostly) == 0);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  CHECK(memory.ask(cudaMemRangeAttributeAccessedBy) == cudaInvalidDeviceId);
  CHECK(memory.ask(cudaMemRangeAttributeLastPrefetchLocation) == cudaInvalidDeviceId);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeInvalid);
  CHECK(memory.ask(cudaMemRangeAttributeLastPrefetchLocationType) == cudaMemLocationTypeInvalid);
}

TEST_CASE("advice holds until it is taken back") {
  const Fresh fresh;
  const Managed memory(3 * page);
  const auto advise = [&](cudaMemoryAdvise advice, cudaMemLocation place) {
    CHECK(cudaMemAdvise(memory.data, memory.bytes, advice, place) == cudaSuccess);
  };
  advise(cudaMemAdviseSetReadMostly, device);
  advise(cudaMemAdviseSetPreferredLocation, host);
  advise(cudaMemAdviseSetAccessedBy, device);
  CHECK(memory.ask(cudaMemRangeAttributeReadMostly) == 1);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeHost);
  CHECK(memory.ask(cudaMemRangeAttributeAccessedBy) == 0);

  advise(cudaMemAdviseSetPreferredLocation, device);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocation) == 0);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeDevice);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocationId) == 0);

  advise(cudaMemAdviseUnsetReadMostly, device);
  advise(cudaMemAdviseUnsetPreferredLocation, host);
  advise(cudaMemAdviseUnsetAccessedBy, host);  // which says nothing about the device
  CHECK(memory.ask(cudaMemRangeAttributeReadMostly) == 0);
  CHECK(memory.ask(cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  CHECK(memory.ask(cudaMemRangeAttributeAccessedBy) == 0);
  advise(cudaMemAdviseUnsetAccessedBy, device);
  CHECK(memory.ask(cudaMemRangeAttributeAccessedBy) == cudaInvalidDeviceId);
}

TEST_CASE("the last prefetch counts") {
  const Fresh fresh;
  const Managed memory(2 * page);
  CHECK(cudaMemPrefetchAsync(memory.data, memory.bytes, device, 0) == cudaSuccess);
  CHECK(memory.ask(cudaMemRangeAttributeLastPrefetchLocation) == 0);
  CHECK(memory.ask(cudaMemRangeAttributeLastPrefetchLocationType) == cudaMemLocationTypeDevice);
  CHECK(memory.ask(cudaMemRangeAttributeLastPrefetchLocationId) == 0);
  CHECK(cudaMemPrefetchAsync(memory.data, memory.bytes, host, 0) == cudaSuccess);
  CHECK(memory.ask(cudaMemRangeAttributeLastPrefetchLocation) == cudaCpuDeviceId);
}

TEST_CASE("a range is what all its pages are") {
  const Fresh fresh;
  const Managed memory(4 * page);
  constexpr auto last = cudaMemRangeAttributeLastPrefetchLocation;
  constexpr auto mostly = cudaMemRangeAttributeReadMostly;
  // From the middle of page 1 to the middle of page 2: both pages, if memory begins with one.
  CHECK(cudaMemPrefetchAsync(memory.data + page + 100, page, device, 0) == cudaSuccess);
  REQUIRE(reinterpret_cast<std::size_t>(memory.data) % page == 0);
  CHECK(memory.ask(last, page, 2 * page) == 0);
  CHECK(memory.ask(last, page, 3 * page) == cudaInvalidDeviceId);
  CHECK(memory.ask(last) == cudaInvalidDeviceId);
  CHECK(memory.ask(last, 0, 1) == cudaInvalidDeviceId);

  CHECK(cudaMemPrefetchAsync(memory.data, memory.bytes, device, 0) == cudaSuccess);
  CHECK(memory.ask(last) == 0);
  CHECK(cudaMemPrefetchAsync(memory.data + 3 * page, page, host, 0) == cudaSuccess);
  CHECK(memory.ask(last) == cudaInvalidDeviceId);
  CHECK(memory.ask(last, 0, page) == 0);
  CHECK(memory.ask(last, 4 * page - 1, 1) == cudaCpuDeviceId);

  CHECK(cudaMemAdvise(memory.data, 2 * page, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  CHECK(memory.ask(mostly, 0, page) == 1);
  CHECK(memory.ask(mostly) == 0);
  CHECK(memory.ask(last, 0, page) == 0);  // one hint leaves the others alone
}

// Addresses serve again once all have served: after 1 TiB.
TEST_CASE("what is freed, by itself or with all the device has, is as new") {
  for (const auto release :
       {+[](void* memory) { return cudaFree(memory); }, +[](void*) { return cudaDeviceReset(); }}) {
    const Fresh fresh;
    std::size_t free_bytes = 0;
    REQUIRE(cudaMemGetInfo(&free_bytes, nullptr) == cudaSuccess);
    const std::size_t large = free_bytes / 2;
    const char* before = nullptr;
    bool again = false;
    for (std::size_t used = 0; !again && used < std::size_t{2} << 40; used += large) {
      char* memory = nullptr;
      REQUIRE(cudaMallocManaged(&memory, large) == cudaSuccess);
      int mostly = 7;
      CHECK(cudaMemRangeGetAttribute(&mostly, sizeof mostly, cudaMemRangeAttributeReadMostly,
                                     memory + large / 2, page) == cudaSuccess);
      CHECK(mostly == 0);
      CHECK(cudaMemAdvise(memory, large, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
      again = memory <= before;
      before = memory;
      CHECK(release(memory) == cudaSuccess);
    }
    CHECK(again);
  }
}

TEST_CASE("several attributes at once, and a list longer than the devices") {
  const Fresh fresh;
  const Managed memory(page);
  CHECK(cudaMemAdvise(memory.data, page, cudaMemAdviseSetAccessedBy, device) == cudaSuccess);
  int list[3] = {7, 7, 7};
  int mostly = 7;
  void* data[] = {list, &mostly};
  std::size_t bytes[] = {sizeof list, sizeof mostly};
  cudaMemRangeAttribute wanted[] = {cudaMemRangeAttributeAccessedBy,
                                    cudaMemRangeAttributeReadMostly};
  CHECK(cudaMemRangeGetAttributes(data, bytes, wanted, 2, memory.data, page) == cudaSuccess);
  CHECK(list[0] == 0);
  CHECK(list[1] == cudaInvalidDeviceId);
  CHECK(list[2] == cudaInvalidDeviceId);
  CHECK(mostly == 0);
  CHECK(cudaMemRangeGetAttributes(nullptr, bytes, wanted, 2, memory.data, page) == invalid);
  CHECK(cudaMemRangeGetAttributes(data, nullptr, wanted, 2, memory.data, page) == invalid);
  CHECK(cudaMemRangeGetAttributes(data, bytes, nullptr, 2, memory.data, page) == invalid);
  CHECK(cudaMemRangeGetAttributes(data, bytes, wanted, 0, memory.data, page) == invalid);
}

TEST_CASE("what cannot be asked") {
  const Fresh fresh;
  const Managed memory(page);
  int answer = 0;
  const auto ask = [&](void* data, std::size_t size, int attribute, const void* from,
                       std::size_t bytes) {
    return cudaMemRangeGetAttribute(data, size, static_cast<cudaMemRangeAttribute>(attribute), from,
                                    bytes);
  };
  constexpr int mostly = cudaMemRangeAttributeReadMostly;
  CHECK(ask(nullptr, 4, mostly, memory.data, page) == invalid);
  CHECK(ask(&answer, 8, mostly, memory.data, page) == invalid);
  CHECK(ask(&answer, 3, cudaMemRangeAttributeAccessedBy, memory.data, page) == invalid);
  CHECK(ask(&answer, 0, cudaMemRangeAttributeAccessedBy, memory.data, page) == invalid);
  CHECK(ask(&answer, 4, 0, memory.data, page) == invalid);
  CHECK(ask(&answer, 4, 99, memory.data, page) == invalid);
  CHECK(ask(&answer, 4, mostly, memory.data, page + 1) == invalid);
  CHECK(ask(&answer, 4, mostly, memory.data, 0) == invalid);
  CHECK(ask(&answer, 4, mostly, &answer, 4) == invalid);
  char* plain = nullptr;
  REQUIRE(cudaMalloc(&plain, 100) == cudaSuccess);
  CHECK(ask(&answer, 4, mostly, plain, 100) == invalid);
  CHECK(cudaFree(plain) == cudaSuccess);
}
