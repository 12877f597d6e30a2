#include "graphs/graph_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/graphs.h"

namespace emulator::graphs {
namespace {

// All of it. To use the members, or those of one memory, hold the mutex.
struct AllMemory {
  std::recursive_mutex mutex;
  std::map<const void*, GraphMemory*> by_address;
  std::uint64_t in_use = 0;  // by graphs' allocations, from their launch to their free
  std::uint64_t kept = 0;    // for graphs, which is what a program can ask for
  std::uint64_t kept_high = 0;

  // The driver takes memory from the device in large pieces, and keeps them for the next launches
  // until cudaDeviceGraphMemTrim(): so graphs in one stream share what the largest of them needs.
  static constexpr std::uint64_t piece = std::uint64_t{32} << 20;
  std::uint64_t pieces_in_use() const { return (in_use + piece - 1) / piece * piece; }
  void keep(std::uint64_t bytes) {
    kept = bytes;
    kept_high = std::max(kept_high, kept);
  }
};

// Never destroyed: destructors of the program's static objects may still free.
AllMemory& all_memory() {
  static auto& all = *new AllMemory;
  return all;
}

}  // namespace

std::shared_ptr<GraphMemory> GraphMemory::reserve(const cudaMemAllocNodeParams& wanted,
                                                  const char* made_by) {
  cudaMemAllocNodeParams parameters = wanted;
  parameters.dptr = allocate(wanted.bytesize, MemoryKind::device, 0, made_by);
  if (parameters.dptr == nullptr) return nullptr;
  return std::shared_ptr<GraphMemory>(new GraphMemory(parameters, made_by));
}

GraphMemory::GraphMemory(const cudaMemAllocNodeParams& parameters, const char* made_by)
    : parameters_(parameters), made_by_(made_by), made_at_(call_stack()) {
  AllMemory& all = all_memory();
  const std::lock_guard lock(all.mutex);
  all.by_address[pointer()] = this;
}

// What is still allocated outlives its graph, and is memory like any other from now on.
GraphMemory::~GraphMemory() {
  AllMemory& all = all_memory();
  const std::lock_guard lock(all.mutex);
  all.by_address.erase(pointer());
  if (uses_ > 0) {
    all.in_use -= parameters_.bytesize;
    return;
  }
  if (is_new_) {
    release(pointer(), MemoryKind::device, MemoryKind::device, "cudaGraphDestroy");
  } else {
    give_back_addresses(pointer(), parameters_.bytesize);
  }
}

bool GraphMemory::begin_use() {
  AllMemory& all = all_memory();
  const std::lock_guard lock(all.mutex);
  if (uses_ == 0) {
    const CalledFrom place(made_at_);  // where it was asked for, not where it was launched
    if (!is_new_ && !revive(pointer(), parameters_.bytesize, made_by_)) return false;
    is_new_ = false;
    all.in_use += parameters_.bytesize;
    all.keep(std::max(all.kept, all.pieces_in_use()));
  }
  ++uses_;
  return true;
}

bool GraphMemory::end_use(const char* freed_by) {
  AllMemory& all = all_memory();
  const std::lock_guard lock(all.mutex);
  if (uses_ == 0) return false;
  if (--uses_ > 0) return true;
  all.in_use -= parameters_.bytesize;
  park(pointer(), freed_by);
  return true;
}

GraphMemory* graph_memory_at(const void* pointer) {
  AllMemory& all = all_memory();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(pointer);
  return found == all.by_address.end() ? nullptr : found->second;
}

void reset_graph_memory() {
  AllMemory& all = all_memory();
  const std::lock_guard lock(all.mutex);
  all.keep(all.pieces_in_use());
  all.kept_high = all.kept;
}

void note_free_issued(const void* pointer) {
  if (GraphMemory* const memory = graph_memory_at(pointer)) memory->is_held = false;
}

}  // namespace emulator::graphs

using namespace emulator::graphs;

cudaError_t cudaDeviceGraphMemTrim(int device) {
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  return device_call([] {
    AllMemory& all = all_memory();
    const std::lock_guard lock(all.mutex);
    all.keep(all.pieces_in_use());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    AllMemory& all = all_memory();
    const std::lock_guard lock(all.mutex);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent:
      case cudaGraphMemAttrReservedMemCurrent:
        *static_cast<std::uint64_t*>(value) = all.kept;
        return cudaSuccess;
      case cudaGraphMemAttrUsedMemHigh:
      case cudaGraphMemAttrReservedMemHigh:
        *static_cast<std::uint64_t*>(value) = all.kept_high;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  return device_call([&] {
    const bool can_be_set =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    // They can only be started over.
    if (!can_be_set || *static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    AllMemory& all = all_memory();
    const std::lock_guard lock(all.mutex);
    all.kept_high = all.kept;
    return cudaSuccess;
  });
}
