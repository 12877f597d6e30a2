// The rules for a process that runs kernels for another one. Each case has a process of its own:
// the rules stay once they hold.

#include "streams/untrusted_host.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/arena.hpp"
#include "emulator/findings.h"
#include "tests/support/host_test.hpp"

using namespace emulator::streams;
using host_test::ChildResult;
using host_test::in_child;

namespace {

__device__ int counter = 7;
__device__ const int table[] = {1, 2, 3};  // cannot be written, so it has but one side
__constant__ int factor = 3;
int of_the_host = 7;

__global__ void count(int* seen) {
  counter += factor;
  *seen = counter + table[0];
}

/// What a child says by its exit status: the number of the first expectation that was not met.
void expect(bool met, int number) {
  if (!met) _exit(number);
}

void keep_the_rules() {
  emulator::set_checking(true);
  distrust_host();
}

ChildResult run(void (*body)()) {
  return in_child([body] {
    keep_the_rules();
    body();
  });
}

__global__ void add_one(int* value) {
  ++*value;
}

int looks = 0;

constexpr std::uintptr_t far_away = arena_base + (std::uintptr_t{1} << 20);

}  // namespace

TEST_CASE("relay: host code sees its own copies of device variables") {
  const ChildResult result = run([] {
    int* seen = nullptr;
    expect(cudaMalloc(&seen, sizeof *seen) == cudaSuccess, 1);
    count<<<1, 1>>>(seen);
    expect(cudaDeviceSynchronize() == cudaSuccess, 2);
    expect(counter == 7 && factor == 3, 3);  // the device's counter is 10 now
    counter = 1000;
    *&factor = 1000;  // by its address: nvcc lets nobody write it by its name
    of_the_host = 1000;
    int got = 0;
    allow_copies_to(&got, sizeof got);
    expect(cudaMemcpy(&got, seen, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess, 4);
    expect(got == 11, 5);
    count<<<1, 1>>>(seen);
    expect(cudaMemcpy(&got, seen, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess, 6);
    expect(got == 14 && counter == 1000 && of_the_host == 1000, 7);
    const int two = 2;
    expect(cudaMemcpyToSymbol(factor, &two, sizeof two) == cudaSuccess, 8);
    count<<<1, 1>>>(seen);
    expect(cudaMemcpy(&got, seen, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess, 9);
    expect(got == 16, 10);
  });
  CHECK(result.status == 0);
  CHECK(result.signal == 0);
}

TEST_CASE("relay: device memory is copied to named arrays only") {
  const ChildResult result = run([] {
    char* memory = nullptr;
    char array[16];
    expect(cudaMalloc(&memory, sizeof array) == cudaSuccess, 1);
    expect(cudaMemset(memory, 1, sizeof array) == cudaSuccess, 2);
    expect(violation().empty(), 3);
    const auto copy = [&](char* to, std::size_t bytes) {
      return cudaMemcpy(to, memory, bytes, cudaMemcpyDeviceToHost);
    };
    allow_copies_to(array + 4, 8);
    expect(copy(array + 4, 8) == cudaSuccess, 4);
    expect(copy(array + 6, 6) == cudaSuccess, 5);
    expect(violation().empty(), 6);
    expect(copy(array + 4, 9) == cudaErrorNotPermitted, 7);
    expect(!violation().empty(), 8);
    expect(copy(array + 3, 1) == cudaErrorNotPermitted, 9);
    expect(copy(array + 12, 1) == cudaErrorNotPermitted, 10);
    int other = 0;
    expect(cudaMemcpyFromSymbol(&other, counter, sizeof other) == cudaErrorNotPermitted, 11);
    expect(other == 0, 12);
    allow_looks([] { ++looks; });
    expect(copy(array + 4, 8) == cudaSuccess && !has_looked(), 15);
    expect(copy(array, 16) == cudaSuccess && looks == 1 && array[0] == 1, 16);
    expect(copy(array, 16) == cudaSuccess && looks == 1 && has_looked(), 17);
    refuse_look();
    expect(violation().find("16 bytes, and results changed after that") != std::string::npos, 18);
    forget_copies();
    expect(copy(array + 4, 8) == cudaErrorNotPermitted && !has_looked(), 13);
    expect(cudaMemcpy(memory + 8, memory, 8, cudaMemcpyDeviceToDevice) == cudaSuccess, 14);
  });
  CHECK(result.status == 0);
  CHECK(result.signal == 0);
}

TEST_CASE("relay: another process's allocations come and go at their addresses") {
  const ChildResult result = run([] {
    {
      const DeviceWindow window;
      expect(adopt(far_away, 4) && let_go(far_away) && adopt(far_away, 4), 17);
    }
    int* mine = nullptr;  // there is memory left for allocations of one's own
    expect(cudaMalloc(&mine, 4) == cudaSuccess, 1);
    expect(reinterpret_cast<std::uintptr_t>(mine) >= arena_base + arena_size / 2, 2);
    expect(let_go(far_away), 18);
    auto* const theirs = reinterpret_cast<int*>(far_away + 256);
    {
      const DeviceWindow window;
      expect(adopt(far_away + 256, 4000), 3);
      *theirs = 5;
      expect(!adopt(far_away + 256, 4), 4);   // lives already
      expect(!adopt(far_away + 4000, 4), 5);  // in the same pages
      expect(!adopt(arena_base + arena_size / 2, 4), 6);
      expect(!adopt(arena_base + arena_size / 2 - 4, 8), 7);
      expect(!adopt(0, 4), 8);
      expect(!adopt(far_away, 0), 9);
    }
    expect(cudaMemcpy(mine, theirs, 4, cudaMemcpyDeviceToDevice) == cudaSuccess, 10);
    expect(let_go(far_away + 256), 11);
    expect(!let_go(far_away + 256), 12);
    expect(cudaMemcpy(mine, theirs, 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue, 13);
    const DeviceWindow window;
    expect(*mine == 5, 14);
    expect(adopt(far_away + 256, 4000), 15);
    expect(*theirs == 0, 16);  // nothing of what was there before
  });
  CHECK(result.status == 0);
  CHECK(result.signal == 0);
}

TEST_CASE("relay: what was let go of is out of reach, and so is what was adopted") {
  CHECK(run([] {
          {
            const DeviceWindow window;
            expect(adopt(far_away, 4), 1);
          }
          *reinterpret_cast<volatile int*>(far_away) = 1;
        }).status == 3);
  CHECK(run([] {
          const DeviceWindow window;
          expect(adopt(far_away, 4) && let_go(far_away), 1);
          *reinterpret_cast<volatile int*>(far_away) = 1;
        }).status == 3);
}

TEST_CASE("relay: guarded memory of the host is for the API's functions") {
  static char* page = nullptr;
  page = static_cast<char*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(page != MAP_FAILED);
  const auto guard = [] {
    page[0] = 1;
    { const DeviceWindow window; }
    counter = 1000;
    guard_host_memory(reinterpret_cast<std::uintptr_t>(page), 4096);
    expect(counter == 1000, 20);  // the host's still, and not the device's
  };
  CHECK(in_child([&] {
          keep_the_rules();
          guard();
          char* memory = nullptr;
          expect(cudaMalloc(&memory, 1) == cudaSuccess, 1);
          expect(cudaMemcpy(memory, page, 1, cudaMemcpyHostToDevice) == cudaSuccess, 2);
          end_guards();
          expect(page[0] == 1, 4);
        }).status == 0);
  const ChildResult touched = in_child([&] {
    keep_the_rules();
    guard();
    static_cast<volatile char*>(page)[0] = 2;
  });
  CHECK(touched.status == 3);
  CHECK(touched.error_output.find("host code touched") != std::string::npos);
  const auto guard_and_look = [&] {
    keep_the_rules();
    allow_looks([] { ++looks; });
    guard();
    expect(!has_looked() && static_cast<volatile char*>(page)[0] == 1, 30);
    { const DeviceWindow window; }
    expect(static_cast<volatile char*>(page)[1] == 0 && looks == 1 && has_looked(), 31);
  };
  CHECK(in_child([&] {
          guard_and_look();
          expect(violation().empty(), 32);
          refuse_look();
          expect(violation().find("host code read an array") == 0, 33);
        }).status == 0);
  CHECK(in_child([&] {
          guard_and_look();
          static_cast<volatile char*>(page)[0] = 2;
        }).status == 3);
  munmap(page, 4096);
}

TEST_CASE("relay: memory that host and device share is refused, unless it is allowed") {
  const ChildResult refused = run([] {
    void* memory = nullptr;
    expect(cudaMallocHost(&memory, 1) == cudaErrorNotSupported && memory == nullptr, 1);
    expect(!violation().empty(), 2);
    expect(cudaMallocManaged(&memory, 1) == cudaErrorNotSupported, 3);
    expect(cudaMalloc(&memory, 1) == cudaSuccess, 4);
  });
  CHECK(refused.status == 0);
  const ChildResult allowed = run([] {
    share_at_most(200);
    int* managed = nullptr;
    expect(cudaMallocManaged(&managed, 100) == cudaSuccess, 1);
    *managed = 1;
    add_one<<<1, 1>>>(managed);
    expect(cudaDeviceSynchronize() == cudaSuccess && *managed == 2, 2);
    void* pinned = nullptr;
    void* more = nullptr;
    expect(cudaMallocHost(&pinned, 100) == cudaSuccess && violation().empty(), 3);
    expect(cudaFree(managed) == cudaSuccess, 4);
    expect(cudaHostAlloc(&more, 100, cudaHostAllocDefault) == cudaSuccess, 5);
    expect(cudaMallocHost(&more, 1) == cudaErrorNotSupported && !violation().empty(), 6);
  });
  CHECK(allowed.status == 0);
}
