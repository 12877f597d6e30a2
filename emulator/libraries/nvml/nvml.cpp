/// \file
/// NVML for the one device there is.

#include "nvml.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>

#include "libraries/common/device_work.hpp"

/// A handle's address is all that counts.
struct nvmlDevice_st {};

namespace emulator::nvml {

using namespace libraries;

namespace {

nvmlDevice_st the_device;
std::atomic<int> initialised = 0;

nvmlReturn_t state() {
  return initialised > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

// Calls `use` if the library is ready, the device is one, and no pointer is null.
template <class Use>
nvmlReturn_t with(std::initializer_list<const void*> pointers, Use use) {
  if (state() != NVML_SUCCESS) return state();
  const bool has_null = std::find(pointers.begin(), pointers.end(), nullptr) != pointers.end();
  return has_null ? NVML_ERROR_INVALID_ARGUMENT : use();
}
template <class Use>
nvmlReturn_t with(nvmlDevice_t device, std::initializer_list<const void*> pointers, Use use) {
  return with(pointers,
              [&] { return device == &the_device ? use() : NVML_ERROR_INVALID_ARGUMENT; });
}

cudaDeviceProp properties() {
  const QuietErrors quiet;  // programs do not look for NVML's errors in CUDA
  cudaDeviceProp p{};
  cudaGetDeviceProperties(&p, 0);
  return p;
}

nvmlReturn_t write(const std::string& text, char* to, unsigned length) {
  if (text.size() + 1 > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

std::string uuid() {
  const cudaDeviceProp p = properties();
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(p.uuid.bytes[i]));
    text += digits;
  }
  return text;
}

nvmlPciInfo_t pci_info() {
  const cudaDeviceProp p = properties();
  nvmlPciInfo_t info{};
  info.domain = static_cast<unsigned>(p.pciDomainID);
  info.bus = static_cast<unsigned>(p.pciBusID);
  info.device = static_cast<unsigned>(p.pciDeviceID);
  std::snprintf(info.busIdLegacy, sizeof(info.busIdLegacy), "%04X:%02X:%02X.0",
                info.domain & 0xFFFFU, info.bus & 0xFFU, info.device & 0xFFU);
  std::snprintf(info.busId, sizeof(info.busId), "%08X:%02X:%02X.0", info.domain, info.bus & 0xFFU,
                info.device & 0xFFU);
  return info;
}

nvmlReturn_t found(bool is_it, nvmlDevice_t* device) {
  if (!is_it) return NVML_ERROR_NOT_FOUND;
  *device = &the_device;
  return NVML_SUCCESS;
}

// What the device has not: the answer, once the question makes sense.
nvmlReturn_t none(nvmlDevice_t device, std::initializer_list<const void*> pointers) {
  return with(device, pointers, [] { return NVML_ERROR_NOT_SUPPORTED; });
}

struct ResultText {
  nvmlReturn_t result;
  const char* text;
};
constexpr ResultText results[] = {
    {NVML_SUCCESS, "Success"},
    {NVML_ERROR_UNINITIALIZED, "Uninitialized"},
    {NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument"},
    {NVML_ERROR_NOT_SUPPORTED, "Not Supported"},
    {NVML_ERROR_NO_PERMISSION, "Insufficient Permissions"},
    {NVML_ERROR_ALREADY_INITIALIZED, "Already Initialized"},
    {NVML_ERROR_NOT_FOUND, "Not Found"},
    {NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size"},
    {NVML_ERROR_INSUFFICIENT_POWER, "Insufficient External Power"},
    {NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded"},
    {NVML_ERROR_TIMEOUT, "Timeout"},
    {NVML_ERROR_GPU_IS_LOST, "GPU is lost"},
    {NVML_ERROR_MEMORY, "Insufficient Memory"},
    {NVML_ERROR_NO_DATA, "No data"},
};

}  // namespace
}  // namespace emulator::nvml

using namespace emulator::nvml;

nvmlReturn_t nvmlInit_v2() {
  ++initialised;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  constexpr unsigned known = NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH;
  return (flags & ~known) != 0 ? NVML_ERROR_INVALID_ARGUMENT : nvmlInit_v2();
}
nvmlReturn_t nvmlShutdown() {
  int count = initialised;
  while (count > 0 && !initialised.compare_exchange_weak(count, count - 1)) {
  }
  return count > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}
const char* nvmlErrorString(nvmlReturn_t result) {
  for (const ResultText& named : results) {
    if (named.result == result) return named.text;
  }
  return "Unknown Error";
}
nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return with({version}, [&] { return write("0.0 (CUDA emulator)", version, length); });
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  return with({version}, [&] { return write(NVML_API_VERSION_STR ".0", version, length); });
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* cudaDriverVersion) {
  return with({cudaDriverVersion}, [&] {
    const QuietErrors quiet;
    return cudaDriverGetVersion(cudaDriverVersion) == cudaSuccess ? NVML_SUCCESS
                                                                  : NVML_ERROR_UNKNOWN;
  });
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* cudaDriverVersion) {
  return nvmlSystemGetCudaDriverVersion(cudaDriverVersion);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* deviceCount) {
  return with({deviceCount}, [&] {
    *deviceCount = 1;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  return with({device}, [&] {
    if (index != 0) return NVML_ERROR_INVALID_ARGUMENT;
    return found(true, device);
  });
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* text, nvmlDevice_t* device) {
  return with({text, device}, [&] { return found(text == uuid(), device); });
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* pciBusId, nvmlDevice_t* device) {
  return with({pciBusId, device}, [&] {
    const nvmlPciInfo_t info = pci_info();
    return found(
        std::strcmp(pciBusId, info.busId) == 0 || std::strcmp(pciBusId, info.busIdLegacy) == 0,
        device);
  });
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  return with(device, {index}, [&] {
    *index = 0;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* minorNumber) {
  return nvmlDeviceGetIndex(device, minorNumber);
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return with(device, {name}, [&] { return write(properties().name, name, length); });
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* text, unsigned int length) {
  return with(device, {text}, [&] { return write(uuid(), text, length); });
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return with(device, {pci}, [&] {
    *pci = pci_info();
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  return with(device, {major, minor}, [&] {
    const cudaDeviceProp p = properties();
    *major = p.major;
    *minor = p.minor;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t* arch) {
  return with(device, {arch}, [&] {
    const cudaDeviceProp p = properties();
    const int version = p.major * 10 + p.minor;
    *arch = version >= 100  ? NVML_DEVICE_ARCH_UNKNOWN
            : version >= 90 ? NVML_DEVICE_ARCH_HOPPER
            : version == 89 ? NVML_DEVICE_ARCH_ADA
            : version >= 80 ? NVML_DEVICE_ARCH_AMPERE
            : version >= 75 ? NVML_DEVICE_ARCH_TURING
            : version >= 70 ? NVML_DEVICE_ARCH_VOLTA
                            : NVML_DEVICE_ARCH_UNKNOWN;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  return with(device, {mode}, [&] {
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return with(device, {memory}, [&] {
    const QuietErrors quiet;
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return NVML_ERROR_UNKNOWN;
    *memory = {total, free, total - free};
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t apiType,
                                         nvmlEnableState_t* isRestricted) {
  return with(device, {isRestricted}, [&] {
    if (apiType < 0 || apiType >= NVML_RESTRICTED_API_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    *isRestricted = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t,
                                      unsigned int* temp) {
  return none(device, {temp});
}
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t,
                                               unsigned int* temp) {
  return none(device, {temp});
}
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int* speed) {
  return none(device, {speed});
}
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power) {
  return none(device, {power});
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int* limit) {
  return none(device, {limit});
}
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* limit) {
  return none(device, {limit});
}
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long* energy) {
  return none(device, {energy});
}
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t, unsigned int* clock) {
  return none(device, {clock});
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t, unsigned int* clock) {
  return none(device, {clock});
}
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t,
                                            unsigned int* clockMHz) {
  return none(device, {clockMHz});
}
nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned int, unsigned int) {
  return none(device, {});
}
nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device) {
  return none(device, {});
}
nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int* count,
                                                unsigned int*) {
  return none(device, {count});
}
nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int,
                                                  unsigned int* count, unsigned int*) {
  return none(device, {count});
}
nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long* reasons) {
  return none(device, {reasons});
}
nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                                         unsigned long long* reasons) {
  return none(device, {reasons});
}
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* pState) {
  return none(device, {pState});
}
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  return none(device, {utilization});
}
nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t, unsigned long long,
                                  nvmlValueType_t* sampleValType, unsigned int* sampleCount,
                                  nvmlSample_t*) {
  return none(device, {sampleValType, sampleCount});
}
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return none(device, {mode});
}
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current,
                                  nvmlEnableState_t* pending) {
  return none(device, {current, pending});
}
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* currentMode,
                                  unsigned int* pendingMode) {
  return none(device, {currentMode, pendingMode});
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int* generation) {
  return none(device, {generation});
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int* width) {
  return none(device, {width});
}
nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char* serial, unsigned int) {
  return none(device, {serial});
}
nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char* version, unsigned int) {
  return none(device, {version});
}
