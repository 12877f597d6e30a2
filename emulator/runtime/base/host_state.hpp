#pragma once
/// \file
/// What the host-side API knows and the engine asks it: memory, errors, limits of kernels.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/call_site.hpp"
#include "base/rooms.hpp"
#include "emulator/host/host_types.h"

namespace emulator::base {

// Memory ------------------------------------------------------------------------------------------

/// Every allocation is in the arena, always at these addresses: the engine tells an access to
/// global memory from others by comparing with two constants, and addresses are the same in every
/// run.
inline constexpr std::uintptr_t arena_base = 0x2000'0000'0000;
inline constexpr std::size_t arena_size = std::size_t{1} << 40;

enum class MemoryKind {
  device,      ///< cudaMalloc and the like
  managed,     ///< cudaMallocManaged
  pinned,      ///< cudaMallocHost, cudaHostAlloc
  registered,  ///< the program's own memory after cudaHostRegister; outside the arena
  symbol       ///< a variable whose address cudaGetSymbolAddress returned; outside the arena
};

/// A range of memory that the API knows.
struct Allocation {
  std::uintptr_t base = 0;
  std::size_t size = 0;  ///< in bytes, as asked for
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;        ///< those of cudaHostAlloc, cudaHostRegister, cudaMallocManaged
  std::uint64_t serial = 0;  ///< 1 for the program's first allocation, and so on
  const char* made_by = "";  ///< the API's function
  CallStack made_at;         ///< empty if the checks were off
  int device = 0;            ///< whose it is: the one in use as it was made
  /// From a memory pool: the devices that may use it, a bit each. Else those with peer access may.
  std::optional<unsigned> users{};
};

/// The live allocation that holds the byte at `address`, or null. The result stays valid until
/// that allocation is freed. Any thread may ask at any time.
const Allocation* find_allocation(const void* address);

/// While the checks are on, host code can reach memory of cudaMalloc() only while one of these
/// lives: in the API's functions and in launches. Anywhere else it faults, as it would with a GPU.
class DeviceWindow {
 public:
  DeviceWindow();
  ~DeviceWindow();
  DeviceWindow(const DeviceWindow&) = delete;
  DeviceWindow& operator=(const DeviceWindow&) = delete;

 private:
  bool used_;
};

/// Gives host code the memory back that no window is open to: the checks end.
void leave_device_memory_open();

/// Memory the host can still give, in bytes: what the kernel calls available, or what is left under
/// the limits of the control groups (versions 1 and 2) that the process is in, if that is less.
/// \param root is put before the paths of the system's files
std::size_t available_host_memory(const std::string& root = "");

/// All memory of the host, or of the control group if that is less.
std::size_t total_host_memory(const std::string& root = "");

/// Frees the allocations of the device in use, and forgets its registered memory and symbols.
void reset_memory();

// Textures ----------------------------------------------------------------------------------------

/// What the start of a texture in memory is a multiple of, counted from its allocation's start; and
/// the distance of its rows.
inline constexpr std::size_t texture_alignment = 512;
inline constexpr std::size_t texture_pitch_alignment = 32;
/// Elements of the longest texture in memory.
inline constexpr std::size_t longest_linear_texture = std::size_t{1} << 28;

/// Forgets all arrays, textures and surfaces.
void reset_textures();

// Errors ------------------------------------------------------------------------------------------

/// Leaves the error for cudaGetLastError() in this host thread. Success changes nothing.
void set_error(cudaError_t error);

/// This host thread's last error, and forgets it, as cudaGetLastError() does; but it does not count
/// as looked at.
cudaError_t take_last_error();

/// A kernel of the device in use failed: from now on every call that needs that device returns this
/// error, until cudaDeviceReset(). The first such error stays.
void set_sticky_error(cudaError_t error);

/// The error of the device's failed kernel, or cudaSuccess.
cudaError_t sticky_error();

/// Leaves an error for cudaGetLastError() and returns it.
cudaError_t report(cudaError_t error);

/// While one lives, the thread is in a host function called from a stream, where calls that need
/// the device are not permitted.
class InStreamCallback {
 public:
  InStreamCallback();
  ~InStreamCallback();
  InStreamCallback(const InStreamCallback&) = delete;
  InStreamCallback& operator=(const InStreamCallback&) = delete;
};

/// cudaSuccess, or why this thread cannot use the device now.
cudaError_t device_state();

/// Whether the program has called the runtime API.
bool runtime_is_in_use();

/// Runs the body of an API function that needs the device, and reports the error it returns.
template <class Body>
cudaError_t device_call(Body body) {
  const cudaError_t state = device_state();
  if (state != cudaSuccess) return report(state);
  const DeviceWindow window;
  return report(body());
}

/// Forgets the error of a failed kernel.
void clear_sticky_error();

// Streams -----------------------------------------------------------------------------------------

/// cudaSuccess for a live stream, one of the default streams included, or the error to return.
cudaError_t check_stream(cudaStream_t stream);

/// Destroys all streams and events of the device in use.
void reset_streams();

// Kernels -----------------------------------------------------------------------------------------

inline constexpr std::size_t shared_bytes_per_block = 48 * 1024;
inline constexpr std::size_t shared_bytes_per_block_optin = 227 * 1024;
inline constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
inline constexpr std::size_t shared_bytes_reserved_per_block = 1024;
inline constexpr int threads_per_block = 1024;
inline constexpr int threads_per_multiprocessor = 2048;
inline constexpr int blocks_per_multiprocessor = 32;
inline constexpr int registers_per_multiprocessor = 65536;
/// As many as a small GPU has, so that cooperative launches which run on any GPU fit.
inline constexpr int default_multiprocessors = 16;

/// Multiprocessors of the device: 16, or what EMULATOR_MULTIPROCESSORS in the environment says (1
/// to 1024), for programs that size their grids by it. Anything else there ends the program with
/// status 2.
int multiprocessors();

/// Bytes of dynamic shared memory that a launch of the kernel may ask for: 48 KB, or more once
/// cudaFuncSetAttribute() has raised it.
std::size_t dynamic_shared_limit(const void* function);

/// The largest of all kernels' limits, for launches that do not know their kernel's address.
std::size_t dynamic_shared_limit_of_any_kernel();

/// Blocks that a cluster may have: on every GPU that has clusters, and if the kernel allows it.
inline constexpr unsigned portable_cluster = 8;
inline constexpr unsigned largest_cluster = 16;
/// Which of the two is a kernel's limit; that of any kernel, for launches that do not know their
/// kernel's address.
unsigned largest_cluster_of(const void* function);

/// Forgets what was set for kernels.
void reset_functions();

}  // namespace emulator::base
