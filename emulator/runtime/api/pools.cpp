/// \file
/// Memory pools. All memory comes from one place and goes back there at once, so that a pool is a
/// handle, what was set for it, and a sum of what is in use.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>

#include "api/pools.hpp"
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
};

constexpr std::uintptr_t default_pool = 0xB001'0000;

// The live pools, and what of them is in use. Whoever uses the members holds the mutex.
class Pools {
 public:
  static Pools& get() {
    static auto& pools = *new Pools;  // never destroyed, for static objects' destructors
    return pools;
  }

  std::mutex mutex;
  std::map<std::uintptr_t, Pool> live{{default_pool, {}}};
  std::map<const void*, std::pair<std::uintptr_t, std::size_t>> allocations;
  std::uintptr_t current = default_pool;  // of cudaMallocAsync()
  std::uintptr_t next = default_pool + 16;

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

// The setting of that name as a pointer to an int, or null if it is none of them.
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

bool is_the_device(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice && location.id == 0;
}

}  // namespace

void note_pool_allocation(const void* pointer, std::size_t bytes, cudaMemPool_t handle) {
  if (pointer == nullptr) return;
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  const std::uintptr_t number =
      handle == nullptr ? pools.current : std::bit_cast<std::uintptr_t>(handle);
  const auto found = pools.live.find(number);
  if (found == pools.live.end()) return;
  pools.allocations[pointer] = {number, bytes};
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

void reset_pools() {
  Pools& pools = Pools::get();
  const std::lock_guard lock(pools.mutex);
  pools.live = {{default_pool, {}}};
  pools.allocations.clear();
  pools.current = default_pool;
}

}  // namespace emulator::api

using namespace emulator::api;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return report(cudaErrorInvalidValue);
  if (device != 0) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    *pool = handle_of(default_pool);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return report(cudaErrorInvalidValue);
  if (device != 0) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    Pools& pools = Pools::get();
    const std::lock_guard lock(pools.mutex);
    *pool = handle_of(pools.current);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return report(cudaErrorInvalidDevice);
  return with_pool(pool, [&](Pools& pools, Pool&) {
    pools.current = std::bit_cast<std::uintptr_t>(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr ||
      properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice) {
    return report(cudaErrorInvalidValue);
  }
  if (properties->location.id != 0) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    Pools& pools = Pools::get();
    const std::lock_guard lock(pools.mutex);
    pools.live[pools.next] = {};
    *pool = handle_of(pools.next);
    pools.next += 16;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_pool(pool, [&](Pools& pools, Pool&) {
    const auto number = std::bit_cast<std::uintptr_t>(pool);
    if (number == default_pool) return cudaErrorInvalidValue;
    pools.live.erase(number);
    if (pools.current == number) pools.current = default_pool;
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
  return with_pool(pool, [&](Pools&, Pool&) {
    if (list == nullptr && count != 0) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_the_device(list[i].location)) return cudaErrorInvalidDevice;
      // The device cannot be kept from its own memory.
      if (list[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  if (flags == nullptr || location == nullptr) return report(cudaErrorInvalidValue);
  return with_pool(pool, [&](Pools&, Pool&) {
    if (!is_the_device(*location)) return cudaErrorInvalidDevice;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (pointer == nullptr || !is_pool(pool)) return report(cudaErrorInvalidValue);
  return malloc_from_pool(pointer, bytes, pool, stream, "cudaMallocFromPoolAsync");
}
