#include <cstring>
#include <string>
#include <thread>

#include "base/host_state.hpp"
#include "emulator/host/arrays.h"
#include "tests/support/host_test.hpp"

using namespace host_test;
using emulator::api::set_error;
using emulator::api::set_sticky_error;
using emulator::api::sticky_error;

TEST_CASE("errors have CUDA's names and texts") {
  const auto name = [](int code) { return std::string(cudaGetErrorName(cudaError_t(code))); };
  const auto text = [](int code) { return std::string(cudaGetErrorString(cudaError_t(code))); };
  CHECK(name(0) == "cudaSuccess");
  CHECK(text(0) == "no error");
  CHECK(name(1) == "cudaErrorInvalidValue");
  CHECK(text(1) == "invalid argument");
  CHECK(name(2) == "cudaErrorMemoryAllocation");
  CHECK(text(2) == "out of memory");
  CHECK(name(9) == "cudaErrorInvalidConfiguration");
  CHECK(text(9) == "invalid configuration argument");
  CHECK(name(98) == "cudaErrorInvalidDeviceFunction");
  CHECK(text(400) == "invalid resource handle");
  CHECK(text(600) == "device not ready");
  CHECK(name(700) == "cudaErrorIllegalAddress");
  CHECK(text(700) == "an illegal memory access was encountered");
  CHECK(name(710) == "cudaErrorAssert");
  CHECK(text(710) == "device-side assert triggered");
  CHECK(text(719) == "unspecified launch failure");
  CHECK(text(911) == "an async error has occured in external entity outside of CUDA");
  CHECK(name(999) == "cudaErrorUnknown");
  CHECK(name(10000) == "cudaErrorApiFailureBase");
  for (const int code : {-1, 10, 11, 14, 1000, 9999, 10001, 0x7FFFFFFF}) {
    CHECK(name(code) == "unrecognized error code");
    CHECK(text(code) == "unrecognized error code");
  }
}

TEST_CASE("CUDA 13 has 134 errors") {
  int known = 0;
  for (int code = 0; code <= 10000; ++code) {
    const bool unknown =
        std::strcmp(cudaGetErrorName(cudaError_t(code)), "unrecognized error code") == 0;
    if (!unknown) ++known;
  }
  CHECK(known == 134);
}

TEST_CASE("the last error stays until it is got") {
  const Fresh fresh;
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 1) == cudaErrorInvalidValue);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);  // success leaves it alone
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);  // the newer replaces it
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  set_error(cudaErrorInvalidConfiguration);
  set_error(cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

TEST_CASE("each host thread has a last error of its own") {
  const Fresh fresh;
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  std::thread([] {
    CHECK(cudaGetLastError() == cudaSuccess);
    int local = 0;
    CHECK(cudaFree(&local) == cudaErrorInvalidValue);
  }).join();
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("a failed kernel poisons what needs the device, in every thread, until a reset") {
  const Fresh fresh;
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaMalloc(&memory, 16) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);

  set_sticky_error(cudaErrorIllegalAddress);
  set_sticky_error(cudaErrorAssert);  // the first is the one that counts
  CHECK(sticky_error() == cudaErrorIllegalAddress);
  CHECK(cudaPeekAtLastError() == cudaSuccess);  // until a call returns it
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaSuccess);

  void* pointer = nullptr;
  std::size_t size = 0;
  char byte = 0;
  int number = 0;
  float time = 0;
  cudaStream_t other_stream = nullptr;
  cudaEvent_t other_event = nullptr;
  CHECK(cudaMalloc(&pointer, 16) == cudaErrorIllegalAddress);
  CHECK(cudaFree(memory) == cudaErrorIllegalAddress);
  CHECK(cudaFree(nullptr) == cudaErrorIllegalAddress);
  CHECK(cudaHostAlloc(&pointer, 16, 0) == cudaErrorIllegalAddress);
  CHECK(cudaMemGetInfo(&size, &size) == cudaErrorIllegalAddress);
  CHECK(cudaMemcpy(memory, &byte, 1, cudaMemcpyHostToDevice) == cudaErrorIllegalAddress);
  CHECK(cudaMemset(memory, 0, 1) == cudaErrorIllegalAddress);
  CHECK(cudaStreamQuery(stream) == cudaErrorIllegalAddress);
  CHECK(cudaStreamCreate(&other_stream) == cudaErrorIllegalAddress);
  CHECK(cudaStreamDestroy(stream) == cudaErrorIllegalAddress);
  CHECK(cudaEventRecord(event) == cudaErrorIllegalAddress);
  CHECK(cudaEventCreate(&other_event) == cudaErrorIllegalAddress);
  CHECK(cudaEventElapsedTime(&time, event, event) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceGetLimit(&size, cudaLimitStackSize) == cudaErrorIllegalAddress);
  std::thread([] { CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress); }).join();

  // What needs no device still works, and senseless arguments are still found first.
  CHECK(cudaGetDevice(&number) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaGetDeviceCount(&number) == cudaSuccess);
  CHECK(cudaRuntimeGetVersion(&number) == cudaSuccess);
  CHECK(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0) == cudaSuccess);
  CHECK(cudaMemcpy(memory, &byte, 1, bad_kind_above) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(memory, &byte, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 1) == cudaErrorInvalidValue);
  CHECK(std::string(cudaGetErrorName(cudaErrorAssert)) == "cudaErrorAssert");

  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(sticky_error() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);  // a reset does not touch it
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
}

TEST_CASE("what is not modelled says so, once for each function") {
  const Fresh fresh;
  const ChildResult child = in_child([] {
    const bool right = cudaLibraryUnload(nullptr) == cudaErrorNotSupported &&
                       cudaGetLastError() == cudaErrorNotSupported &&
                       cudaLibraryUnload(nullptr) == cudaErrorNotSupported &&
                       cudaIpcCloseMemHandle(nullptr) == cudaErrorNotSupported;
    _exit(right ? 0 : 1);
  });
  CHECK(child.status == 0);
  CHECK(child.error_output ==
        "emulator: cudaLibraryUnload is not modelled\n"
        "emulator: cudaIpcCloseMemHandle is not modelled\n");
}

TEST_CASE("texels are described by their components") {
  const auto check = [](cudaChannelFormatDesc got, int x, int y, int z, int w,
                        cudaChannelFormatKind kind) {
    CHECK(got.x == x);
    CHECK(got.y == y);
    CHECK(got.z == z);
    CHECK(got.w == w);
    CHECK(got.f == kind);
  };
  check(cudaCreateChannelDesc<float>(), 32, 0, 0, 0, cudaChannelFormatKindFloat);
  check(cudaCreateChannelDesc<uchar4>(), 8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  check(cudaCreateChannelDesc<short2>(), 16, 16, 0, 0, cudaChannelFormatKindSigned);
}
