/// \file
/// The driver API's virtual memory: addresses without memory, memory without an address, and the
/// one put at the other.

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "base/arena.hpp"
#include "modules/in_driver.hpp"

namespace emulator::modules {
namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;

// Memory that was made. While it is mapped its contents are there, otherwise here.
struct Made {
  std::size_t bytes = 0;
  CUmemAllocationProp properties{};
  std::vector<unsigned char> contents{};
  CUdeviceptr mapped_at = 0;
  bool released = false;  // it lives on until it is unmapped
};

struct VirtualMemory {
  std::mutex mutex;
  std::map<CUdeviceptr, std::size_t> reserved;
  std::map<CUmemGenericAllocationHandle, Made> made;
  CUmemGenericAllocationHandle last = 0;

  static VirtualMemory& get() {
    static auto& memory = *new VirtualMemory;
    return memory;
  }

  bool is_reserved(CUdeviceptr address, std::size_t bytes) const {
    auto after = reserved.upper_bound(address);
    if (after == reserved.begin()) return false;
    --after;
    return address - after->first <= after->second &&
           bytes <= after->second - (address - after->first);
  }

  // Every piece that is mapped between two addresses, in order, if together they fill that range.
  std::vector<CUmemGenericAllocationHandle> mapped(CUdeviceptr address, std::size_t bytes) const {
    std::map<CUdeviceptr, CUmemGenericAllocationHandle> pieces;
    for (const auto& [handle, one] : made) {
      if (one.mapped_at >= address && one.mapped_at < address + bytes)
        pieces[one.mapped_at] = handle;
    }
    std::vector<CUmemGenericAllocationHandle> result;
    CUdeviceptr next = address;
    for (const auto& [begin, handle] : pieces) {
      if (begin != next) return {};
      next += made.at(handle).bytes;
      result.push_back(handle);
    }
    if (next != address + bytes) return {};
    return result;
  }
};

bool is_of_device(const CUmemAllocationProp* properties) {
  return properties != nullptr && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED &&
         properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE && properties->location.id == 0;
}

bool is_multiple(std::size_t bytes) {
  return bytes != 0 && bytes % granularity == 0;
}

}  // namespace
}  // namespace emulator::modules

using namespace emulator::modules;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment,
                             CUdeviceptr, unsigned long long flags) {
  if (address == nullptr || !is_multiple(bytes) || flags != 0 || alignment > granularity) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  void* const pointer = allocate(bytes, MemoryKind::device, 0, "cuMemAddressReserve");
  if (pointer == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  park(pointer, "cuMemAddressReserve");
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  *address = address_of_pointer(pointer);
  memory.reserved[*address] = bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  const auto found = memory.reserved.find(address);
  if (found == memory.reserved.end() || found->second != bytes) return CUDA_ERROR_INVALID_VALUE;
  const bool in_use = std::any_of(memory.made.begin(), memory.made.end(), [&](const auto& entry) {
    return entry.second.mapped_at >= address && entry.second.mapped_at < address + bytes;
  });
  if (in_use) return CUDA_ERROR_INVALID_VALUE;
  give_back_addresses(pointer_to(address), bytes);
  memory.reserved.erase(found);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  if (bytes == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_of_device(properties)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = granularity;
  return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  if (handle == nullptr || !is_multiple(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!is_of_device(properties)) return CUDA_ERROR_INVALID_DEVICE;
  if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  std::size_t available = 0;
  const CUresult result = in_driver([&] { return cudaMemGetInfo(&available, nullptr); });
  if (result != CUDA_SUCCESS) return result;
  if (bytes > available) return CUDA_ERROR_OUT_OF_MEMORY;
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  *handle = ++memory.last;
  Made& one = memory.made[*handle];
  one.bytes = bytes;
  one.properties = *properties;
  // There is no compressed memory here, as the device says.
  one.properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
  return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  const auto found = memory.made.find(handle);
  if (found == memory.made.end() || found->second.released) return CUDA_ERROR_INVALID_VALUE;
  found->second.released = true;
  if (found->second.mapped_at == 0) memory.made.erase(found);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  const auto found = memory.made.find(handle);
  if (found == memory.made.end() || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *properties = found->second.properties;
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  const auto found = memory.made.find(handle);
  if (found == memory.made.end() || flags != 0 || offset != 0 || bytes != found->second.bytes ||
      !memory.is_reserved(address, bytes) ||
      touches_allocation(static_cast<std::uintptr_t>(address), bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Made& one = found->second;
  if (one.mapped_at != 0) return CUDA_ERROR_NOT_SUPPORTED;
  if (!revive(pointer_to(address), bytes, "cuMemMap")) return CUDA_ERROR_OUT_OF_MEMORY;
  const DeviceWindow window;
  if (!one.contents.empty()) std::memcpy(pointer_to(address), one.contents.data(), bytes);
  one.contents = {};
  one.mapped_at = address;
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
  const CUresult waited = in_driver([] { return cudaDeviceSynchronize(); });
  if (waited != CUDA_SUCCESS) return waited;
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  const std::vector<CUmemGenericAllocationHandle> pieces = memory.mapped(address, bytes);
  if (pieces.empty()) return CUDA_ERROR_INVALID_VALUE;
  const DeviceWindow window;
  for (const CUmemGenericAllocationHandle handle : pieces) {
    Made& one = memory.made.at(handle);
    const auto* const begin = static_cast<const unsigned char*>(pointer_to(one.mapped_at));
    if (!one.released) one.contents.assign(begin, begin + one.bytes);
    park(begin, "cuMemUnmap");
    one.mapped_at = 0;
    if (one.released) memory.made.erase(handle);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access,
                        std::size_t count) {
  if (access == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < count; ++i) {
    if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || access[i].location.id != 0) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
  }
  VirtualMemory& memory = VirtualMemory::get();
  const std::lock_guard lock(memory.mutex);
  return memory.mapped(address, bytes).empty() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
