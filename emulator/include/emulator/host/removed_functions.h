#pragma once
#pragma GCC system_header
/// \file
/// What CUDA 13 has removed, for programs of CUDA 12 and before (`emucc --cuda=12`).
/// \see texture_references.h for what CUDA 12 has removed

#include "emulator/device/warp.h"
#include "emulator/host/host_api.h"
#include "emulator/host/unmodelled.h"
#include "emulator/version.h"

#if EMULATOR_CUDA < 13

namespace emulator::detail {

inline cudaMemLocation place_of(int device) {
  return device == cudaCpuDeviceId ? cudaMemLocation{cudaMemLocationTypeHost, 0}
                                   : cudaMemLocation{cudaMemLocationTypeDevice, device};
}

}  // namespace emulator::detail

inline cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
inline cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache preference) {
  return cudaDeviceSetCacheConfig(preference);
}
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* preference) {
  return cudaDeviceGetCacheConfig(preference);
}
// From a time when some devices had no numbers in double precision.
inline cudaError_t cudaSetDoubleForDevice(double*) {
  return cudaSuccess;
}
inline cudaError_t cudaSetDoubleForHost(double*) {
  return cudaSuccess;
}
// A place is a device's number, or cudaCpuDeviceId.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(pointer, bytes, emulator::detail::place_of(device), 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise(pointer, bytes, advice, emulator::detail::place_of(device));
}
inline cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, std::size_t bytes,
                                           cudaMemLocation location, unsigned int flags,
                                           cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(pointer, bytes, location, flags, stream);
}
inline cudaError_t cudaMemAdvise_v2(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, location);
}
inline cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start,
                                           cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
template <class... Arguments>
cudaError_t cudaLaunchCooperativeKernelMultiDevice(const Arguments&...) {
  return emulator::detail::not_modelled("cudaLaunchCooperativeKernelMultiDevice");
}

// Warp operations without a mask: of the lanes that are at this place together. CUDA has them for
// architectures before Volta only.
#if EMULATOR_ARCH < 700
EMULATOR_DEVICE_ONLY_BEGIN
template <class T>
EMULATOR_INLINE T __shfl(T value, int source_lane, int width = 32) {
  return __shfl_sync(__activemask(), value, source_lane, width);
}
template <class T>
EMULATOR_INLINE T __shfl_up(T value, unsigned delta, int width = 32) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class T>
EMULATOR_INLINE T __shfl_down(T value, unsigned delta, int width = 32) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class T>
EMULATOR_INLINE T __shfl_xor(T value, int lane_mask, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, lane_mask, width);
}
EMULATOR_INLINE unsigned __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
EMULATOR_INLINE int __all(int predicate) {
  return __all_sync(__activemask(), predicate);
}
EMULATOR_INLINE int __any(int predicate) {
  return __any_sync(__activemask(), predicate);
}
EMULATOR_DEVICE_ONLY_END
#endif

#endif  // EMULATOR_CUDA < 13
