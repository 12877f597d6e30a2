// Several devices, as EMULATOR_DEVICES=3 gives them: what they do with each other's memory.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "emulator/traffic.h"

namespace {

constexpr cudaError_t invalid = cudaErrorInvalidValue;
constexpr int count = 64;

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

// Device memory, set to `value` by its own device.
__global__ void set_all(int* words, int value) {
  words[threadIdx.x] = value;
}
int* words_of(int device, int value) {
  int before = 0;
  cudaGetDevice(&before);
  int* words = nullptr;
  CHECK(cudaSetDevice(device) == cudaSuccess);
  CHECK(cudaMalloc(&words, count * sizeof(int)) == cudaSuccess);
  set_all<<<1, count>>>(words, value);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaSetDevice(before) == cudaSuccess);
  return words;
}

int first_of(const int* words) {
  int value = 0;
  CHECK(cudaMemcpy(&value, words, sizeof(value), cudaMemcpyDefault) == cudaSuccess);
  return value;
}

__global__ void add(int* out, const int* in) {
  out[threadIdx.x] += in[threadIdx.x];
}
__global__ void count_up(int* word) {
  atomicAdd_system(word, 1);
}

}  // namespace

TEST_CASE("peer access: what is asked, enabled and disabled") {
  const Fresh fresh;
  int able = 7;
  CHECK(cudaDeviceCanAccessPeer(&able, 0, 1) == cudaSuccess);
  CHECK(able == 1);
  CHECK(cudaDeviceCanAccessPeer(&able, 1, 1) == cudaSuccess);
  CHECK(able == 0);
  CHECK(cudaDeviceCanAccessPeer(&able, 0, 3) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceCanAccessPeer(nullptr, 0, 1) == invalid);

  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaDeviceEnablePeerAccess(1, 1) == invalid);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceEnablePeerAccess(3, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceDisablePeerAccess(3) == cudaErrorInvalidDevice);
  // It holds in one direction.
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  // A reset ends it.
  CHECK(cudaDeviceEnablePeerAccess(2, 0) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(2) == cudaErrorPeerAccessNotEnabled);

  int value = 7;
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 1, 2) ==
        cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1) ==
        cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(99), 0, 1) == invalid);
}

TEST_CASE("copies between devices need no peer access") {
  const Fresh fresh;
  int* const a = words_of(0, 1);
  int* const b = words_of(1, 2);
  int* const c = words_of(2, 3);
  constexpr std::size_t bytes = count * sizeof(int);
  CHECK(cudaMemcpyPeer(a, 0, b, 1, bytes) == cudaSuccess);
  CHECK(first_of(a) == 2);
  CHECK(cudaMemcpyPeerAsync(b, 1, c, 2, bytes, nullptr) == cudaSuccess);
  CHECK(first_of(b) == 3);
  CHECK(cudaMemcpy(c, a, bytes, cudaMemcpyDefault) == cudaSuccess);
  CHECK(first_of(c) == 2);
  CHECK(cudaMemcpy(a, b, bytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(first_of(a) == 3);
  CHECK(cudaMemcpyPeer(a, 1, b, 1, bytes) == invalid);
  CHECK(cudaMemcpyPeer(a, 0, b, 0, bytes) == invalid);
  CHECK(cudaMemcpyPeer(a, 0, b, 3, bytes) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeer(a, 0, b, 1, bytes + 1) == invalid);

  cudaMemcpy3DPeerParms box{};
  box.srcPtr = make_cudaPitchedPtr(c, 32, 8, 8);
  box.srcDevice = 2;
  box.dstPtr = make_cudaPitchedPtr(a, 32, 8, 8);
  box.dstDevice = 0;
  box.extent = make_cudaExtent(32, 8, 1);
  CHECK(cudaMemcpy3DPeer(&box) == cudaSuccess);
  CHECK(first_of(a) == 2);
  box.dstDevice = 1;
  CHECK(cudaMemcpy3DPeerAsync(&box) == invalid);
  box.dstDevice = 3;
  CHECK(cudaMemcpy3DPeerAsync(&box) == cudaErrorInvalidDevice);
}

TEST_CASE("a copy between devices in the default stream comes after all that both do, and before") {
  const Fresh fresh;
  int* const a = words_of(0, 1);
  int* const b = words_of(1, 2);
  cudaStream_t stream = nullptr;
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  set_all<<<1, count, 0, stream>>>(b, 5);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaMemcpyPeer(a, 0, b, 1, count * sizeof(int)) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  set_all<<<1, count, 0, stream>>>(b, 6);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first_of(b) == 6);
  CHECK(first_of(a) == 5);
}

TEST_CASE("an event of one device orders the work of another") {
  const Fresh fresh;
  int* const a = words_of(0, 1);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  int* const b = words_of(1, 2);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  cudaStream_t stream = nullptr;
  cudaEvent_t done = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(cudaEventCreate(&done) == cudaSuccess);
  set_all<<<1, count, 0, stream>>>(b, 10);
  CHECK(cudaEventRecord(done, stream) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, done, 0) == cudaSuccess);
  add<<<1, count>>>(a, b);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_of(a) == 11);
}

TEST_CASE("waiting for a device does not wait for another one's work") {
  const Fresh fresh;
  int* const b = words_of(1, 2);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  set_all<<<1, count>>>(b, 3);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_of(b) == 3);
}

TEST_CASE("kernels use a peer's memory once they may") {
  const Fresh fresh;
  int* const a = words_of(0, 1);
  int* const b = words_of(1, 2);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  add<<<1, count>>>(a, b);
  add<<<1, count>>>(b, a);
  count_up<<<4, count>>>(b);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_of(a) == 3);
  CHECK(first_of(b) == 5 + 4 * count);

  CHECK(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  add<<<1, count>>>(a, b);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  // The other device is as it was.
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_of(b) == 5 + 4 * count);
  add<<<1, count>>>(b, b);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("the bytes that cross the link are counted") {
  const Fresh fresh;
  int* const a = words_of(0, 1);
  int* const b = words_of(1, 2);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  constexpr std::uint64_t bytes = count * sizeof(int);
  const auto traffic_of = [](auto launch) {
    emulator::clear_launches();
    emulator::set_recording(true);
    launch();
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    emulator::set_recording(false);
    return emulator::total_traffic();
  };
  emulator::Traffic traffic = traffic_of([&] { add<<<1, count>>>(a, b); });
  CHECK(traffic.global_load_bytes == 2 * bytes);
  CHECK(traffic.peer_load_bytes == bytes);
  CHECK(traffic.peer_store_bytes == 0);
  traffic = traffic_of([&] { add<<<1, count>>>(b, a); });
  CHECK(traffic.peer_load_bytes == bytes);
  CHECK(traffic.peer_store_bytes == bytes);
  traffic = traffic_of([&] { count_up<<<1, count>>>(b); });
  CHECK(traffic.peer_atomic_bytes > 0);
  CHECK(traffic.peer_atomic_bytes == traffic.global_atomic_bytes);
  traffic = traffic_of([&] { add<<<1, count>>>(a, a); });
  CHECK(traffic.peer_load_bytes + traffic.peer_store_bytes == 0);
}

TEST_CASE("managed and pinned memory is everybody's") {
  const Fresh fresh;
  int* managed = nullptr;
  int* pinned = nullptr;
  CHECK(cudaMallocManaged(&managed, count * sizeof(int)) == cudaSuccess);
  CHECK(cudaMallocHost(&pinned, count * sizeof(int)) == cudaSuccess);
  CHECK(cudaSetDevice(2) == cudaSuccess);
  set_all<<<1, count>>>(managed, 4);
  set_all<<<1, count>>>(pinned, 5);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(managed[count - 1] == 4);
  CHECK(pinned[0] == 5);
}

TEST_CASE("memory of a pool is a peer's if the pool says so") {
  const Fresh fresh;
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaSuccess);
  int* words = nullptr;
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaMallocAsync(&words, count * sizeof(int), nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  set_all<<<1, count>>>(words, 8);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_of(words) == 8);
  const cudaMemAccessDesc none{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtNone};
  CHECK(cudaMemPoolSetAccess(pool, &none, 1) == cudaSuccess);
  set_all<<<1, count>>>(words, 9);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

TEST_CASE("a graph that was captured from two devices' streams") {
  const Fresh fresh;
  int* const a = words_of(0, 1);
  int* const b = words_of(1, 2);
  std::array<cudaStream_t, 2> streams{};
  std::array<cudaEvent_t, 2> events{};
  for (int device = 0; device < 2; ++device) {
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaStreamCreate(&streams[device]) == cudaSuccess);
    CHECK(cudaEventCreate(&events[device]) == cudaSuccess);
  }
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaEventRecord(events[0], streams[0]) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(streams[1], events[0], 0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  set_all<<<1, count, 0, streams[1]>>>(b, 20);
  CHECK(cudaEventRecord(events[1], streams[1]) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(streams[0], events[1], 0) == cudaSuccess);
  add<<<1, count, 0, streams[0]>>>(a, b);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(streams[0], &graph) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, streams[0]) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, streams[0]) == cudaSuccess);
  CHECK(cudaStreamSynchronize(streams[0]) == cudaSuccess);
  CHECK(first_of(a) == 41);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}
