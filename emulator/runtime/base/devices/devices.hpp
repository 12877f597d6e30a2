#pragma once
/// \file
/// The devices: how many there are, which of them a host thread uses, whose memory is at an
/// address, and which of them may reach it.

#include <cstddef>
#include <cstdint>

#include "base/host_state.hpp"
#include "base/rooms.hpp"

namespace emulator::base {

inline constexpr int most_devices = 16;

/// 1, or what EMULATOR_DEVICES in the environment says (1 to 16). Anything else there ends the
/// program with status 2.
int device_count();

inline bool is_device(int device) {
  return device >= 0 && device < device_count();
}

/// The device that the calling host thread uses: what cudaSetDevice() has chosen, or, for work in a
/// stream, the stream's.
int current_device();
void use_device(int device);

/// While one lives, the calling host thread uses that device.
class OnDevice {
 public:
  explicit OnDevice(int device) : before_(current_device()) { use_device(device); }
  ~OnDevice() { use_device(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_;
};

/// The addresses of a device's allocations: all of the arena if there is but one. Several share its
/// upper half, since the lower one may be kept for another process.
struct Addresses {
  std::uintptr_t begin;
  std::size_t bytes;
};
Addresses addresses_of(int device);

/// Whose allocations are at that address of the arena; -1 if no device's are.
int device_at(std::uintptr_t address);

/// Whether kernels of `device` may use memory of `owner`: their own, or a peer's once access to it
/// has been enabled.
bool can_reach(int device, int owner);
/// The same of an allocation; what is not a device's alone all may use.
bool can_use(int device, const Allocation& allocation);
/// \return whether that was otherwise before
bool allow_peer(int device, int peer, bool allowed);
/// Ends all access from the device and to it.
void forget_peers(int device);

/// A handle of a stream or an event, and the number of a default stream, begins with its device.
inline constexpr unsigned device_bits_from = 40;
inline std::uint64_t numbered_for(int device, std::uint64_t number) {
  return number | static_cast<std::uint64_t>(device) << device_bits_from;
}
inline int device_of_number(std::uint64_t number) {
  return static_cast<int>(number >> device_bits_from & (most_devices - 1));
}

}  // namespace emulator::base
