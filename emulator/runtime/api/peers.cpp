/// \file
/// Peer access: which device may use another one's memory. Every two devices are joined by a link,
/// as GPUs by NVLink, that carries atomic operations.

#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "streams/work_queue.hpp"

using namespace emulator::api;

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer_device) {
  if (!is_device(device) || !is_device(peer_device)) return report(cudaErrorInvalidDevice);
  if (can_access == nullptr) return report(cudaErrorInvalidValue);
  *can_access = device != peer_device ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer_device, unsigned int flags) {
  if (!is_device(peer_device)) return report(cudaErrorInvalidDevice);
  if (flags != 0) return report(cudaErrorInvalidValue);
  if (peer_device == current_device()) return report(cudaErrorPeerAccessUnsupported);
  return device_call([&] {
    const bool is_new = allow_peer(current_device(), peer_device, true);
    return is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer_device) {
  if (!is_device(peer_device)) return report(cudaErrorInvalidDevice);
  if (peer_device == current_device() || !can_reach(current_device(), peer_device)) {
    return report(cudaErrorPeerAccessNotEnabled);
  }
  return device_call([&] {
    wait_for_device(current_device());  // what has been issued may need it
    allow_peer(current_device(), peer_device, false);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer_device) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device) || !is_device(peer_device) || device == peer_device) {
    return report(cudaErrorInvalidDevice);
  }
  switch (attribute) {
    case cudaDevP2PAttrPerformanceRank:
      *value = 0;
      return cudaSuccess;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 1;
      return cudaSuccess;
    default:
      return report(cudaErrorInvalidValue);
  }
}
