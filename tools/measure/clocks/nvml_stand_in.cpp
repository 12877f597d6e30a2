// Stands in for the driver's libnvidia-ml.so.1 in nvml_test.cpp: a GPU that never changes.
// NOLINTBEGIN(readability-identifier-naming): the names are NVIDIA's.
#include <cstring>

extern "C" {
int nvmlInit_v2() {
  return 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  if (std::strcmp(bus_id, "0000:01:00.0") != 0) return 6;  // not found
  *device = nullptr;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 3201;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* mhz) {
  *mhz = 2000;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 400000;
  return 0;
}
int nvmlDeviceGetTemperature(void*, int, unsigned*) {
  return 3;
}  // not supported
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x4;
  return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::strncpy(text, "580.0", length);
  return 0;
}
}
// NOLINTEND(readability-identifier-naming)
