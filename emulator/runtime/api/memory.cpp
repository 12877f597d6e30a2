/// \file
/// Allocating and freeing memory of all kinds, and asking what a pointer points to.

#include "emulator/host/host_api.h"

#include <cstdint>

#include "api/managed_hints.hpp"
#include "api/pools.hpp"
#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "events/findings.hpp"
#include "events/host_accesses.hpp"
#include "events/memory_events.hpp"
#include "events/witnessed.hpp"
#include "graphs/capture.hpp"
#include "graphs/graph_memory.hpp"
#include "streams/handles.hpp"
#include "streams/order.hpp"
#include "streams/untrusted_host.hpp"
#include "streams/work_queue.hpp"

using namespace emulator::api;

namespace {

// What the host has not waited for is found once it is done.
void announce_taken_back(const void* memory, const char* function) {
  if (order_checks_on) settle();
  memory_taken_back(memory, function);
}

constexpr std::size_t row_alignment = 512;          // of cudaMallocPitch on current GPUs
constexpr std::size_t longest_pitch = 0x7FFF'FFFF;  // the device's maximum pitch

bool host_can_use(MemoryKind kind) {
  return kind != MemoryKind::device && kind != MemoryKind::symbol;
}

// Memory of the device's range that the host's code may use; what it registers is its own.
std::size_t shared_bytes() {
  std::size_t sum = 0;
  for (const Allocation& one : live_allocations()) {
    if (one.kind == MemoryKind::pinned || one.kind == MemoryKind::managed) sum += one.size;
  }
  return sum;
}

// A witness takes what the host does there for what it is.
void tell_of_loan(Announcement what, const void* pointer, std::size_t bytes) {
  if (!is_witnessed || pointer == nullptr) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  emulator_tell_witness(what, begin, begin + bytes);
}

// \param in_stream whether a stream orders the allocation, so that captures are in no danger
cudaError_t allocate_into(void** pointer, std::size_t bytes, MemoryKind kind, unsigned flags,
                          const char* function, bool in_stream = false) {
  if (pointer == nullptr) return report(cudaErrorInvalidValue);
  return device_call([&] {
    const cudaError_t error = in_stream ? cudaSuccess : refuse_unsafe_while_capturing();
    if (error != cudaSuccess) return error;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (is_host_distrusted() && host_can_use(kind) && !may_share(bytes, shared_bytes())) {
      return cudaErrorNotSupported;
    }
    *pointer = allocate(bytes, kind, flags, function);
    if (host_can_use(kind)) tell_of_loan(Announcement::loan, *pointer, bytes);
    return *pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

cudaError_t free_now(void* pointer, MemoryKind kind, MemoryKind or_kind, const char* function) {
  forget_hints(pointer);
  GraphMemory* const of_graph = graph_memory_at(pointer);
  if (of_graph != nullptr && of_graph->end_use(function)) return cudaSuccess;
  const auto memory = lookup(pointer);
  if (release(pointer, kind, or_kind, function) == Release::done) {
    if (host_can_use(memory->kind)) tell_of_loan(Announcement::loan_ends, pointer, memory->size);
    note_pool_free(pointer);
    memory_gone(pointer);
    return cudaSuccess;
  }
  if (details_wanted()) free_refused(pointer, function);
  return cudaErrorInvalidValue;
}

// What the memory's device has been given to do is done before; another one's work is not.
void wait_for_owner_of(const void* memory) {
  const auto found = lookup(memory);
  wait_for_device(found ? found->device : current_device());
}

// Whatever may still use the memory is done before. What came from a pool is freed as it stands:
// there it is the program that has to wait.
cudaError_t free_one_of(void* pointer, MemoryKind kind, MemoryKind or_kind, const char* function) {
  return device_call([&] {
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    if (pointer == nullptr) return cudaSuccess;
    // CUDA promises a wait only for what cudaMalloc() and the like have allocated.
    const bool is_pooled = is_from_pool(pointer);
    if (is_pooled || kind == MemoryKind::pinned) announce_taken_back(pointer, function);
    if (!is_pooled) wait_for_owner_of(pointer);
    if (device_count() > 1 && !is_pooled && kind != MemoryKind::pinned) {
      announce_taken_back(pointer, function);  // other devices may still use it
    }
    note_free_issued(pointer);
    return free_now(pointer, kind, or_kind, function);
  });
}

cudaError_t allocate_pinned(void** pointer, std::size_t bytes, unsigned int flags,
                            const char* function) {
  constexpr unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if ((flags & ~known) != 0) return report(cudaErrorInvalidValue);
  // With unified addressing, which the device has, all pinned memory is mapped.
  return allocate_into(pointer, bytes, MemoryKind::pinned, flags | cudaHostAllocMapped, function);
}

}  // namespace

cudaError_t FreeTask::perform() const {
  freed_in_stream(pointer);
  return free_now(pointer, MemoryKind::device, MemoryKind::device, "cudaFreeAsync");
}

cudaError_t emulator::api::malloc_from_pool(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                            cudaStream_t stream, const char* function) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  if (!is_straight_through() && is_captured(stream)) {
    if (pointer == nullptr) return report(cudaErrorInvalidValue);
    return device_call([&] { return capture_allocation(stream, *pointer, bytes, function); });
  }
  const OnDevice here(pool != nullptr ? device_of_pool(pool) : device_of(stream));
  const cudaError_t error =
      allocate_into(pointer, bytes, MemoryKind::device, 0, function, /*in_stream=*/true);
  if (error != cudaSuccess) return error;
  note_pool_allocation(*pointer, bytes, pool);
  if (*pointer != nullptr && is_watched()) {
    allocated_in_stream(*pointer, enqueue(stream, CallTask{function}));
  }
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return allocate_into(pointer, bytes, MemoryKind::device, 0, "cudaMalloc");
}

cudaError_t cudaFree(void* pointer) {
  return free_one_of(pointer, MemoryKind::device, MemoryKind::managed, "cudaFree");
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return report(cudaErrorInvalidValue);
  }
  return allocate_into(pointer, bytes, MemoryKind::managed, flags, "cudaMallocManaged");
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  return allocate_pinned(pointer, bytes, flags, "cudaHostAlloc");
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return allocate_pinned(pointer, bytes, cudaHostAllocDefault, "cudaMallocHost");
}

cudaError_t cudaFreeHost(void* pointer) {
  return free_one_of(pointer, MemoryKind::pinned, MemoryKind::pinned, "cudaFreeHost");
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return malloc_from_pool(pointer, bytes, nullptr, stream, "cudaMallocAsync");
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  return device_call([&] {
    if (pointer == nullptr) return cudaSuccess;
    const FreeTask task{pointer};
    if (!is_straight_through() && is_captured(stream)) return capture_free(stream, pointer);
    note_free_issued(pointer);
    const auto memory = lookup(pointer);
    const bool can_wait = memory && memory->kind == MemoryKind::device &&
                          memory->base == reinterpret_cast<std::uintptr_t>(pointer);
    if (is_straight_through() || !can_wait) return task.perform();
    // The checks see what used the memory before it goes, and find what uses it later.
    if (is_watched()) settle();
    enqueue(stream, task, 0, Runs::also_at_exit);
    if (is_watched()) settle();
    return cudaSuccess;
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  if (pointer == nullptr || pitch == nullptr || width > longest_pitch) {
    return report(cudaErrorInvalidValue);
  }
  const std::size_t row = (width + row_alignment - 1) / row_alignment * row_alignment;
  std::size_t bytes = 0;
  const bool too_large = __builtin_mul_overflow(row, height, &bytes);
  *pitch = bytes == 0 ? 0 : row;
  return allocate_into(pointer, too_large ? SIZE_MAX : bytes, MemoryKind::device, 0,
                       "cudaMallocPitch");
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr) return report(cudaErrorInvalidValue);
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) rows = SIZE_MAX;
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return device_call([&] {
    if (free_bytes != nullptr) *free_bytes = free_device_memory(current_device());
    if (total_bytes != nullptr) {
      *total_bytes = total_host_memory() / static_cast<std::size_t>(device_count());
    }
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) {
  return device_call([&] {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
    const bool wraps = begin + bytes < begin;
    if (pointer == nullptr || bytes == 0 || wraps || (flags & ~known) != 0 || in_arena(pointer)) {
      return cudaErrorInvalidValue;
    }
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    const bool added =
        add_outside(pointer, bytes, MemoryKind::registered, flags | cudaHostRegisterMapped);
    if (added) memory_registered(pointer, bytes);
    return added ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return device_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    announce_taken_back(pointer, "cudaHostUnregister");
    wait_for_owner_of(pointer);
    switch (remove_registered(pointer)) {
      case Release::done:
        memory_unregistered(pointer);
        memory_gone(pointer);
        return cudaSuccess;
      case Release::inside:
        return cudaErrorInvalidValue;
      case Release::unknown:
        break;
    }
    return cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer,
                                     unsigned int flags) {
  return device_call([&] {
    if (device_pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    const auto memory = lookup(host_pointer);
    if (!memory || (memory->kind != MemoryKind::pinned && memory->kind != MemoryKind::registered)) {
      return cudaErrorInvalidValue;
    }
    *device_pointer = host_pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return device_call([&] {
    const auto memory = lookup(pointer);
    if (flags == nullptr || !memory ||
        (memory->kind != MemoryKind::pinned && memory->kind != MemoryKind::registered)) {
      return cudaErrorInvalidValue;
    }
    *flags = memory->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return report(cudaErrorInvalidValue);
  void* const address = const_cast<void*>(pointer);
  const auto memory = lookup(pointer);
  if (!memory) {
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address, {}};
    return cudaSuccess;
  }
  cudaMemoryType type = cudaMemoryTypeHost;
  if (!host_can_use(memory->kind)) type = cudaMemoryTypeDevice;
  if (memory->kind == MemoryKind::managed) type = cudaMemoryTypeManaged;
  *attributes = {type, memory->device, address, host_can_use(memory->kind) ? address : nullptr, {}};
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes,
                                     unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = refuse_if_captured(stream); error != cudaSuccess) return error;
    // Only an allocation as a whole can be attached; 0 bytes mean just that.
    const auto memory = lookup(pointer);
    const bool whole = memory && memory->base == reinterpret_cast<std::uintptr_t>(pointer) &&
                       (bytes == 0 || bytes == memory->size);
    if (!whole || memory->kind != MemoryKind::managed) return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
