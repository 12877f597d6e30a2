// Several devices, as EMULATOR_DEVICES=3 gives them: what each has of its own.

#include <cuda.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <thread>

namespace {

constexpr cudaError_t invalid = cudaErrorInvalidValue;

// Each test begins with devices as new.
struct Fresh {
  Fresh() {
    for (int device = 0; device < 3; ++device) {
      CHECK(cudaSetDevice(device) == cudaSuccess);
      CHECK(cudaDeviceReset() == cudaSuccess);
    }
    CHECK(cudaSetDevice(0) == cudaSuccess);
    cudaGetLastError();
  }
};

float* floats(int device, std::size_t count) {
  int before = 0;
  cudaGetDevice(&before);
  float* pointer = nullptr;
  CHECK(cudaSetDevice(device) == cudaSuccess);
  CHECK(cudaMalloc(&pointer, count * sizeof(float)) == cudaSuccess);
  cudaSetDevice(before);
  return pointer;
}

int owner_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  return attributes.device;
}

__global__ void fail() {
  __trap();
}
__global__ void set_to(int* word, int value) {
  *word = value;
}

__device__ int number = 5;
__constant__ int factor = 2;
__managed__ int shared_number = 1;
__global__ void change_variables(int* out) {
  *out = number * factor;
  number += 10;
  shared_number += 1;
}

}  // namespace

TEST_CASE("there are three devices, and each host thread uses one") {
  const Fresh fresh;
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  REQUIRE(count == 3);
  CHECK(cudaSetDevice(2) == cudaSuccess);
  CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  int device = 7;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 2);
  std::thread([] {
    int other = 7;
    CHECK(cudaGetDevice(&other) == cudaSuccess);
    CHECK(other == 0);
    CHECK(cudaSetDevice(1) == cudaSuccess);
  }).join();
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 2);
}

TEST_CASE("devices differ in what identifies them, and in nothing else") {
  const Fresh fresh;
  std::set<std::string> ids;
  std::set<std::string> buses;
  for (int device = 0; device < 3; ++device) {
    cudaDeviceProp properties{};
    CHECK(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
    ids.insert(std::string(properties.uuid.bytes, sizeof(properties.uuid.bytes)));
    CHECK(properties.pciBusID == device);
    char bus[16];
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof(bus), device) == cudaSuccess);
    buses.insert(bus);
    int found = 7;
    CHECK(cudaDeviceGetByPCIBusId(&found, bus) == cudaSuccess);
    CHECK(found == device);
    CHECK(cudaDeviceGetAttribute(&found, cudaDevAttrPciBusId, device) == cudaSuccess);
    CHECK(found == device);
    CHECK(cudaDeviceGetAttribute(&found, cudaDevAttrWarpSize, device) == cudaSuccess);
    CHECK(found == 32);
  }
  CHECK(ids.size() == 3);
  CHECK(buses.size() == 3);
}

TEST_CASE("memory is the device's that was in use") {
  const Fresh fresh;
  std::size_t before = 0;
  std::size_t total = 0;
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(before <= total);
  float* const own = floats(1, 1U << 22);
  float* const others = floats(2, 16);
  CHECK(owner_of(own) == 1);
  CHECK(owner_of(others + 15) == 2);
  std::size_t now = 0;
  CHECK(cudaMemGetInfo(&now, nullptr) == cudaSuccess);
  CHECK(now + (std::size_t{1} << 24) <= before);

  void* managed = nullptr;
  void* pinned = nullptr;
  CHECK(cudaMallocManaged(&managed, 64) == cudaSuccess);
  CHECK(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(owner_of(managed) == 1);
  CHECK(owner_of(pinned) == 1);

  // Any host thread frees any device's.
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaFree(own) == cudaSuccess);
  CHECK(cudaFree(own) == invalid);
  // A reset takes one device's.
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == invalid);
  CHECK(owner_of(others) == 2);
  CHECK(cudaFree(others) == cudaSuccess);
}

TEST_CASE("limits and modes are a device's own") {
  const Fresh fresh;
  std::size_t value = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 12345) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize) == cudaSuccess);
  CHECK(value != 12345);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize) == cudaSuccess);
  CHECK(value == 12345);
}

TEST_CASE("a failed kernel spoils its own device, until that is reset") {
  const Fresh fresh;
  CHECK(cudaSetDevice(1) == cudaSuccess);
  fail<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, 16) == cudaErrorLaunchFailure);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a stream is the device's that was in use, and so is an event") {
  const Fresh fresh;
  cudaStream_t streams[2];
  cudaEvent_t events[2];
  int* words[2];
  for (int device = 0; device < 2; ++device) {
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaStreamCreate(&streams[device]) == cudaSuccess);
    CHECK(cudaEventCreate(&events[device]) == cudaSuccess);
    CHECK(cudaMalloc(&words[device], sizeof(int)) == cudaSuccess);
    int of = 7;
    CHECK(cudaStreamGetDevice(streams[device], &of) == cudaSuccess);
    CHECK(of == device);
    CHECK(cudaStreamGetDevice(nullptr, &of) == cudaSuccess);
    CHECK(of == device);
  }
  // Device 1 is in use. A launch into the other one's stream fails, and the error is not a lasting
  // one.
  set_to<<<1, 1, 0, streams[0]>>>(words[0], 1);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  set_to<<<1, 1, 0, streams[1]>>>(words[1], 2);
  CHECK(cudaGetLastError() == cudaSuccess);
  // Copies may be in anybody's stream, and anybody may wait.
  int value = 0;
  CHECK(cudaMemcpyAsync(&value, words[1], sizeof(int), cudaMemcpyDeviceToHost, streams[1]) ==
        cudaSuccess);
  CHECK(cudaMemsetAsync(words[0], 0, sizeof(int), streams[0]) == cudaSuccess);
  CHECK(cudaStreamSynchronize(streams[0]) == cudaSuccess);
  CHECK(value == 2);

  CHECK(cudaEventRecord(events[0], streams[1]) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(events[0]) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(events[1], streams[1]) == cudaSuccess);
  CHECK(cudaEventRecord(events[0], streams[0]) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(streams[1], events[0], 0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, events[0], 0) == cudaSuccess);
  CHECK(cudaEventSynchronize(events[0]) == cudaSuccess);
  CHECK(cudaEventQuery(events[0]) == cudaSuccess);
  float time = 0;
  CHECK(cudaEventElapsedTime(&time, events[0], events[1]) == cudaErrorInvalidResourceHandle);

  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaStreamQuery(streams[1]) == cudaErrorDeviceUninitialized);
  CHECK(cudaStreamQuery(streams[0]) == cudaSuccess);
}

TEST_CASE("variables are a device's own, and managed ones everybody's") {
  const Fresh fresh;
  int* out = nullptr;
  CHECK(cudaMallocManaged(&out, sizeof(int)) == cudaSuccess);
  const int five = 5;
  const int two = 2;
  const auto run_on = [&](int device) {
    CHECK(cudaSetDevice(device) == cudaSuccess);
    change_variables<<<1, 1>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return *out;
  };
  for (int device = 0; device < 3; ++device) {
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(number, &five, sizeof(int)) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(factor, &two, sizeof(int)) == cudaSuccess);
  }
  shared_number = 1;
  CHECK(run_on(0) == 10);
  CHECK(run_on(1) == 10);
  CHECK(run_on(1) == 30);
  const int four = 4;
  CHECK(cudaMemcpyToSymbol(factor, &four, sizeof(int)) == cudaSuccess);
  CHECK(run_on(0) == 30);
  CHECK(run_on(1) == 100);
  CHECK(run_on(2) == 10);
  CHECK(shared_number == 7);
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, number, sizeof(int)) == cudaSuccess);
  CHECK(value == 15);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(&value, number, sizeof(int)) == cudaSuccess);
  CHECK(value == 35);
  // A pointer to a variable is device 0's for all that use it.
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, number) == cudaErrorNotSupported);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaGetSymbolAddress(&address, number) == cudaSuccess);
  CHECK(cudaMemcpy(&value, address, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 25);
}

TEST_CASE("a memory pool is a device's") {
  const Fresh fresh;
  cudaMemPool_t pools[2];
  for (int device = 0; device < 2; ++device) {
    CHECK(cudaDeviceGetDefaultMemPool(&pools[device], device) == cudaSuccess);
  }
  CHECK(pools[0] != pools[1]);
  CHECK(cudaDeviceGetDefaultMemPool(&pools[0], 3) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceSetMemPool(0, pools[1]) == invalid);
  void* pointer = nullptr;
  CHECK(cudaMallocFromPoolAsync(&pointer, 64, pools[1], nullptr) == cudaSuccess);
  CHECK(owner_of(pointer) == 1);
  cudaMemLocation location{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags{};
  CHECK(cudaMemPoolGetAccess(&flags, pools[1], &location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtNone);
  const cudaMemAccessDesc access{location, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pools[1], &access, 1) == cudaSuccess);
  CHECK(cudaMemPoolGetAccess(&flags, pools[1], &location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
}

TEST_CASE("the driver's contexts are of a device, which the runtime then uses") {
  const Fresh fresh;
  CHECK(cuInit(0) == CUDA_SUCCESS);
  CUcontext contexts[2];
  for (int device = 0; device < 2; ++device) {
    CHECK(cuDevicePrimaryCtxRetain(&contexts[device], device) == CUDA_SUCCESS);
  }
  CHECK(contexts[0] != contexts[1]);
  CHECK(cuCtxPushCurrent(contexts[1]) == CUDA_SUCCESS);
  CUdevice device = 7;
  CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS);
  CHECK(device == 1);
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
  CHECK(owner_of(reinterpret_cast<void*>(memory)) == 1);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuCtxPopCurrent(nullptr) == CUDA_SUCCESS);
  for (int of = 0; of < 2; ++of) CHECK(cuDevicePrimaryCtxRelease(of) == CUDA_SUCCESS);
  int able = 7;
  CHECK(cuDeviceCanAccessPeer(&able, 0, 1) == CUDA_SUCCESS);
  CHECK(able == 1);
  CHECK(cuDeviceGet(&device, 3) == CUDA_ERROR_INVALID_DEVICE);
}
