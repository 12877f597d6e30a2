#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "base/host_state.hpp"
#include "tests/support/host_test.hpp"

using namespace host_test;
using emulator::api::Allocation;
using emulator::api::arena_base;
using emulator::api::arena_size;
using emulator::api::find_allocation;
using emulator::api::MemoryKind;

namespace {

constexpr auto invalid = cudaErrorInvalidValue;

std::uintptr_t number(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

bool in_arena(const void* pointer) {
  return number(pointer) - arena_base < arena_size;
}

}  // namespace

TEST_CASE("allocations lie in the arena, aligned and apart") {
  const Fresh fresh;
  std::vector<char*> pointers;
  for (const std::size_t size : {1U, 255U, 256U, 257U, 4095U, 4096U, 4097U, 100000U}) {
    char* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, size) == cudaSuccess);
    CHECK(in_arena(pointer));
    CHECK(number(pointer) % 256 == 0);
    std::memset(pointer, 0x5A, size);
    for (const char* const other : pointers) CHECK(pointer >= other + 4096);
    pointers.push_back(pointer);
  }
  for (char* const pointer : pointers) CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("asking for nothing, and for too much") {
  const Fresh fresh;
  int mark = 0;
  void* pointer = &mark;
  CHECK(cudaMalloc(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  for (const std::size_t size : {huge, huge - 4095, arena_size, arena_size / 2, huge / 2 + 1}) {
    pointer = &mark;
    CHECK(cudaMalloc(&pointer, size) == cudaErrorMemoryAllocation);
    CHECK(pointer == nullptr);
    CHECK(cudaMallocManaged(&pointer, size) == cudaErrorMemoryAllocation);
    CHECK(cudaHostAlloc(&pointer, size, 0) == cudaErrorMemoryAllocation);
  }
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 1) == invalid);
  CHECK(cudaMallocHost(static_cast<void**>(nullptr), 1) == invalid);
  CHECK(cudaMallocManaged(static_cast<void**>(nullptr), 1) == invalid);
  CHECK(cudaMallocAsync(static_cast<void**>(nullptr), 1, nullptr) == invalid);
}

TEST_CASE("what is allocated counts, although no page of it was touched") {
  const Fresh fresh;
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  CHECK(free_bytes > 0);
  CHECK(free_bytes <= total);
  const Block most(free_bytes / 4 * 3);
  std::size_t left = 0;
  REQUIRE(cudaMemGetInfo(&left, nullptr) == cudaSuccess);
  CHECK(left <= free_bytes / 2);
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, free_bytes / 2) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&pointer, left / 2) == cudaSuccess);
  CHECK(cudaMemGetInfo(nullptr, nullptr) == cudaSuccess);
}

TEST_CASE("only the start of a live allocation of the right kind can be freed") {
  const Fresh fresh;
  char* device = nullptr;
  char* pinned = nullptr;
  char* managed = nullptr;
  int local = 0;
  REQUIRE(cudaMalloc(&device, 1000) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 1000) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  CHECK(cudaFree(device + 4) == invalid);
  CHECK(cudaFree(device + 1000) == invalid);
  CHECK(cudaFree(&local) == invalid);
  CHECK(cudaFree(pinned) == invalid);
  CHECK(cudaFreeHost(device) == invalid);
  CHECK(cudaFreeHost(managed) == invalid);
  CHECK(cudaFreeHost(pinned + 4) == invalid);
  CHECK(cudaFreeHost(&local) == invalid);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(pinned, nullptr) == invalid);
  CHECK(cudaFreeAsync(managed, nullptr) == invalid);

  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(device) == invalid);
  CHECK(cudaFree(managed) == invalid);
  CHECK(cudaFreeHost(pinned) == invalid);
  CHECK(cudaGetLastError() == invalid);
}

TEST_CASE("allocation in a stream") {
  const Fresh fresh;
  const auto bad = reinterpret_cast<cudaStream_t>(0x99);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  char* pointer = nullptr;
  CHECK(cudaMallocAsync(&pointer, 100, stream) == cudaSuccess);
  std::memset(pointer, 1, 100);
  CHECK(cudaFreeAsync(pointer, bad) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeAsync(pointer, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, stream) == invalid);
  CHECK(cudaFreeAsync(nullptr, stream) == cudaSuccess);
  CHECK(cudaMallocAsync(&pointer, 100, bad) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMallocAsync(&pointer, huge, stream) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocAsync(&pointer, 0, stream) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMalloc(&pointer, 8) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaMallocAsync(&pointer, 8, nullptr) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("flags of managed and pinned memory") {
  const Fresh fresh;
  char* pointer = nullptr;
  for (const unsigned flags : {0U, 3U, 4U, 8U}) {
    CHECK(cudaMallocManaged(&pointer, 8, flags) == invalid);
  }
  CHECK(cudaMallocManaged(&pointer, 8, cudaMemAttachHost) == cudaSuccess);
  CHECK(cudaMallocManaged(&pointer, 0) == cudaSuccess);
  CHECK(cudaHostAlloc(&pointer, 8, 8) == invalid);
  unsigned flags = 99;
  CHECK(cudaHostAlloc(&pointer, 8, 0) == cudaSuccess);
  CHECK(cudaHostGetFlags(&flags, pointer + 7) == cudaSuccess);
  CHECK(flags == cudaHostAllocMapped);
  CHECK(cudaHostAlloc(&pointer, 8, 7) == cudaSuccess);
  CHECK(cudaHostGetFlags(&flags, pointer) == cudaSuccess);
  CHECK(flags == 7);
  CHECK(cudaHostGetFlags(nullptr, pointer) == invalid);
  CHECK(cudaHostGetFlags(&flags, &flags) == invalid);
  CHECK(cudaMallocHost(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMallocHost(&pointer, 8, cudaHostAllocWriteCombined) == cudaSuccess);
}

TEST_CASE("device pointers of host memory") {
  const Fresh fresh;
  char* pinned = nullptr;
  char* managed = nullptr;
  const Block device(8);
  int local = 0;
  REQUIRE(cudaMallocHost(&pinned, 100) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 100) == cudaSuccess);
  char* pointer = nullptr;
  CHECK(cudaHostGetDevicePointer(&pointer, pinned, 0) == cudaSuccess);
  CHECK(pointer == pinned);
  CHECK(cudaHostGetDevicePointer(&pointer, pinned + 9, 0) == cudaSuccess);
  CHECK(pointer == pinned + 9);
  CHECK(cudaHostGetDevicePointer(&pointer, pinned, 1) == invalid);
  CHECK(cudaHostGetDevicePointer(static_cast<void**>(nullptr), pinned, 0) == invalid);
  CHECK(cudaHostGetDevicePointer(&pointer, pinned + 100, 0) == invalid);
  CHECK(cudaHostGetDevicePointer(&pointer, managed, 0) == invalid);
  CHECK(cudaHostGetDevicePointer(&pointer, device.get(), 0) == invalid);
  CHECK(cudaHostGetDevicePointer(&pointer, &local, 0) == invalid);
}

TEST_CASE("the program's own memory can be registered") {
  const Fresh fresh;
  std::vector<char> memory(5000);
  char* const host = memory.data() + 4;
  const Block device(100);
  char* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 100) == cudaSuccess);
  CHECK(cudaHostRegister(nullptr, 9, 0) == invalid);
  CHECK(cudaHostRegister(host, 0, 0) == invalid);
  CHECK(cudaHostRegister(host, 9, 16) == invalid);
  CHECK(cudaHostRegister(host, huge, 0) == invalid);
  CHECK(cudaHostRegister(device.get(), 9, 0) == invalid);
  CHECK(cudaHostRegister(pinned, 9, 0) == invalid);

  CHECK(cudaHostRegister(host, 1000, cudaHostRegisterPortable) == cudaSuccess);
  CHECK(cudaHostRegister(host, 1000, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(host + 999, 1, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(host - 4, 5, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(host - 4, 2000, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(host + 1000, 8, 0) == cudaSuccess);
  CHECK(cudaHostRegister(host - 4, 4, 0) == cudaSuccess);
  char* pointer = nullptr;
  unsigned flags = 0;
  CHECK(cudaHostGetDevicePointer(&pointer, host + 5, 0) == cudaSuccess);
  CHECK(pointer == host + 5);
  CHECK(cudaHostGetFlags(&flags, host) == cudaSuccess);
  CHECK(flags == (cudaHostRegisterPortable | cudaHostRegisterMapped));

  CHECK(cudaHostUnregister(nullptr) == invalid);
  CHECK(cudaHostUnregister(host + 1) == invalid);
  CHECK(cudaHostUnregister(pinned) == invalid);
  CHECK(cudaFreeHost(host) == invalid);
  CHECK(cudaHostUnregister(host) == cudaSuccess);
  CHECK(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostUnregister(&flags) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostRegister(host, 1000, 0) == cudaSuccess);
}

TEST_CASE("pitched allocations") {
  const Fresh fresh;
  int mark = 0;
  void* pointer = nullptr;
  std::size_t pitch = 7;
  CHECK(cudaMallocPitch(&pointer, &pitch, 100, 10) == cudaSuccess);
  CHECK(pitch == 512);
  std::memset(pointer, 0, pitch * 10);
  CHECK(cudaMallocPitch(&pointer, &pitch, 513, 1) == cudaSuccess);
  CHECK(pitch == 1024);
  CHECK(number(pointer) % 512 == 0);
  for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{0, 10}, {10, 0}}) {
    pointer = &mark;
    CHECK(cudaMallocPitch(&pointer, &pitch, width, height) == cudaSuccess);
    CHECK(pointer == nullptr);
    CHECK(pitch == 0);
  }
  CHECK(cudaMallocPitch(&pointer, &pitch, 0x80000000, 1) == invalid);
  CHECK(cudaMallocPitch(&pointer, &pitch, huge, 1) == invalid);
  CHECK(cudaMallocPitch(&pointer, &pitch, 1, huge) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocPitch(&pointer, &pitch, 0x7FFFFFFF, huge / 0x80000000 + 2) ==
        cudaErrorMemoryAllocation);
  CHECK(cudaMallocPitch(&pointer, nullptr, 1, 1) == invalid);
  CHECK(cudaMallocPitch(static_cast<void**>(nullptr), &pitch, 1, 1) == invalid);

  cudaPitchedPtr box{};
  CHECK(cudaMalloc3D(&box, make_cudaExtent(100, 3, 2)) == cudaSuccess);
  CHECK(box.pitch == 512);
  CHECK(box.xsize == 100);
  CHECK(box.ysize == 3);
  std::memset(box.ptr, 0, 512UL * 6);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
  CHECK(cudaMalloc3D(&box, make_cudaExtent(100, 0, 2)) == cudaSuccess);
  CHECK(box.ptr == nullptr);
  CHECK(cudaMalloc3D(&box, make_cudaExtent(1, huge, huge)) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc3D(&box, make_cudaExtent(1, huge / 2 + 1, 2)) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc3D(nullptr, make_cudaExtent(1, 1, 1)) == invalid);
}

TEST_CASE("what a pointer points to") {
  const Fresh fresh;
  char* device = nullptr;
  char* pinned = nullptr;
  char* managed = nullptr;
  char registered[8];
  char local[8];
  REQUIRE(cudaMalloc(&device, 1000) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 1000) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  REQUIRE(cudaHostRegister(registered, 8, 0) == cudaSuccess);
  const auto check = [](const void* pointer, cudaMemoryType type, int owner, bool on_device,
                        bool on_host) {
    cudaPointerAttributes got{};
    CHECK(cudaPointerGetAttributes(&got, pointer) == cudaSuccess);
    CHECK(got.type == type);
    CHECK(got.device == owner);
    CHECK(got.devicePointer == (on_device ? pointer : nullptr));
    CHECK(got.hostPointer == (on_host ? pointer : nullptr));
  };
  check(device, cudaMemoryTypeDevice, 0, true, false);
  check(device + 999, cudaMemoryTypeDevice, 0, true, false);
  check(device + 1000, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, true);
  check(device - 1, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, true);
  check(pinned, cudaMemoryTypeHost, 0, true, true);
  check(managed + 1, cudaMemoryTypeManaged, 0, true, true);
  check(registered + 7, cudaMemoryTypeHost, 0, true, true);
  check(local, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, true);
  check(nullptr, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, false);
  CHECK(cudaFree(device) == cudaSuccess);
  check(device, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, true);
  CHECK(cudaPointerGetAttributes(nullptr, device) == invalid);
}

TEST_CASE("hints about managed memory are checked") {
  const Fresh fresh;
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
  const cudaMemLocation no_device{cudaMemLocationTypeDevice, 3};
  const cudaMemLocation host{cudaMemLocationTypeHost, 0};
  const cudaMemLocation numa{cudaMemLocationTypeHostNumaCurrent, 0};
  const cudaMemLocation nowhere{cudaMemLocationTypeInvalid, 0};
  const cudaMemLocation unknown{static_cast<cudaMemLocationType>(9), 0};
  const Block plain(100);
  char* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  const auto no_stream = reinterpret_cast<cudaStream_t>(0x99);

  CHECK(cudaMemPrefetchAsync(managed, 1000, device, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed + 1, 999, host, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 9, numa, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 1001, device, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(managed + 1, 1000, device, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(managed, huge, device, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(managed, 0, device, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(managed, 1000, no_device, 0) == cudaErrorInvalidDevice);
  CHECK(cudaMemPrefetchAsync(managed, 1000, nowhere, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(managed, 1000, unknown, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(managed, 1000, device, 1) == invalid);
  CHECK(cudaMemPrefetchAsync(managed, 9, device, 0, no_stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemPrefetchAsync(plain.get(), 100, device, 0) == invalid);
  CHECK(cudaMemPrefetchAsync(&device, 4, device, 0) == invalid);

  CHECK(cudaMemAdvise(managed, 1000, cudaMemAdviseSetReadMostly, nowhere) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 1000, cudaMemAdviseSetPreferredLocation, host) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 9, cudaMemAdviseSetPreferredLocation, device) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 9, cudaMemAdviseSetPreferredLocation, numa) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 9, cudaMemAdviseUnsetPreferredLocation, nowhere) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 9, cudaMemAdviseUnsetAccessedBy, device) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 1000, cudaMemAdviseSetPreferredLocation, no_device) == invalid);
  CHECK(cudaMemAdvise(managed, 1000, cudaMemAdviseSetAccessedBy, unknown) == invalid);
  CHECK(cudaMemAdvise(managed, 1000, static_cast<cudaMemoryAdvise>(0), device) == invalid);
  CHECK(cudaMemAdvise(managed, 1000, static_cast<cudaMemoryAdvise>(7), device) == invalid);
  CHECK(cudaMemAdvise(managed, 1001, cudaMemAdviseSetReadMostly, device) == invalid);
  CHECK(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, device) == invalid);
  CHECK(cudaMemAdvise(plain.get(), 100, cudaMemAdviseSetReadMostly, device) == invalid);

  CHECK(cudaStreamAttachMemAsync(nullptr, managed) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 1000, cudaMemAttachGlobal) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 999) == invalid);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed + 1) == invalid);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 0, 3) == invalid);
  CHECK(cudaStreamAttachMemAsync(nullptr, plain.get()) == invalid);
  CHECK(cudaStreamAttachMemAsync(no_stream, managed) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a reset of the device frees everything") {
  const Fresh fresh;
  char* device = nullptr;
  char* pinned = nullptr;
  char registered[8];
  REQUIRE(cudaMalloc(&device, 1000) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 1000) == cudaSuccess);
  REQUIRE(cudaHostRegister(registered, 8, 0) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaFree(device) == invalid);
  CHECK(cudaFreeHost(pinned) == invalid);
  CHECK(cudaHostUnregister(registered) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaMemset(device, 0, 1) == invalid);
  CHECK(find_allocation(device) == nullptr);
  CHECK(in_child([&] { *static_cast<volatile char*>(pinned) = 1; }).signal == SIGSEGV);
  CHECK(cudaMalloc(&device, 1000) == cudaSuccess);
}

TEST_CASE("the engine can ask what lies at an address") {
  const Fresh fresh;
  char* first = nullptr;
  char* second = nullptr;
  REQUIRE(cudaMalloc(&first, 1000) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&second, 24, cudaMemAttachHost) == cudaSuccess);
  const Allocation* const found = find_allocation(first + 999);
  REQUIRE(found != nullptr);
  CHECK(found->base == number(first));
  CHECK(found->size == 1000);
  CHECK(found->kind == MemoryKind::device);
  CHECK(find_allocation(first) == found);
  CHECK(find_allocation(first + 1000) == nullptr);
  CHECK(find_allocation(first - 1) == nullptr);
  const Allocation* const other = find_allocation(second);
  REQUIRE(other != nullptr);
  CHECK(other->kind == MemoryKind::managed);
  CHECK(other->flags == cudaMemAttachHost);
  CHECK(other->serial == found->serial + 1);
  CHECK(find_allocation(nullptr) == nullptr);
  CHECK(find_allocation(&first) == nullptr);
}

TEST_CASE("threads may allocate and free at the same time") {
  const Fresh fresh;
  std::vector<std::thread> threads;
  for (int t = 1; t <= 4; ++t) {
    threads.emplace_back([t] {
      bool good = true;
      for (int i = 0; i < 100; ++i) {
        const std::size_t size = static_cast<std::size_t>(t) * 1000;
        unsigned char* pointer = nullptr;
        good = good && cudaMalloc(&pointer, size) == cudaSuccess;
        good = good && cudaMemset(pointer, t, size) == cudaSuccess;
        good = good && pointer[0] == t && pointer[size - 1] == t;
        good = good && find_allocation(pointer)->size == size;
        good = good && cudaFree(pointer) == cudaSuccess;
      }
      CHECK(good);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
