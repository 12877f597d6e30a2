/// \file
/// Memory pools. All memory comes from one place and goes back there at once, so that a pool is a
/// handle, what was set for it, and a sum of what is in use.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>

#include "api/pools.hpp"
#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"

namespace emulator::api {
namespace {

struct Pool {
  int follow_events = 1;
  int opportunistic = 1;
  int internal_dependencies = 1;
  std::uint64_t release_threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  int device = 0;
  unsigned users = 0;  // other devices that may use its memory, a bit each
};

// The pool that a device has from the beginning.
std::uintptr_t default_pool(int device) {
  return 0xB001'0000 + static_cast<std::uintptr_t>(device) * 16;
}

// The live pools, and what of them is in use. To use the members, hold the mutex.
class Pools {
 public:
  static Pools& get() {
    static auto& pools = *new Pools;  // never destroyed, for static objects' destructors
    return pools;
  }

  std::mutex mutex;
  std::map<std::uintptr_t, Pool> live;
  std::map<const void*, std::pair<std::uintptr_t, std::size_t>> allocations;
  std::array<std::uintptr_t, most_devices> current{};  // of cudaMallocAsync(), by device
  std::uintptr_t next = default_pool(most_devices);

  Pools() {
    for (int device = 0; device < device_count(); ++device) begin(device);
  }

  // The device has its own pool, as new.
  void begin(int device) {
    live[default_pool(device)] = {};
    live[default_pool(device)].device = device;
    current_of(device) = default_pool(device);
  }

  std::uintptr_t& current_of(int device) { return current[static_cast<std::size_t>(device)]; }

  Pool* find(cudaMemPool_t pool) {
    const auto found = live.find(std::bit_cast<std::uintptr_t>(pool));
    return found == live.end() ? nullptr : &found->second;
  }
};

// Calls `use` with a live pool and returns what it returns.
template <class Use>
cudaError_t with_pool(cudaMemPool_t handle, Use use) {
  return device_call([&] {
    Pools& pools = Pools::get();
    const std::lock_guard lock(pools.mutex);
    Pool* const pool = pools.find(handle);
    return pool == nullptr ? cudaErrorInvalidValue : use(pools, *pool);
  });
}

cudaMemPool_t handle_of(std::uintptr_t pool) {
  return std::bit_cast<cudaMemPool_t>(pool);
}

// The setting of that name as a pointer to an int, or null if it is not one of them.
int* switch_of(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
      return &pool.follow_events;
    case cudaMemPoolReuseAllowOpportunistic:
      return &pool.opportunistic;
    case cudaMemPoolReuseAllowInternalDependencies:
      return &pool.internal_dependencies;
    default:
      return nullptr;
  }
}

bool is_a_device(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice && is_device(location.id);
}

unsigned bit_of(int device) {
  return 1U << static_cast<unsigned>(device);
}

}  // namespace

void note_pool_allocation(const void* pointer, std::size_t bytes, cudaMemPool_t handle) {
  if (pointer == nullptr) return;
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  const std::uintptr_t number = handle == nullptr ? pools.current_of(current_device())
                                                  : std::bit_cast<std::uintptr_t>(handle);
  const auto found = pools.live.find(number);
  if (found == pools.live.end()) return;
  pools.allocations[pointer] = {number, bytes};
  set_users(pointer, found->second.users);
  found->second.used += bytes;
  found->second.used_high = std::max(found->second.used_high, found->second.used);
}

void note_pool_free(const void* pointer) {
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  const auto allocation = pools.allocations.find(pointer);
  if (allocation == pools.allocations.end()) return;
  const auto pool = pools.live.find(allocation->second.first);
  if (pool != pools.live.end()) pool->second.used -= allocation->second.second;
  pools.allocations.erase(allocation);
}

bool is_from_pool(const void* pointer) {
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  return pools.allocations.contains(pointer);
}

bool is_pool(cudaMemPool_t handle) {
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  return pools.find(handle) != nullptr;
}

int device_of_pool(cudaMemPool_t handle) {
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  const Pool* const pool = pools.find(handle);
  return pool == nullptr ? current_device() : pool->device;
}

void reset_pools() {
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  const int device = current_device();
  std::erase_if(pools.allocations, [&](const auto& entry) {
    const auto pool = pools.live.find(entry.second.first);
    return pool == pools.live.end() || pool->second.device == device;
  });
  std::erase_if(pools.live, [&](const auto& entry) { return entry.second.device == device; });
  pools.begin(device);
}

}  // namespace emulator::api

using namespace emulator::api;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    *pool = handle_of(default_pool(device));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    Pools& pools = Pools::get();
    const std::lock_guard lock(pools.mutex);
    *pool = handle_of(pools.current_of(device));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  return with_pool(pool, [&](Pools& pools, Pool& live) {
    if (live.device != device) return cudaErrorInvalidValue;
    pools.current_of(device) = std::bit_cast<std::uintptr_t>(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr ||
      properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice) {
    return report(cudaErrorInvalidValue);
  }
  if (!is_device(properties->location.id)) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    Pools& pools = Pools::get();
    const std::lock_guard lock(pools.mutex);
    pools.live[pools.next] = {};
    pools.live[pools.next].device = properties->location.id;
    *pool = handle_of(pools.next);
    pools.next += 16;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_pool(pool, [&](Pools& pools, const Pool& live) {
    const auto number = std::bit_cast<std::uintptr_t>(pool);
    const int device = live.device;
    if (number == default_pool(device)) return cudaErrorInvalidValue;
    pools.live.erase(number);
    if (pools.current_of(device) == number) pools.current_of(device) = default_pool(device);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return with_pool(pool, [](Pools&, Pool&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  return with_pool(pool, [&](Pools&, Pool& live) {
    if (int* const setting = switch_of(live, attribute)) {
      *setting = *static_cast<const int*>(value) != 0 ? 1 : 0;
      return cudaSuccess;
    }
    const std::uint64_t number = *static_cast<const std::uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        live.release_threshold = number;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (number != 0) return cudaErrorInvalidValue;  // they can only be started over
        live.used_high = live.used;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  return with_pool(pool, [&](Pools&, Pool& live) {
    if (const int* const setting = switch_of(live, attribute)) {
      *static_cast<int*>(value) = *setting;
      return cudaSuccess;
    }
    auto& number = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        number = live.release_threshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        number = live.used;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        number = live.used_high;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list,
                                 std::size_t count) {
  return with_pool(pool, [&](Pools& pools, Pool& live) {
    if (list == nullptr && count != 0) return cudaErrorInvalidValue;
    unsigned users = live.users;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_a_device(list[i].location)) return cudaErrorInvalidDevice;
      const int device = list[i].location.id;
      const bool may = list[i].flags == cudaMemAccessFlagsProtReadWrite;
      // Others have access or none. The device cannot be kept from its own memory.
      const bool is_none = list[i].flags == cudaMemAccessFlagsProtNone && device != live.device;
      if (!may && !is_none) return cudaErrorInvalidValue;
      users = may ? users | bit_of(device) : users & ~bit_of(device);
    }
    live.users = users;
    const auto number = std::bit_cast<std::uintptr_t>(pool);
    for (const auto& [pointer, of] : pools.allocations) {
      if (of.first == number) set_users(pointer, users);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  if (flags == nullptr || location == nullptr) return report(cudaErrorInvalidValue);
  return with_pool(pool, [&](Pools&, const Pool& live) {
    if (!is_a_device(*location)) return cudaErrorInvalidDevice;
    const bool may = location->id == live.device || (live.users & bit_of(location->id)) != 0;
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (pointer == nullptr || !is_pool(pool)) return report(cudaErrorInvalidValue);
  return malloc_from_pool(pointer, bytes, pool, stream, "cudaMallocFromPoolAsync");
}
