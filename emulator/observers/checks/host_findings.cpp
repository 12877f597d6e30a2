#include "observers/checks/host_findings.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/call_site.hpp"
#include "base/source_places.hpp"
#include "base/words.hpp"
#include "events/findings.hpp"
#include "observers/checks/finding_text.hpp"

namespace emulator::checks {
namespace {

std::string call_of(const std::string& function) {
  return function + "()";
}

void put_memory(Finding& finding, const Allocation& allocation) {
  finding.memory = describe(allocation);
  finding.bytes = allocation.size;
}

std::string allocated_here(const Allocation& allocation) {
  return std::string("allocated here by ") + allocation.made_by;
}

// The pointer is to memory that was freed before.
Finding freed_before(std::uintptr_t address, const char* function, const FreedAllocation& freed) {
  const std::uintptr_t distance = address - freed.allocation.base;
  Finding finding;
  finding.kind = distance == 0 ? "double-free" : "invalid-free";
  finding.what = distance == 0 ? call_of(function) + " of memory that was already freed"
                               : call_of(function) + " of a pointer to byte " +
                                     std::to_string(distance) + " of memory that was already freed";
  finding.remedy =
      "free it only once: set the pointer to nullptr there, as freeing a null pointer does "
      "nothing";
  set_place(finding, call_stack(), distance == 0 ? "freed again here" : "freed here");
  add_other(finding, freed.freed_at, std::string("freed here by ") + freed.freed_by);
  add_other(finding, freed.allocation.made_at, allocated_here(freed.allocation));
  put_memory(finding, freed.allocation);
  return finding;
}

// The pointer is to live memory, but not to be freed like this.
Finding wrong_way(std::uintptr_t address, const std::string& function,
                  const Allocation& allocation) {
  const std::uintptr_t distance = address - allocation.base;
  Finding finding;
  finding.kind = "invalid-free";
  const std::string right = function_to_free(allocation);
  if (allocation.kind == MemoryKind::symbol) {
    finding.what = call_of(function) + " of a variable of the program";
    finding.remedy = "free only what was allocated";
  } else if (allocation.kind == MemoryKind::registered) {
    finding.what = call_of(function) +
                   " of the host's own memory, which was only registered with "
                   "cudaHostRegister()";
    finding.remedy = "call cudaHostUnregister(), and free the memory the way it was allocated";
  } else if (distance != 0) {
    finding.what = call_of(function) + " of a pointer to byte " + std::to_string(distance) +
                   " of an allocation, not to its start";
    finding.remedy =
        "keep the pointer that " + call_of(allocation.made_by) + " returned, and free that one";
  } else {
    finding.what = call_of(function) + " of memory that it cannot free";
    finding.remedy = "free it with " + call_of(right);
  }
  set_place(finding, call_stack(), "freed here");
  add_other(finding, allocation.made_at, allocated_here(allocation));
  put_memory(finding, allocation);
  return finding;
}

Finding unknown_pointer(const void* pointer, const std::string& function) {
  Finding finding;
  finding.kind = "invalid-free";
  finding.what = in_arena(pointer)
                     ? call_of(function) + " of a pointer that points to no allocation"
                     : call_of(function) + " of a pointer to the host's own memory";
  finding.remedy =
      "free with the CUDA API only what it allocated, and host memory the way it was allocated";
  set_place(finding, call_stack(), "freed here");
  return finding;
}

// What its graph frees. That a graph is never destroyed is not a leak of memory of the program's.
bool is_a_graphs_value(const Allocation& allocation) {
  return std::string_view(allocation.made_by) == "cudaGraphConditionalHandleCreate";
}

struct Leak {
  const Allocation* first = nullptr;
  std::size_t count = 0;
  std::size_t bytes = 0;
};

Finding leak_finding(const Leak& leak) {
  const Allocation& first = *leak.first;
  const std::string function = first.made_by;
  Finding finding;
  finding.kind = "leak";
  finding.what = leak.count == 1
                     ? counted_bytes(leak.bytes) + " allocated by " + function + " are never freed"
                     : std::to_string(leak.count) + " allocations by " + function + ", " +
                           counted_bytes(leak.bytes) + " in all, are never freed";
  finding.remedy =
      "call " + call_of(function_to_free(first)) + " for each of them before the program ends";
  if (leak.count == 1) {
    finding.remedy = "call " + call_of(function_to_free(first)) + " before the program ends";
  }
  set_place(finding, first.made_at, "allocated here");
  finding.times = leak.count;
  return finding;
}

}  // namespace

std::string describe(const Allocation& allocation) {
  std::string text = counted_bytes(allocation.size);
  if (*allocation.made_by != '\0') text += std::string(" allocated by ") + allocation.made_by;
  if (allocation.kind == MemoryKind::registered) text += " of registered host memory";
  return text;
}

const char* function_to_free(const Allocation& allocation) {
  if (allocation.kind == MemoryKind::pinned) return "cudaFreeHost";
  const std::string made_by = allocation.made_by;
  if (made_by == "cudaMallocArray" || made_by == "cudaMalloc3DArray") return "cudaFreeArray";
  if (made_by == "cudaMallocMipmappedArray") return "cudaFreeMipmappedArray";
  return made_by == "cudaMallocAsync" ? "cudaFreeAsync" : "cudaFree";
}

void find_leaks() {
  const std::vector<Allocation> live = live_allocations();
  std::vector<Leak> leaks;  // in the order of their first allocations
  std::map<std::string, std::size_t> known;
  for (const Allocation& allocation : live) {
    if (allocation.made_at.empty() || is_a_graphs_value(allocation)) continue;
    std::string key = allocation.made_by;
    for (const SourceLine& line : lines_of(allocation.made_at, 2)) {
      key += "\n" + line.file + ":" + std::to_string(line.line);
    }
    const auto [position, is_new] = known.emplace(key, leaks.size());
    if (is_new) leaks.push_back({&allocation});
    Leak& leak = leaks[position->second];
    ++leak.count;
    leak.bytes += allocation.size;
  }
  for (const Leak& leak : leaks) add_finding(leak_finding(leak));
}

}  // namespace emulator::checks

namespace emulator::events {

using namespace checks;

void free_refused(const void* pointer, const char* function) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (const auto allocation = lookup(pointer)) {
    add_finding(wrong_way(address, function, *allocation));
  } else if (const auto freed = find_freed(address)) {
    add_finding(freed_before(address, function, *freed));
  } else {
    add_finding(unknown_pointer(pointer, function));
  }
  print_new_findings();
}

void copy_refused(const char* side, const void* pointer, std::size_t bytes, bool of_device) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::string name = std::string("the ") + side;
  Finding finding;
  finding.severity = Severity::note;
  finding.kind = "invalid-copy";
  set_place(finding, call_stack(), "called here");
  const auto allocation = lookup(pointer);
  const auto freed = find_freed(address);
  if (pointer == nullptr) {
    finding.what = name + " is a null pointer";
    finding.remedy = "allocate it first, and check that the allocation succeeded";
  } else if (allocation && bytes > allocation->size - (address - allocation->base)) {
    finding.what = name + " has " + counted_bytes(allocation->size - (address - allocation->base)) +
                   " from there on, but the call needs " + counted_bytes(bytes);
    finding.remedy =
        "sizes are in bytes: the number of elements times sizeof, here and where it was "
        "allocated";
  } else if (allocation) {
    finding.what = name + " is memory of the device, but this direction needs memory of the host";
    finding.remedy =
        "check the direction, and the order of the arguments: the destination comes first";
  } else if (freed) {
    finding.what = name + " is memory that was freed";
    finding.remedy = "free it after its last use";
    add_other(finding, freed->freed_at, std::string("freed here by ") + freed->freed_by);
  } else if (of_device && !in_arena(pointer)) {
    finding.what = name + " is memory of the host, but the call needs memory of the device";
    finding.remedy =
        "check the direction, and the order of the arguments: the destination comes first";
  } else {
    finding.what = name + " is an address outside all memory that the CUDA API allocated";
    finding.remedy = "pass the pointer that the allocation returned, or one into that memory";
  }
  const auto& memory = allocation ? *allocation : freed ? freed->allocation : Allocation{};
  if (memory.size != 0) {
    add_other(finding, memory.made_at, allocated_here(memory));
    put_memory(finding, memory);
  }
  add_finding(std::move(finding));
  print_new_findings();
}

void host_faulted(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Finding finding;
  finding.kind = "device-pointer";
  set_place(finding, call_stack(), "used here");
  const auto allocation = lookup(pointer);
  const auto freed = find_freed(address);
  if (allocation) {
    finding.what = "host code uses memory of the device: with a GPU the program would crash here";
    finding.remedy = "copy it with cudaMemcpy(), or let a kernel do it";
    finding.offset = static_cast<std::int64_t>(address - allocation->base);
  } else if (freed) {
    finding.what = "host code uses memory that was freed";
    finding.remedy = "free it after its last use";
    add_other(finding, freed->freed_at, std::string("freed here by ") + freed->freed_by);
  } else {
    finding.what = "host code uses an address outside all memory that the CUDA API allocated";
    finding.remedy = "compare the index with the number of elements before you use it";
  }
  const auto& memory = allocation ? *allocation : freed ? freed->allocation : Allocation{};
  if (memory.size != 0) {
    add_other(finding, memory.made_at, allocated_here(memory));
    put_memory(finding, memory);
  }
  add_finding(std::move(finding));
}

void launch_refused(const char* kernel, const void* function, const std::string& reason,
                    const std::string& remedy) {
  Finding finding;
  finding.kind = "invalid-launch";
  finding.what = reason;
  finding.remedy = remedy;
  finding.kernel = kernel_name(kernel, function);
  set_place(finding, call_stack(), "launched here");
  add_finding(std::move(finding));
  print_new_findings();
}

}  // namespace emulator::events
