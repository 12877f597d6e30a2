// NVML: the device as CUDA describes it, and what it has not. The first two cases need nothing of
// the emulator.

#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <nvml.h>

#include <cstring>
#include <string>

namespace {

struct Library {
  Library() { REQUIRE(nvmlInit() == NVML_SUCCESS); }
  ~Library() { nvmlShutdown(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

nvmlDevice_t first_device() {
  nvmlDevice_t device = nullptr;
  REQUIRE(nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS);
  return device;
}

}  // namespace

TEST_CASE("NVML: nothing is known before nvmlInit and after the last nvmlShutdown") {
  unsigned count = 0;
  CHECK(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
  CHECK(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
  CHECK(nvmlInit() == NVML_SUCCESS);
  CHECK(nvmlInitWithFlags(0) == NVML_SUCCESS);
  CHECK(nvmlShutdown() == NVML_SUCCESS);
  CHECK(nvmlDeviceGetCount(&count) == NVML_SUCCESS);
  CHECK(count >= 1);
  CHECK(nvmlShutdown() == NVML_SUCCESS);
  CHECK(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
  CHECK(std::string(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)) == "Not Supported");
}

TEST_CASE("NVML: a device is the one that CUDA has, and is found by all its names") {
  const Library library;
  const nvmlDevice_t device = first_device();
  cudaDeviceProp p{};
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  char text[96] = "";
  CHECK(nvmlDeviceGetName(device, text, sizeof(text)) == NVML_SUCCESS);
  CHECK(std::string(text) == p.name);
  CHECK(nvmlDeviceGetName(device, text, 3) == NVML_ERROR_INSUFFICIENT_SIZE);
  int major = 0;
  int minor = 0;
  CHECK(nvmlDeviceGetCudaComputeCapability(device, &major, &minor) == NVML_SUCCESS);
  CHECK(major == p.major);
  CHECK(minor == p.minor);
  int version = 0;
  int of_cuda = 0;
  CHECK(nvmlSystemGetCudaDriverVersion(&version) == NVML_SUCCESS);
  REQUIRE(cudaDriverGetVersion(&of_cuda) == cudaSuccess);
  CHECK(version == of_cuda);
  CHECK(nvmlSystemGetDriverVersion(text, sizeof(text)) == NVML_SUCCESS);
  CHECK(nvmlSystemGetNVMLVersion(text, sizeof(text)) == NVML_SUCCESS);
  unsigned index = 7;
  CHECK(nvmlDeviceGetIndex(device, &index) == NVML_SUCCESS);
  CHECK(index == 0);

  nvmlDevice_t again = nullptr;
  CHECK(nvmlDeviceGetUUID(device, text, sizeof(text)) == NVML_SUCCESS);
  CHECK(std::strlen(text) == std::strlen("GPU-00000000-0000-0000-0000-000000000000"));
  CHECK(nvmlDeviceGetHandleByUUID(text, &again) == NVML_SUCCESS);
  CHECK(again == device);
  again = nullptr;
  nvmlPciInfo_t pci{};
  CHECK(nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS);
  CHECK(pci.bus == static_cast<unsigned>(p.pciBusID));
  CHECK(pci.device == static_cast<unsigned>(p.pciDeviceID));
  CHECK(nvmlDeviceGetHandleByPciBusId(pci.busId, &again) == NVML_SUCCESS);
  CHECK(again == device);
  CHECK(nvmlDeviceGetHandleByPciBusId("0000:7F:1F.0", &again) == NVML_ERROR_NOT_FOUND);
  CHECK(nvmlDeviceGetHandleByIndex(1000, &again) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetHandleByIndex(0, nullptr) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetName(nullptr, text, sizeof(text)) == NVML_ERROR_INVALID_ARGUMENT);

  nvmlMemory_t memory{};
  CHECK(nvmlDeviceGetMemoryInfo(device, &memory) == NVML_SUCCESS);
  CHECK(memory.total > 0);
  CHECK(memory.used + memory.free <= memory.total);
}

TEST_CASE("NVML: memory that the program allocates is used memory") {
  const Library library;
  const nvmlDevice_t device = first_device();
  nvmlMemory_t before{};
  nvmlMemory_t after{};
  REQUIRE(nvmlDeviceGetMemoryInfo(device, &before) == NVML_SUCCESS);
  void* data = nullptr;
  constexpr std::size_t bytes = 64UL << 20U;
  REQUIRE(cudaMalloc(&data, bytes) == cudaSuccess);
  std::size_t free = 0;
  std::size_t total = 0;
  REQUIRE(nvmlDeviceGetMemoryInfo(device, &after) == NVML_SUCCESS);
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  CHECK(after.total == total);
  CHECK(after.used >= before.used + bytes / 2);
  CHECK(after.used + after.free == after.total);
  cudaFree(data);
}

TEST_CASE("NVML: the emulator's device has no clocks, no sensors and no fans") {
  const Library library;
  const nvmlDevice_t device = first_device();
  constexpr auto none = NVML_ERROR_NOT_SUPPORTED;
  unsigned number = 7;
  unsigned long long large = 7;
  CHECK(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &number) == none);
  CHECK(nvmlDeviceGetTemperatureThreshold(device, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, &number) ==
        none);
  CHECK(nvmlDeviceGetFanSpeed(device, &number) == none);
  CHECK(nvmlDeviceGetPowerUsage(device, &number) == none);
  CHECK(nvmlDeviceGetPowerManagementLimit(device, &number) == none);
  CHECK(nvmlDeviceGetEnforcedPowerLimit(device, &number) == none);
  CHECK(nvmlDeviceGetTotalEnergyConsumption(device, &large) == none);
  CHECK(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &number) == none);
  CHECK(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &number) == none);
  CHECK(nvmlDeviceGetApplicationsClock(device, NVML_CLOCK_SM, &number) == none);
  CHECK(nvmlDeviceSetApplicationsClocks(device, 1000, 1000) == none);
  CHECK(nvmlDeviceResetApplicationsClocks(device) == none);
  CHECK(nvmlDeviceGetSupportedMemoryClocks(device, &number, nullptr) == none);
  CHECK(nvmlDeviceGetSupportedGraphicsClocks(device, 1000, &number, nullptr) == none);
  CHECK(nvmlDeviceGetCurrentClocksThrottleReasons(device, &large) == none);
  CHECK(nvmlDeviceGetSupportedClocksThrottleReasons(device, &large) == none);
  nvmlPstates_t performance{};
  CHECK(nvmlDeviceGetPerformanceState(device, &performance) == none);
  nvmlUtilization_t utilization{};
  CHECK(nvmlDeviceGetUtilizationRates(device, &utilization) == none);
  nvmlValueType_t type{};
  CHECK(nvmlDeviceGetSamples(device, NVML_GPU_UTILIZATION_SAMPLES, 0, &type, &number, nullptr) ==
        none);
  nvmlEnableState_t enabled = NVML_FEATURE_DISABLED;
  CHECK(nvmlDeviceGetPersistenceMode(device, &enabled) == none);
  CHECK(nvmlDeviceGetEccMode(device, &enabled, &enabled) == none);
  CHECK(nvmlDeviceGetMigMode(device, &number, &number) == none);
  CHECK(nvmlDeviceGetCurrPcieLinkGeneration(device, &number) == none);
  CHECK(nvmlDeviceGetCurrPcieLinkWidth(device, &number) == none);
  char text[96] = "";
  CHECK(nvmlDeviceGetSerial(device, text, sizeof(text)) == none);
  CHECK(nvmlDeviceGetVbiosVersion(device, text, sizeof(text)) == none);
  CHECK(number == 7);
  CHECK(large == 7);

  // Before that, whether the question makes sense.
  CHECK(nvmlDeviceGetPowerUsage(nullptr, &number) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetPowerUsage(device, nullptr) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetAPIRestriction(device, NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS, &enabled) ==
        NVML_SUCCESS);
  CHECK(enabled == NVML_FEATURE_ENABLED);
  nvmlDeviceArchitecture_t architecture = 0;
  CHECK(nvmlDeviceGetArchitecture(device, &architecture) == NVML_SUCCESS);
  CHECK(architecture == NVML_DEVICE_ARCH_HOPPER);
  nvmlComputeMode_t mode = NVML_COMPUTEMODE_PROHIBITED;
  CHECK(nvmlDeviceGetComputeMode(device, &mode) == NVML_SUCCESS);
  CHECK(mode == NVML_COMPUTEMODE_DEFAULT);
  CHECK(nvmlDeviceGetMinorNumber(device, &number) == NVML_SUCCESS);
  CHECK(number == 0);
}
