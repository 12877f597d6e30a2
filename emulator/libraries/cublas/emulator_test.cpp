/// \file
/// What only the emulator's cuBLAS promises: its messages, what it notices and a GPU does not.

#include <cublasLt.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>

#include "base/host_state.hpp"
#include "emulator/host/graphs.h"
#include "emulator/stream_work.h"
#include "libraries/cublas/compute.hpp"
#include "libraries/cublas/cublas_test.hpp"
#include "libraries/cublas/messages_test.hpp"
#include "tests/support/host_test.hpp"

using namespace cublas_test;
using host_test::Fresh;

namespace {

constexpr auto failed = CUBLAS_STATUS_EXECUTION_FAILED;
constexpr std::int64_t big = std::int64_t{1} << 40;

cublasStatus_t product(cublasHandle_t handle, const float* a, const float* x, float* y) {
  return cublasSgemv(handle, op_n, 2, 2, &one, a, 2, x, 1, &one, y, 1);
}

}  // namespace

// The library of CUDA 13, asked on an H200, takes all of these for right, or crashes.
TEST_CASE("cublas: stricter than the library, as the manual has it") {
  const Fresh fresh;
  const Handle handle;
  const OnDevice a({1, 2, 3, 4});
  float* const d = a.get();
  const auto none = static_cast<cublasOperation_t>(9);
  CHECK(cublasSgemv(handle, none, 2, 2, &one, d, 2, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, CUBLAS_OP_CONJG, 1, 1, &one, d, 1, d, 1, &one, d + 1, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, -1, 2, &one, d, 2, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, 2, -1, &one, d, 2, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_t, 2, 1, &one, d, 1, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, 2, 2, &one, d, 2, d, 0, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, 2, 2, &one, d, 2, d, 1, &one, d, 0) == invalid);
  CHECK(cublasSgemv(handle, op_n, 0, 2, &one, d, 0, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, 2, 2, nullptr, d, 2, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemv(handle, op_n, 2, 2, &one, d, 2, d, 1, nullptr, d, 1) == invalid);
  CHECK(cublasSgemv(nullptr, op_n, 0, 1, &one, d, 2, d, 1, &one, d, 1) == no_handle);
  CHECK(cublasSgeam(handle, op_n, op_n, 1, 1, nullptr, d, 1, &one, d + 1, 1, d + 2, 1) == invalid);
  CHECK(cublasSgeam(handle, op_n, op_n, 1, 1, &one, d, 1, nullptr, d + 1, 1, d + 2, 1) == invalid);
  CHECK(cublasSetMathMode(handle, static_cast<cublasMath_t>(7)) == invalid);
  CHECK(cublasSetSmCountTarget(handle, 17) == invalid);  // of 16
  CHECK(cublasSetWorkspace(handle, d, 8) == success);
  CHECK(cublasSetWorkspace(handle, d + 1, 4) == invalid);
  // Neither has this operation of its matrix, as the manual has it.
  auto* const c = reinterpret_cast<cuComplex*>(d);
  const cuComplex factor = {1, 0};
  CHECK(cublasCherk(handle, CUBLAS_FILL_MODE_UPPER, op_t, 1, 1, &one, c, 1, &one, c + 1, 1) ==
        invalid);
  CHECK(cublasCsyrk(handle, CUBLAS_FILL_MODE_UPPER, op_c, 1, 1, &factor, c, 1, &factor, c + 1, 1) ==
        invalid);
  CHECK(cublasLtMatmul(nullptr, nullptr, &one, d, nullptr, d, nullptr, &zero, d, nullptr, d,
                       nullptr, nullptr, nullptr, 0, nullptr) == no_handle);
  cublasLtHandle_t lt = nullptr;
  REQUIRE(cublasLtCreate(&lt) == success);
  CHECK(cublasLtMatmul(lt, nullptr, &one, d, nullptr, d, nullptr, &zero, d, nullptr, d, nullptr,
                       nullptr, nullptr, 0, nullptr) == invalid);
  CHECK(cublasLtDestroy(lt) == success);
  CHECK(a.numbers() == Numbers{1, 2, 3, 4});
}

// The library refused the like of this on an H200, for no reason that its manual gives.
TEST_CASE("cublas: one element travels as a matrix without a wait") {
  const Fresh fresh;
  const OnDevice b({1, 2, 3});
  const float number = 7;
  CHECK(cublasSetMatrixAsync(1, 1, 4, &number, 1, b.get() + 2, 1, nullptr) == success);
  CHECK(b.numbers() == Numbers{1, 2, 7});
}

TEST_CASE("cublas: a destroyed handle is noticed") {
  const Fresh fresh;
  cublasHandle_t handle = nullptr;
  cublasHandle_t other = nullptr;
  REQUIRE(cublasCreate(&handle) == success);
  CHECK(cublasDestroy(handle) == success);
  REQUIRE(cublasCreate(&other) == success);
  CHECK(other != handle);
  CHECK(cublasDestroy(handle) == no_handle);
  CHECK(cublasSetStream(handle, nullptr) == no_handle);
  CHECK(product(handle, nullptr, nullptr, nullptr) == no_handle);
  CHECK(cublasDestroy(other) == success);
}

TEST_CASE("cublas: a handle outlives a reset of the device, its stream does not") {
  const Fresh fresh;
  const Handle handle;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cublasSetStream(handle, stream) == success);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  const OnDevice numbers({1, 2, 3, 4});
  CHECK(product(handle, numbers.get(), numbers.get(), numbers.get()) == failed);
  CHECK(cublasSetStream(handle, stream) == invalid);
  CHECK(cublasSetStream(handle, nullptr) == success);
  CHECK(product(handle, numbers.get(), numbers.get(), numbers.get() + 2) == success);
  CHECK(numbers.numbers() == Numbers{1, 2, 10, 14});
}

TEST_CASE("cublas: an operand beyond its allocation is told, and fails the device") {
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgemv(handle, op_n, 2, 2, &one, d, 2, d + 1, 3, &one, d, 1);
        }) ==
        "emulator: cublasSgemv: x needs 4 floats, its allocation holds 3 from there: illegal "
        "address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgemv(handle, op_t, 2, 2, &one, d, 2, d, 1, &one, d + 2, -2);
        }) ==
        "emulator: cublasSgemv: y needs 3 floats, its allocation holds 2 from there: illegal "
        "address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgemm(handle, op_n, op_t, 1, 2, 1, &one, d, 1, d, 4, &one, d, 4);
        }) ==
        "emulator: cublasSgemm: C needs 5 floats, its allocation holds 4 from there: illegal "
        "address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgemm(handle, op_n, op_t, 1, 4, 2, &one, d, 1, d, 4, &one, d, 1);
        }) ==
        "emulator: cublasSgemm: B needs 8 floats, its allocation holds 4 from there: illegal "
        "address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgeam(handle, op_t, op_n, 1, 2, &one, d, 3, &zero, nullptr, 1, d + 3, 1);
        }) ==
        "emulator: cublasSgeam: C needs 2 floats, its allocation holds 1 from there: illegal "
        "address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgeam(handle, op_n, op_n, 1, 2, &one, d, 4, &zero, nullptr, 1, d, 2);
        }) ==
        "emulator: cublasSgeam: C may be A or B only with CUBLAS_OP_N and one leading "
        "dimension\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgeam(handle, op_n, op_n, 1, 2, &zero, nullptr, 4, &one, d, 4, d + 2, 1);
        }) ==
        "emulator: cublasSgeam: B needs 5 floats, its allocation holds 4 from there: illegal "
        "address\n");
}

TEST_CASE("cublas: an operand the device cannot reach is told") {
  float host[4] = {};
  CHECK(messages_of<float>([&](cublasHandle_t handle, float* d) { product(handle, host, d, d); }) ==
        "emulator: cublasSgemv: A is not in memory that the device can reach: illegal address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          product(handle, d, nullptr, d);
        }) == "emulator: cublasSgemv: x is a null pointer: illegal address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          product(handle, d, d, reinterpret_cast<float*>(reinterpret_cast<char*>(d) + 2));
        }) == "emulator: cublasSgemv: y is not aligned to 4 bytes: misaligned address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
          product(handle, d, d, d);
        }) ==
        "emulator: cublasSgemv: alpha is not in memory that the device can reach: illegal "
        "address\n");
  CHECK(messages_of<float>([](cublasHandle_t handle, float* d) {
          cublasSgemv(handle, op_n, 2, 2, &one, d, 2, d, 1, d, d, 1);
        }) ==
        "emulator: cublasSgemv: beta points to device memory, the handle's mode is "
        "CUBLAS_POINTER_MODE_HOST: a GPU's host would crash\n");
}

TEST_CASE("cublas: after an illegal address nothing works until the device is reset") {
  const Fresh fresh;
  const Handle handle;
  {
    const OnDevice numbers({1, 2, 3, 4});
    float* const d = numbers.get();
    CHECK(host_test::in_child([&] {
            const bool as_told = product(handle, d, nullptr, d) == failed &&
                                 cudaGetLastError() == cudaSuccess &&
                                 cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
                                 product(handle, d, d, d) == failed &&
                                 cublasSetVector(1, 4, &one, 1, d, 1) == mapping_error;
            cublasHandle_t other = nullptr;
            _exit(as_told && cublasCreate(&other) == no_handle &&
                          cudaDeviceReset() == cudaSuccess && cublasCreate(&other) == success
                      ? 42
                      : 1);
          }).status == 42);
  }
}

TEST_CASE("cublas: the host waits for a result of its own, and for no other") {
  const Fresh fresh;
  const Handle handle;
  const OnDevice numbers({1, 2, 3, 4});
  const auto host_waits = [&](cublasPointerMode_t mode, float* result) {
    CHECK(cublasSetPointerMode(handle, mode) == success);
    emulator::note_stream_work(true);
    CHECK(cublasSnrm2(handle, 2, numbers.get(), 1, result) == success);
    CHECK(cublasScopy(handle, 1, numbers.get(), 1, numbers.get() + 2, 1) == success);
    const std::vector<emulator::StreamWork> work = emulator::stream_work();
    emulator::note_stream_work(false);
    REQUIRE(work.size() == 2);
    CHECK(work[0].name == "cublasSnrm2");
    return std::any_of(work[1].after.begin(), work[1].after.end(), [](const auto& wait) {
      return wait.why == emulator::StreamWork::Why::host;
    });
  };
  float norm = 0;
  CHECK(host_waits(CUBLAS_POINTER_MODE_HOST, &norm));
  CHECK_FALSE(host_waits(CUBLAS_POINTER_MODE_DEVICE, numbers.get() + 3));
}

TEST_CASE("cublas: pinned, managed and registered memory will do") {
  const Fresh fresh;
  const Handle handle;
  float* pinned = nullptr;
  float* managed = nullptr;
  float registered[2] = {1, 1};
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 8) == cudaSuccess);
  REQUIRE(cudaHostRegister(registered, 8, cudaHostRegisterDefault) == cudaSuccess);
  for (int i = 0; i < 4; ++i) pinned[i] = static_cast<float>(i + 1);
  managed[0] = 1;
  managed[1] = 10;
  CHECK(product(handle, pinned, managed, registered) == success);
  CHECK(registered[0] == 32);
  CHECK(registered[1] == 43);
  CHECK(cudaHostUnregister(registered) == cudaSuccess);
}

TEST_CASE("cublas: a host function called from a stream must not use it") {
  const Fresh fresh;
  const Handle handle;
  const OnDevice numbers({1, 2, 3, 4});
  struct Call {
    cublasHandle_t handle;
    float* numbers;
    cublasStatus_t product;
    cublasStatus_t copy;
  } call{handle, numbers.get(), success, success};
  CHECK(cudaLaunchHostFunc(
            nullptr,
            [](void* data) {
              Call& c = *static_cast<Call*>(data);
              c.product = product(c.handle, c.numbers, c.numbers, c.numbers);
              c.copy = cublasSetVector(1, 4, &one, 1, c.numbers, 1);
            },
            &call) == cudaSuccess);
  CHECK(call.product == failed);
  CHECK(call.copy == mapping_error);
  CHECK(numbers.numbers() == Numbers{1, 2, 3, 4});
}

TEST_CASE("cublas: functions that are not modelled say so once") {
  const auto child = host_test::in_child([] {
    const auto solve = [] { return cublasSgelsBatched(1, 2); };
    const bool as_told =
        solve() == CUBLAS_STATUS_NOT_SUPPORTED && solve() == CUBLAS_STATUS_NOT_SUPPORTED &&
        cublasDgelsBatched_64() == CUBLAS_STATUS_NOT_SUPPORTED && cudaGetLastError() == cudaSuccess;
    _exit(as_told ? 42 : 1);
  });
  CHECK(child.status == 42);
  CHECK(child.error_output ==
        "emulator: cublasSgelsBatched is not modelled\n"
        "emulator: cublasDgelsBatched_64 is not modelled\n");
}

TEST_CASE("cublas: a copy that fails leaves the program's last error alone") {
  const Fresh fresh;
  float host[2] = {};
  CHECK(cudaFree(host) == cudaErrorInvalidValue);
  CHECK(cublasSetVector(1, 4, host, 1, host + 1, 1) == mapping_error);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("cublas: threads may share a handle, and make their own") {
  const Fresh fresh;
  const Handle shared;
  int wrong[4] = {};
  std::vector<std::thread> threads;
  for (int& errors : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const Handle own;
        const OnDevice a({1, 2, 3, 4});
        const OnDevice y({0, 0});
        const auto handle = i % 2 == 0 ? cublasHandle_t{own} : cublasHandle_t{shared};
        if (product(handle, a.get(), a.get(), y.get()) != success) ++errors;
        if (y.numbers() != Numbers{7, 10}) ++errors;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int errors : wrong) CHECK(errors == 0);
}
