// The driver API but for modules, which driver/modules_test.cpp has emucc make.

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cuda.h"

namespace {

// The tests of a program run in one process or in many: the first one says so.
const struct Begun {
  Begun() { cuInit(0); }
} begun;

}  // namespace

TEST_CASE("driver API: the device") {
  CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  int count = 0;
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 1);
  CUdevice device = 7;
  CHECK(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CHECK(device == 0);
  char name[5];
  CHECK(cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS);
  CHECK(std::string(name) == "CUDA");
  int warp = 0;
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device) == CUDA_SUCCESS);
  CHECK(warp == 32);
  int major = 0;
  int minor = 7;
  CHECK(cuDeviceComputeCapability(&major, &minor, device) == CUDA_SUCCESS);
  CHECK(major == 9);
  CHECK(minor == 0);
  int same = 0;
  CHECK(cudaDeviceGetAttribute(&same, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess);
  int other = 0;
  cuDeviceGetAttribute(&other, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device);
  CHECK(same == other);
  std::size_t bytes = 0;
  CHECK(cuDeviceTotalMem(&bytes, device) == CUDA_SUCCESS);
  CHECK(bytes > 0);
  int version = 0;
  CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS);
  CHECK(version >= 13000);
}

TEST_CASE("driver API: contexts are a stack of the thread's") {
  CUcontext before = nullptr;
  CHECK(cuCtxGetCurrent(&before) == CUDA_SUCCESS);
  CUcontext first = nullptr;
  CUcontext second = nullptr;
  CUcontext current = nullptr;
  CHECK(cuCtxCreate(&first, nullptr, CU_CTX_SCHED_SPIN, 0) == CUDA_SUCCESS);
  CHECK(cuCtxCreate(&second, 0, 0) == CUDA_SUCCESS);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == second);
  CHECK(cuCtxPopCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == second);
  unsigned flags = 7;
  CHECK(cuCtxGetFlags(&flags) == CUDA_SUCCESS);
  CHECK(flags == CU_CTX_SCHED_SPIN);
  CHECK(cuCtxSetCurrent(second) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(second) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(second) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPushCurrent(second) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == before);
  CHECK(cuCtxDestroy(first) == CUDA_SUCCESS);

  CUcontext primary = nullptr;
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  CHECK(cuCtxSetCurrent(primary) == CUDA_SUCCESS);
  CUdevice device = 7;
  CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS);
  CHECK(device == 0);
  CHECK(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
  CHECK(cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  CHECK(cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("driver API: memory and copies") {
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
  int from[4] = {1, 2, 3, 4};
  int to[4] = {};
  CHECK(cuMemcpyHtoD(memory, from, sizeof from) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoD(memory + 16, memory, 16) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(to, memory + 24, 8) == CUDA_SUCCESS);
  CHECK(to[1] == 4);
  CHECK(cuMemcpyHtoD(memory, from, 65) == CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  CHECK(cuMemGetAddressRange(&base, &bytes, memory + 63) == CUDA_SUCCESS);
  CHECK(base == memory);
  CHECK(bytes == 64);
  CHECK(cuMemGetAddressRange(&base, &bytes, memory + 64) == CUDA_ERROR_NOT_FOUND);
  // The middle two of each row of four, and no pitch where rows follow each other closely.
  unsigned char rows[3][4];
  for (int i = 0; i < 12; ++i) rows[i / 4][i % 4] = static_cast<unsigned char>(i);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = rows;
  copy.srcPitch = 4;
  copy.srcXInBytes = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.WidthInBytes = 2;
  copy.Height = 3;
  CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  unsigned char middle[6];
  CHECK(cuMemcpyDtoH(middle, memory, 6) == CUDA_SUCCESS);
  CHECK(std::string(middle, middle + 6) == std::string("\1\2\5\6\x9\xA"));
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("driver API: its errors are not the runtime's") {
  cudaGetLastError();
  CHECK(cuMemFree(77) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cuMemFree(77) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("driver API: streams and events") {
  CUstream stream = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  CUevent begin = nullptr;
  CUevent end = nullptr;
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  CHECK(cuEventRecord(begin, stream) == CUDA_SUCCESS);
  CHECK(cuEventRecord(end, stream) == CUDA_SUCCESS);
  CHECK(cuStreamWaitEvent(stream, end, 0) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(cuStreamQuery(stream) == CUDA_SUCCESS);
  CHECK(cuEventQuery(end) == CUDA_SUCCESS);
  float time = -1;
  CHECK(cuEventElapsedTime(&time, begin, end) == CUDA_SUCCESS);
  CHECK(time >= 0);
  CHECK(cuEventDestroy(begin) == CUDA_SUCCESS);
  CHECK(cuEventDestroy(end) == CUDA_SUCCESS);
  CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
}

TEST_CASE("driver API: memory keeps its contents where it is mapped") {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  std::size_t piece = 0;
  REQUIRE(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
          CUDA_SUCCESS);
  CUdeviceptr address = 0;
  CHECK(cuMemAddressReserve(&address, piece + 1, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemAddressReserve(&address, 2 * piece, 0, 0, 0) == CUDA_SUCCESS);
  int value = 5;
  CHECK(cuMemcpyHtoD(address, &value, 4) == CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle memory = 0;
  REQUIRE(cuMemCreate(&memory, piece, &properties, 0) == CUDA_SUCCESS);
  CHECK(cuMemMap(address, 2 * piece, 0, memory, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemMap(address, piece, 0, memory, 0) == CUDA_SUCCESS);
  CHECK(cuMemMap(address + piece, piece, 0, memory, 0) == CUDA_ERROR_NOT_SUPPORTED);
  const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK(cuMemSetAccess(address, piece, &access, 1) == CUDA_SUCCESS);
  CHECK(cuMemSetAccess(address, 2 * piece, &access, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyHtoD(address, &value, 4) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(address, 2 * piece) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(address, piece) == CUDA_SUCCESS);
  CHECK(cuMemUnmap(address, piece) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemMap(address + piece, piece, 0, memory, 0) == CUDA_SUCCESS);
  value = 0;
  CHECK(cuMemcpyDtoH(&value, address + piece, 4) == CUDA_SUCCESS);
  CHECK(value == 5);
  CHECK(cuMemRelease(memory) == CUDA_SUCCESS);
  CHECK(cuMemRelease(memory) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(address + piece, piece) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(address, 2 * piece) == CUDA_SUCCESS);
}

TEST_CASE("driver API: arrays take copies") {
  const CUDA_ARRAY_DESCRIPTOR shape{2, 2, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  REQUIRE(cuArrayCreate(&array, &shape) == CUDA_SUCCESS);
  float from[4] = {1, 2, 3, 4};
  float to[4] = {};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  CHECK(to[3] == 4);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how{};
  CUtexObject texture = 0;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr) == CUDA_SUCCESS);
  CHECK(cuTexObjectDestroy(texture) == CUDA_SUCCESS);
  CHECK(cuArrayDestroy(array) == CUDA_SUCCESS);
}

TEST_CASE("driver API: what is no module") {
  CUmodule module = nullptr;
  CHECK(cuModuleLoad(&module, "there/is/none") == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuModuleLoadData(&module, ".version 8.0\n") == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(cuModuleUnload(nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) ==
        CUDA_ERROR_INVALID_HANDLE);
}
