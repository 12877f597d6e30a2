#include <string>

#include "base/host_state.hpp"
#include "tests/support/host_test.hpp"

using namespace host_test;
using emulator::api::dynamic_shared_limit;
using emulator::api::dynamic_shared_limit_of_any_kernel;

namespace {

constexpr auto invalid = cudaErrorInvalidValue;

void kernel(float*) {}
template <int>
void template_kernel(float*, int) {}

int attribute(cudaDeviceAttr name) {
  int value = -7;
  CHECK(cudaDeviceGetAttribute(&value, name, 0) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("there is one device") {
  const Fresh fresh;
  int value = -7;
  CHECK(cudaGetDeviceCount(&value) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaGetDevice(&value) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaInitDevice(0, 0, 0) == cudaSuccess);
  cudaDeviceProp properties{};
  CHECK(cudaChooseDevice(&value, &properties) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaDeviceCanAccessPeer(&value, 0, 0) == cudaSuccess);
  CHECK(value == 0);

  CHECK(cudaGetDeviceCount(nullptr) == invalid);
  CHECK(cudaGetDevice(nullptr) == invalid);
  CHECK(cudaChooseDevice(nullptr, &properties) == invalid);
  CHECK(cudaChooseDevice(&value, nullptr) == invalid);
  CHECK(cudaDeviceCanAccessPeer(nullptr, 0, 0) == invalid);
  CHECK(cudaGetLastError() == invalid);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceEnablePeerAccess(0, 1) == invalid);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  for (const int other : {-1, 1, 1000}) {
    CHECK(cudaSetDevice(other) == cudaErrorInvalidDevice);
    CHECK(cudaInitDevice(other, 0, 0) == cudaErrorInvalidDevice);
    CHECK(cudaGetDeviceProperties(&properties, other) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, other) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, other) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&value, other, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceEnablePeerAccess(other, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceDisablePeerAccess(other) == cudaErrorInvalidDevice);
  }
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("versions are those of CUDA 13.0") {
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(version == CUDART_VERSION);
  CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(cudaRuntimeGetVersion(nullptr) == invalid);
  CHECK(cudaDriverGetVersion(nullptr) == invalid);
}

TEST_CASE("attributes") {
  const Fresh fresh;
  CHECK(attribute(cudaDevAttrWarpSize) == 32);
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == 1024);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlock) == 49152);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == 232448);
  CHECK(attribute(cudaDevAttrMaxRegistersPerBlock) == 65536);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 9);
  CHECK(attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio) == 2);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == 16);
  CHECK(attribute(cudaDevAttrMemoryPoolsSupported) == 1);
  // Unknown, because they mean nothing here.
  CHECK(attribute(cudaDevAttrMemoryClockRate) == 0);
  CHECK(attribute(cudaDevAttrGlobalMemoryBusWidth) == 0);
  CHECK(attribute(cudaDevAttrReserved92) == 0);

  int value = -7;
  CHECK(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0) == invalid);
  for (const int name : {-1, 0, int{cudaDevAttrMax}, 9999}) {
    CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(name), 0) == invalid);
  }
  CHECK(value == -7);
}

TEST_CASE("properties say the same as attributes") {
  const Fresh fresh;
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(std::string(p.name) == "CUDA emulator");
  CHECK(p.warpSize == attribute(cudaDevAttrWarpSize));
  CHECK(p.maxThreadsPerBlock == attribute(cudaDevAttrMaxThreadsPerBlock));
  CHECK(p.maxThreadsDim[0] == 1024);
  CHECK(p.maxThreadsDim[1] == 1024);
  CHECK(p.maxThreadsDim[2] == 64);
  CHECK(p.maxGridSize[0] == 2147483647);
  CHECK(p.maxGridSize[1] == 65535);
  CHECK(p.maxGridSize[2] == 65535);
  CHECK(p.maxGridSize[2] == attribute(cudaDevAttrMaxGridDimZ));
  CHECK(p.sharedMemPerBlock == 49152);
  CHECK(p.sharedMemPerBlockOptin == 232448);
  CHECK(p.sharedMemPerMultiprocessor == 233472);
  CHECK(p.reservedSharedMemPerBlock == 1024);
  CHECK(p.regsPerBlock == 65536);
  CHECK(p.totalConstMem == 65536);
  CHECK(p.memPitch == 2147483647);
  CHECK(p.major == 9);
  CHECK(p.minor == 0);
  CHECK(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  CHECK(p.maxThreadsPerMultiProcessor == 2048);
  CHECK(p.maxBlocksPerMultiProcessor == 32);
  CHECK(p.unifiedAddressing == 1);
  CHECK(p.managedMemory == 1);
  CHECK(p.concurrentManagedAccess == 1);
  CHECK(p.canUseHostPointerForRegisteredMem == 1);
  CHECK(p.hostRegisterSupported == 1);
  CHECK(p.hostRegisterReadOnlySupported == 1);
  CHECK(p.memoryPoolsSupported == 1);
  CHECK(p.streamPrioritiesSupported == 1);
  CHECK(p.unifiedFunctionPointers == 1);
  CHECK(p.regsPerMultiprocessor == 65536);
  CHECK(std::string(p.uuid.bytes) == "CUDA emulator 0");
  CHECK(p.canMapHostMemory == 1);
  CHECK(p.memoryBusWidth == 0);
  CHECK(p.hostNumaId == -1);
  std::size_t total = 0;
  CHECK(cudaMemGetInfo(nullptr, &total) == cudaSuccess);
  CHECK(p.totalGlobalMem == total);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == invalid);
}

TEST_CASE("limits are remembered, within reason") {
  const Fresh fresh;
  const auto limit = [](cudaLimit which) {
    std::size_t value = 7;
    CHECK(cudaDeviceGetLimit(&value, which) == cudaSuccess);
    return value;
  };
  CHECK(limit(cudaLimitStackSize) == 1024);
  CHECK(limit(cudaLimitPrintfFifoSize) == 1048576);
  CHECK(limit(cudaLimitMallocHeapSize) == 8388608);
  CHECK(limit(cudaLimitDevRuntimePendingLaunchCount) == 2048);
  CHECK(limit(cudaLimitMaxL2FetchGranularity) == 64);
  CHECK(limit(cudaLimitPersistingL2CacheSize) == 0);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22) == cudaSuccess);
  CHECK(limit(cudaLimitStackSize) == 4096);
  CHECK(limit(cudaLimitPrintfFifoSize) == 1 << 22);

  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024 + 1) == invalid);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, huge) == invalid);
  CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 129) == invalid);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1) == invalid);
  CHECK(limit(cudaLimitStackSize) == 4096);
  CHECK(cudaDeviceGetLimit(nullptr, cudaLimitStackSize) == invalid);
  std::size_t value = 0;
  for (const int which : {-1, 3, 7, 99}) {
    CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(which), 1) == cudaErrorUnsupportedLimit);
    CHECK(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(which)) == cudaErrorUnsupportedLimit);
  }
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(limit(cudaLimitStackSize) == 1024);
}

TEST_CASE("modes") {
  const Fresh fresh;
  unsigned flags = 99;
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == cudaDeviceMapHost);
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == 9);
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield) == invalid);
  CHECK(cudaSetDeviceFlags(0x100) == invalid);
  CHECK(cudaSetDeviceFlags(0x20) == invalid);
  CHECK(cudaGetDeviceFlags(nullptr) == invalid);
  CHECK(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == (cudaDeviceScheduleYield | cudaDeviceMapHost));
  CHECK(cudaInitDevice(0, 3, cudaInitDeviceFlagsAreValid) == invalid);
  CHECK(cudaInitDevice(0, 0, 2) == invalid);

  auto preference = cudaFuncCachePreferEqual;
  CHECK(cudaDeviceGetCacheConfig(&preference) == cudaSuccess);
  CHECK(preference == cudaFuncCachePreferNone);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(cudaDeviceGetCacheConfig(&preference) == cudaSuccess);
  CHECK(preference == cudaFuncCachePreferL1);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone) == cudaSuccess);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual) == cudaSuccess);
  CHECK(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(4)) == invalid);
  CHECK(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(-1)) == invalid);
  CHECK(cudaDeviceGetCacheConfig(nullptr) == invalid);

  auto banks = cudaSharedMemBankSizeDefault;
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
  CHECK(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess);
  CHECK(banks == cudaSharedMemBankSizeFourByte);
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeDefault) == cudaSuccess);
  CHECK(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(3)) == invalid);
  CHECK(cudaDeviceGetSharedMemConfig(nullptr) == invalid);
}

TEST_CASE("the device's place on the bus") {
  const Fresh fresh;
  char text[13] = "xxxxxxxxxxxx";
  text[12] = 'x';
  CHECK(cudaDeviceGetPCIBusId(text, 13, 0) == cudaSuccess);
  CHECK(std::string(text) == "0000:00:00.0");
  int device = 7;
  CHECK(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDeviceGetPCIBusId(text, 12, 0) == invalid);
  CHECK(cudaDeviceGetPCIBusId(text, -1, 0) == invalid);
  CHECK(cudaDeviceGetPCIBusId(nullptr, 13, 0) == invalid);
  CHECK(cudaDeviceGetPCIBusId(text, 13, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, "0000:00:06.0") == invalid);
  CHECK(cudaDeviceGetByPCIBusId(&device, nullptr) == invalid);
  CHECK(cudaDeviceGetByPCIBusId(nullptr, text) == invalid);
}

TEST_CASE("a kernel may ask for more dynamic shared memory") {
  const Fresh fresh;
  const auto size = cudaFuncAttributeMaxDynamicSharedMemorySize;
  const auto* const address = reinterpret_cast<const void*>(&kernel);
  const auto told = [](auto function) {
    cudaFuncAttributes attributes{};
    CHECK(cudaFuncGetAttributes(&attributes, function) == cudaSuccess);
    return attributes.maxDynamicSharedSizeBytes;
  };
  CHECK(dynamic_shared_limit(address) == 49152);
  CHECK(dynamic_shared_limit_of_any_kernel() == 49152);
  CHECK(told(kernel) == 49152);
  CHECK(cudaFuncSetAttribute(kernel, size, 232448) == cudaSuccess);
  CHECK(dynamic_shared_limit(address) == 232448);
  CHECK(dynamic_shared_limit_of_any_kernel() == 232448);
  CHECK(told(kernel) == 232448);
  CHECK(told(template_kernel<1>) == 49152);
  CHECK(cudaFuncSetAttribute(template_kernel<2>, size, 60000) == cudaSuccess);
  CHECK(told(template_kernel<2>) == 60000);
  CHECK(told(template_kernel<1>) == 49152);

  CHECK(cudaFuncSetAttribute(kernel, size, 232449) == invalid);
  CHECK(cudaFuncSetAttribute(kernel, size, -1) == invalid);
  CHECK(told(kernel) == 232448);
  CHECK(cudaFuncSetAttribute(address, size, 0) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(address, size, 100) == cudaSuccess);
  CHECK(told(kernel) == 100);
  CHECK(dynamic_shared_limit(address) == 49152);  // that much every kernel may have
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(told(kernel) == 49152);
  CHECK(dynamic_shared_limit_of_any_kernel() == 49152);
}

TEST_CASE("other attributes of kernels") {
  const Fresh fresh;
  const auto carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  const void* const none = nullptr;
  cudaFuncAttributes attributes{};
  attributes.numRegs = 7;
  CHECK(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
  CHECK(attributes.numRegs == 0);  // not known
  CHECK(attributes.ptxVersion == 90);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.binaryVersion == 90);
  CHECK(attributes.preferredShmemCarveout == cudaSharedmemCarveoutDefault);
  CHECK(cudaFuncSetAttribute(kernel, carveout, cudaSharedmemCarveoutMaxShared) == cudaSuccess);
  CHECK(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
  CHECK(attributes.preferredShmemCarveout == 100);
  CHECK(cudaFuncSetAttribute(kernel, carveout, cudaSharedmemCarveoutDefault) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(kernel, carveout, -2) == invalid);
  CHECK(cudaFuncSetAttribute(kernel, carveout, 101) == invalid);
  CHECK(cudaFuncSetAttribute(kernel, static_cast<cudaFuncAttribute>(3), 1) == invalid);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMax, 1) == invalid);
  const ChildResult child = in_child([] {
    const auto width = cudaFuncAttributeRequiredClusterWidth;
    _exit(cudaFuncSetAttribute(kernel, width, 2) == cudaErrorNotSupported ? 0 : 1);
  });
  CHECK(child.status == 0);
  CHECK(child.error_output == "emulator: cudaFuncSetAttribute for clusters is not modelled\n");

  CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferNone) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferEqual) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(7)) == invalid);
  CHECK(cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeFourByte) == cudaSuccess);
  CHECK(cudaFuncSetSharedMemConfig(kernel, static_cast<cudaSharedMemConfig>(-1)) == invalid);
  CHECK(cudaFuncGetAttributes(nullptr, kernel) == invalid);
  CHECK(cudaFuncGetAttributes(&attributes, none) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncSetAttribute(none, carveout, 1) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncSetCacheConfig(none, cudaFuncCachePreferL1) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncSetSharedMemConfig(none, cudaSharedMemBankSizeDefault) ==
        cudaErrorInvalidDeviceFunction);
}

TEST_CASE("blocks on a multiprocessor are limited by blocks, threads and shared memory") {
  const Fresh fresh;
  const auto blocks = [](int size, std::size_t shared = 0) {
    int count = -7;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, size, shared) ==
          cudaSuccess);
    return count;
  };
  // As an H200 answers, for a kernel of few registers.
  for (const int size : {1, 32, 33}) CHECK(blocks(size) == 32);
  CHECK(blocks(128) == 16);
  CHECK(blocks(256) == 8);
  CHECK(blocks(768) == 2);
  CHECK(blocks(1024) == 2);
  CHECK(blocks(1025) == 0);
  CHECK(blocks(2048) == 0);
  CHECK(blocks(128, 1024) == 16);
  CHECK(blocks(128, 49152) == 4);
  CHECK(blocks(128, 49153) == 0);
  CHECK(blocks(128, huge) == 0);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448) ==
        cudaSuccess);
  CHECK(blocks(128, 100000) == 2);
  CHECK(blocks(128, 232448) == 1);
  CHECK(blocks(128, 232449) == 0);

  int count = 0;
  const void* const none = nullptr;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 128, 0) == invalid);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 0, 0) == invalid);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, -1, 0) == invalid);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, none, 128, 0) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, kernel, 128, 0, 1) ==
        cudaSuccess);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, kernel, 128, 0, 2) ==
        invalid);
}

TEST_CASE("the block size that keeps the most threads busy") {
  const Fresh fresh;
  int grid = -7;
  int block = -7;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel) == cudaSuccess);
  CHECK(grid == 16 * 2);
  CHECK(block == 1024);
  // 100 threads are four warps, of which 16 fit: 1600 threads. 96 make 2016, and 64 make 2048.
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 100) == cudaSuccess);
  CHECK(grid == 16 * 32);
  CHECK(block == 64);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 5) == cudaSuccess);
  CHECK(grid == 16 * 32);
  CHECK(block == 5);
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel, 0, 1, 1) == cudaSuccess);
  CHECK(grid == 16 * 32);
  CHECK(block == 1);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 5000) == cudaSuccess);
  CHECK(block == 1024);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 300000) == cudaSuccess);
  CHECK(grid == 0);
  CHECK(block == 0);
  // 100 bytes per thread: 512 threads take 50 KB, more than may be had; 480 take 48000 bytes.
  const auto shared_bytes_of = [](int size) { return static_cast<std::size_t>(size) * 100; };
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, shared_bytes_of) ==
        cudaSuccess);
  CHECK(grid * block <= 16 * 2304);
  CHECK(block <= 480);
  CHECK(grid == 16 * static_cast<int>(233472 / ((block * 100 + 127) / 128 * 128 + 1024)));

  const void* const none = nullptr;
  CHECK(cudaOccupancyMaxPotentialBlockSize(nullptr, &block, kernel) == invalid);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, nullptr, kernel) == invalid);
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel, 0, 0, 2) == invalid);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, none) == cudaErrorInvalidDeviceFunction);
}
