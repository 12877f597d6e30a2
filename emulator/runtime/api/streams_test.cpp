#include <chrono>
#include <thread>

#include "base/host_state.hpp"
#include "emulator/host/graphs.h"
#include "tests/support/host_test.hpp"

using namespace host_test;

namespace {

constexpr auto invalid = cudaErrorInvalidValue;
constexpr auto bad_handle = cudaErrorInvalidResourceHandle;

cudaStream_t no_stream() {
  return reinterpret_cast<cudaStream_t>(0x99);
}
cudaEvent_t no_event() {
  return reinterpret_cast<cudaEvent_t>(0x99);
}

cudaStream_t new_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

cudaEvent_t new_event(unsigned flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event, flags) == cudaSuccess);
  return event;
}

}  // namespace

TEST_CASE("streams are created and destroyed") {
  const Fresh fresh;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(nullptr) == invalid);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == invalid);
  CHECK(cudaStreamCreateWithPriority(&stream, 3, 0) == invalid);
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(stream != new_stream());
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);

  CHECK(cudaStreamDestroy(stream) == bad_handle);
  CHECK(cudaStreamQuery(stream) == bad_handle);
  CHECK(cudaStreamSynchronize(stream) == bad_handle);
  CHECK(cudaStreamQuery(no_stream()) == bad_handle);
  CHECK(cudaGetLastError() == bad_handle);
}

TEST_CASE("the default streams are always there") {
  const Fresh fresh;
  for (auto* const stream : {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
    unsigned flags = 9;
    int priority = 9;
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
    CHECK(flags == cudaStreamDefault);
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    CHECK(priority == 0);
    CHECK(cudaStreamDestroy(stream) == bad_handle);
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
  }
}

TEST_CASE("a stream keeps its access policy window, which has no effect") {
  const cudaStream_t stream = new_stream();
  constexpr auto window = cudaStreamAttributeAccessPolicyWindow;
  cudaStreamAttrValue value{};
  CHECK(cudaStreamGetAttribute(stream, window, &value) == cudaSuccess);
  CHECK(value.accessPolicyWindow.num_bytes == 0);
  value.accessPolicyWindow = {nullptr, 100, 0.5F, cudaAccessPropertyPersisting,
                              cudaAccessPropertyStreaming};
  CHECK(cudaStreamSetAttribute(stream, window, &value) == cudaSuccess);
  cudaStreamAttrValue back{};
  CHECK(cudaStreamGetAttribute(stream, window, &back) == cudaSuccess);
  CHECK(back.accessPolicyWindow.num_bytes == 100);
  CHECK(back.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
  // Another stream has its own.
  CHECK(cudaStreamGetAttribute(nullptr, window, &back) == cudaSuccess);
  CHECK(back.accessPolicyWindow.num_bytes == 0);

  CHECK(cudaStreamSetAttribute(stream, window, nullptr) == invalid);
  CHECK(cudaStreamGetAttribute(stream, window, nullptr) == invalid);
  CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value) == invalid);
  CHECK(cudaStreamSetAttribute(no_stream(), window, &value) == bad_handle);
  value.accessPolicyWindow.hitRatio = 1.5F;
  CHECK(cudaStreamSetAttribute(stream, window, &value) == invalid);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  CHECK(cudaStreamSetAttribute(stream, window, &value) == invalid);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a stream tells its flags, its priority, its number and its device") {
  const Fresh fresh;
  int least = 9;
  int greatest = 9;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least == 0);
  CHECK(greatest == -5);
  CHECK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr) == cudaSuccess);

  const auto priority_of = [](int asked) {
    cudaStream_t stream = nullptr;
    int priority = 99;
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked) == cudaSuccess);
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    return priority;
  };
  CHECK(priority_of(-3) == -3);
  CHECK(priority_of(-100) == -5);
  CHECK(priority_of(9) == 0);

  auto* const stream = new_stream(cudaStreamNonBlocking);
  unsigned flags = 9;
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  unsigned long long id = 0;
  unsigned long long other = 0;
  CHECK(cudaStreamGetId(stream, &id) == cudaSuccess);
  CHECK(cudaStreamGetId(new_stream(), &other) == cudaSuccess);
  CHECK(id != other);
  CHECK(cudaStreamGetId(nullptr, &id) == cudaSuccess);
  CHECK(cudaStreamGetId(cudaStreamLegacy, &other) == cudaSuccess);
  CHECK(id == other);
  int device = 9;
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(device == 0);
  auto status = cudaStreamCaptureStatusActive;
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusNone);

  CHECK(cudaStreamGetFlags(stream, nullptr) == invalid);
  CHECK(cudaStreamGetPriority(stream, nullptr) == invalid);
  CHECK(cudaStreamGetId(stream, nullptr) == invalid);
  CHECK(cudaStreamGetDevice(stream, nullptr) == invalid);
  CHECK(cudaStreamIsCapturing(stream, nullptr) == invalid);
  CHECK(cudaStreamGetFlags(no_stream(), &flags) == bad_handle);
  CHECK(cudaStreamGetPriority(no_stream(), &device) == bad_handle);
  CHECK(cudaStreamGetId(no_stream(), &id) == bad_handle);
  CHECK(cudaStreamGetDevice(no_stream(), &device) == bad_handle);
  CHECK(cudaStreamIsCapturing(no_stream(), &status) == bad_handle);
}

TEST_CASE("host functions run at once, and may not use the device") {
  const Fresh fresh;
  auto* const stream = new_stream();
  struct Seen {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
    int calls = 0;
  } seen;
  const cudaStreamCallback_t callback = [](cudaStream_t from, cudaError_t status, void* data) {
    Seen& it = *static_cast<Seen*>(data);
    it = {from, status, it.calls + 1};
  };
  CHECK(cudaStreamAddCallback(stream, callback, &seen, 0) == cudaSuccess);
  CHECK(seen.calls == 1);
  CHECK(seen.stream == stream);
  CHECK(seen.status == cudaSuccess);
  CHECK(cudaStreamAddCallback(stream, callback, &seen, 1) == invalid);
  CHECK(cudaStreamAddCallback(stream, nullptr, &seen, 0) == invalid);
  CHECK(cudaStreamAddCallback(no_stream(), callback, &seen, 0) == bad_handle);
  CHECK(seen.calls == 1);

  cudaError_t inside[3] = {};
  const cudaHostFn_t function = [](void* data) {
    auto* const results = static_cast<cudaError_t*>(data);
    int device = 0;
    results[0] = cudaDeviceSynchronize();
    results[1] = cudaDeviceReset();
    results[2] = cudaGetDevice(&device);  // needs no device
  };
  CHECK(cudaLaunchHostFunc(stream, function, inside) == cudaSuccess);
  CHECK(inside[0] == cudaErrorNotPermitted);
  CHECK(inside[1] == cudaErrorNotPermitted);
  CHECK(inside[2] == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(stream, nullptr, nullptr) == invalid);
  inside[2] = cudaErrorUnknown;
  CHECK(cudaLaunchHostFunc(no_stream(), function, inside) == bad_handle);
  CHECK(inside[2] == cudaErrorUnknown);
}

TEST_CASE("events are created, recorded, waited for and destroyed") {
  const Fresh fresh;
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreate(nullptr) == invalid);
  CHECK(cudaEventCreateWithFlags(&event, 8) == invalid);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess) == invalid);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) ==
        cudaSuccess);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventBlockingSync) == cudaSuccess);

  auto* const stream = new_stream();
  CHECK(cudaEventQuery(event) == cudaSuccess);  // nothing recorded, nothing to wait for
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, event) == cudaSuccess);
  CHECK(cudaEventRecord(event) == cudaSuccess);
  CHECK(cudaEventRecord(event, stream) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, event) == cudaSuccess);

  CHECK(cudaEventRecord(event, no_stream()) == bad_handle);
  CHECK(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal) == cudaErrorIllegalState);
  CHECK(cudaEventRecordWithFlags(event, stream, 2) == invalid);
  CHECK(cudaStreamWaitEvent(no_stream(), event) == bad_handle);
  CHECK(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal) == cudaErrorIllegalState);
  CHECK(cudaStreamWaitEvent(stream, event, 2) == invalid);

  CHECK(cudaEventDestroy(event) == cudaSuccess);
  for (auto* const gone : {event, cudaEvent_t{nullptr}, no_event()}) {
    CHECK(cudaEventDestroy(gone) == bad_handle);
    CHECK(cudaEventRecord(gone) == bad_handle);
    CHECK(cudaEventQuery(gone) == bad_handle);
    CHECK(cudaEventSynchronize(gone) == bad_handle);
    CHECK(cudaStreamWaitEvent(stream, gone) == bad_handle);
  }
}

TEST_CASE("the time between two events is the host's") {
  const Fresh fresh;
  auto* const start = new_event();
  auto* const end = new_event();
  auto* const untimed = new_event(cudaEventDisableTiming);
  float time = -7;
  CHECK(cudaEventElapsedTime(&time, start, end) == bad_handle);  // neither is recorded
  CHECK(cudaEventRecord(start) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&time, start, end) == bad_handle);
  CHECK(cudaEventElapsedTime(&time, end, start) == bad_handle);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(cudaEventRecord(end) == cudaSuccess);
  CHECK(time == -7);

  CHECK(cudaEventElapsedTime(&time, start, end) == cudaSuccess);
  CHECK(time >= 5.0F);
  CHECK(time < 5000.0F);
  float backwards = 0;
  CHECK(cudaEventElapsedTime(&backwards, end, start) == cudaSuccess);
  CHECK(backwards == -time);
  CHECK(cudaEventElapsedTime(&time, end, end) == cudaSuccess);
  CHECK(time == 0.0F);
  CHECK(cudaEventRecord(start) == cudaSuccess);  // the last record counts
  CHECK(cudaEventElapsedTime(&time, start, end) == cudaSuccess);
  CHECK(time <= 0.0F);

  CHECK(cudaEventRecord(untimed) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&time, start, untimed) == bad_handle);
  CHECK(cudaEventElapsedTime(&time, untimed, end) == bad_handle);
  CHECK(cudaEventElapsedTime(nullptr, start, end) == invalid);
  CHECK(cudaEventElapsedTime(&time, no_event(), end) == bad_handle);
  CHECK(cudaEventElapsedTime(&time, start, nullptr) == bad_handle);
}

TEST_CASE("a reset of the device destroys streams and events") {
  const Fresh fresh;
  auto* const stream = new_stream();
  auto* const event = new_event();
  auto* const destroyed = new_event();
  CHECK(cudaEventDestroy(destroyed) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorDeviceUninitialized);
  CHECK(cudaStreamDestroy(stream) == cudaErrorDeviceUninitialized);
  CHECK(cudaEventQuery(event) == cudaErrorDeviceUninitialized);
  CHECK(cudaEventDestroy(event) == cudaErrorDeviceUninitialized);
  CHECK(cudaEventQuery(no_event()) == bad_handle);
  CHECK(new_stream() != stream);  // handles are never used again
  CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
}
