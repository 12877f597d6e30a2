/// \file
/// The arena: one range of addresses, each reserved before it is first used, in which every
/// allocation gets pages of its own with an inaccessible page after them.

#include "base/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "base/allocation_table.hpp"
#include "base/arena_pages.hpp"
#include "base/details.hpp"
#include "base/device_variables.hpp"
#include "base/devices/device_shares.hpp"
#include "base/devices/devices.hpp"

namespace emulator::base {
namespace {

constexpr std::size_t alignment = 256;
class Memory {
 public:
  static Memory& get() {
    static auto& memory = *new Memory;  // never destroyed, for static objects' destructors
    return memory;
  }

  void* allocate(std::size_t bytes, MemoryKind kind, unsigned flags, const char* made_by) {
    const CallStack stack = call_stack();
    const int device = current_device();
    const std::unique_lock lock(mutex_);
    if (bytes > shares_.free_bytes(device)) return nullptr;
    const std::size_t pages = round_up(bytes, page_);
    RegionAllocator& regions = shares_.addresses(device);
    const auto region = regions.take(pages + page_);
    if (!region) return nullptr;
    reserve(*region, pages + page_);
    if (mprotect(std::bit_cast<void*>(*region), pages, PROT_READ | PROT_WRITE) != 0) {
      regions.give_back(*region, pages + page_);
      return nullptr;
    }
    prefer_large_pages(*region, pages);
    // The end of the allocation, not its start, is put where its pages end: more bugs run over
    // the end of an array than before its start.
    const std::uintptr_t base = *region + pages - round_up(bytes, alignment);
    table_.insert({base, bytes, kind, flags, ++serial_, made_by, stack, device});
    shares_.take(device, pages);
    return std::bit_cast<void*>(base);
  }

  Release release(std::uintptr_t address, MemoryKind kind, MemoryKind or_kind, const char* freed_by,
                  bool keeps_addresses = false) {
    const CallStack stack = call_stack();
    const std::unique_lock lock(mutex_);
    const Allocation* const found = table_.find(address);
    if (found == nullptr || (found->kind != kind && found->kind != or_kind)) {
      return Release::unknown;
    }
    if (found->base != address) return Release::inside;
    unmap(*found);
    if (!keeps_addresses) give_back(*found);
    table_.remember_freed({*found, freed_by, stack});
    table_.erase(address);
    return Release::done;
  }

  bool revive(std::uintptr_t base, std::size_t bytes, const char* made_by) {
    const CallStack stack = call_stack();
    const std::unique_lock lock(mutex_);
    const std::uintptr_t begin = base / page_ * page_;
    const std::size_t pages = round_up(bytes, page_);
    const int device = owner_of(base);
    if (bytes > shares_.free_bytes(device) ||
        mprotect(std::bit_cast<void*>(begin), pages, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
    prefer_large_pages(begin, pages);
    table_.insert({base, bytes, MemoryKind::device, 0, ++serial_, made_by, stack, device});
    shares_.take(device, pages);
    return true;
  }

  void give_back_addresses(std::uintptr_t base, std::size_t bytes) {
    const std::unique_lock lock(mutex_);
    Allocation gone;
    gone.base = base;
    gone.size = bytes;
    give_back(gone);
  }

  std::optional<FreedAllocation> find_freed(std::uintptr_t address) const {
    const std::shared_lock lock(mutex_);
    return table_.find_freed(address);
  }

  void set_users(std::uintptr_t base, unsigned devices) {
    const std::unique_lock lock(mutex_);
    table_.set_users(base, devices);
  }

  std::vector<Allocation> all() const {
    const std::shared_lock lock(mutex_);
    return table_.all();
  }

  bool add_outside(std::uintptr_t begin, std::size_t bytes, MemoryKind kind, unsigned flags) {
    const std::unique_lock lock(mutex_);
    if (table_.touches(begin, bytes)) return false;
    table_.insert({begin, bytes, kind, flags, ++serial_, "", {}, current_device()});
    return true;
  }

  Release remove_registered(std::uintptr_t address) {
    const std::unique_lock lock(mutex_);
    const Allocation* const found = table_.find(address);
    if (found == nullptr) return Release::unknown;
    if (found->kind != MemoryKind::registered || found->base != address) return Release::inside;
    table_.erase(address);
    return Release::done;
  }

  const Allocation* find_shared(std::uintptr_t address) const {
    const std::shared_lock lock(mutex_);
    return table_.find(address);
  }

  std::optional<Allocation> lookup(std::uintptr_t address) const {
    const std::shared_lock lock(mutex_);
    const Allocation* const found = table_.find(address);
    return found != nullptr ? std::optional(*found) : std::nullopt;
  }

  std::optional<Allocation> nearest(std::uintptr_t address) const {
    const std::shared_lock lock(mutex_);
    return table_.nearest(address);
  }

  bool touches_shared(std::uintptr_t begin, std::size_t bytes) const {
    const std::shared_lock lock(mutex_);
    return table_.touches(begin, bytes);
  }

  bool adopt(std::uintptr_t base, std::size_t bytes) {
    const std::unique_lock lock(mutex_);
    const std::uintptr_t begin = base / page_ * page_;
    constexpr std::size_t half = arena_size / 2;
    if (begin - arena_base >= half || bytes == 0 || bytes >= half - (base - arena_base)) {
      return false;
    }
    const std::size_t pages = round_up(base - begin + bytes, page_);
    reserve(begin, pages);
    if (table_.touches(begin, pages) || bytes > shares_.free_bytes(0) ||
        mprotect(std::bit_cast<void*>(begin), pages, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
    table_.insert({base, bytes, MemoryKind::device, 0, ++serial_, "cudaMalloc", {}, 0});
    shares_.take(0, pages);
    return true;
  }

  bool let_go(std::uintptr_t base) {
    const std::unique_lock lock(mutex_);
    const auto found = table_.live().find(base);
    if (found == table_.live().end()) return false;
    unmap(found->second);
    give_back(found->second);
    table_.erase(base);
    return true;
  }

  void keep_lower_half_free() {
    const std::unique_lock lock(mutex_);
    shares_.keep_lower_half_free();
  }

  /// Calls work(guards, whether they are closed).
  template <class Work>
  auto with_guards(Work work) {
    const std::unique_lock lock(mutex_);
    return work(guards_, closed_);
  }

  std::size_t free_shared(int device) {
    const std::unique_lock lock(mutex_);
    return shares_.free_bytes(device);
  }

  void open_window() {
    const std::unique_lock lock(mutex_);
    ++open_windows_;
    open();
  }

  void close_window() {
    const std::unique_lock lock(mutex_);
    if (--open_windows_ != 0 || !details_wanted()) return;
    protect(PROT_NONE);
    closed_ = true;
  }

  void leave_open() {
    const std::unique_lock lock(mutex_);
    open();
  }

  void reset() {
    const CallStack stack = call_stack();
    const int device = current_device();
    const std::unique_lock lock(mutex_);
    for (const Allocation& allocation : table_.all()) {
      if (allocation.device != device) continue;
      if (in_arena(std::bit_cast<const void*>(allocation.base))) {
        unmap(allocation);
        give_back(allocation);
        table_.remember_freed({allocation, "cudaDeviceReset", stack});
      }
      table_.erase(allocation.base);
    }
  }

 private:
  // The parts of the arena that have a byte of these.
  void reserve(std::uintptr_t begin, std::size_t bytes) {
    const std::size_t first = (begin - arena_base) / arena_part;
    const std::size_t last = (begin - arena_base + bytes - 1) / arena_part;
    for (std::size_t part = first; part <= last; ++part) {
      if (!reserved_[part]) reserve_addresses(arena_base + part * arena_part);
      reserved_[part] = true;
    }
  }

  // Addresses that were adopted are the first device's.
  static int owner_of(std::uintptr_t address) { return std::max(0, device_at(address)); }

  void open() {
    if (closed_) protect(PROT_READ | PROT_WRITE);
    closed_ = false;
  }

  // What the host's code may do from now on with the memory that is the device's alone.
  void protect(int access) {
    for (const auto& [base, allocation] : table_.live()) {
      if (allocation.kind == MemoryKind::device) protect_pages(allocation, access);
    }
    guards_.protect(access);
    exchange_device_variables();
  }

  void unmap(const Allocation& allocation) {
    const std::uintptr_t begin = allocation.base / page_ * page_;
    const std::size_t pages = round_up(allocation.size, page_);
    unmap_pages(begin, pages);
    shares_.give_back(allocation.device, pages);
  }

  void give_back(const Allocation& allocation) {
    const std::uintptr_t begin = allocation.base / page_ * page_;
    shares_.addresses(owner_of(begin)).give_back(begin, round_up(allocation.size, page_) + page_);
  }

  const std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mutable std::shared_mutex mutex_;
  std::bitset<arena_size / arena_part> reserved_;
  DeviceShares shares_;
  AllocationTable table_;
  Guards guards_;
  int open_windows_ = 0;
  bool closed_ = false;  // whether the host's code can reach no device memory now
  std::uint64_t serial_ = 0;
};

std::uintptr_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

void* allocate(std::size_t bytes, MemoryKind kind, unsigned flags, const char* made_by) {
  return Memory::get().allocate(bytes, kind, flags, made_by);
}

Release release(const void* address, MemoryKind kind, MemoryKind or_kind, const char* freed_by) {
  return Memory::get().release(number(address), kind, or_kind, freed_by);
}

std::optional<FreedAllocation> find_freed(std::uintptr_t address) {
  return Memory::get().find_freed(address);
}

void set_users(const void* address, unsigned devices) {
  Memory::get().set_users(number(address), devices);
}

std::vector<Allocation> live_allocations() {
  return Memory::get().all();
}

Release park(const void* address, const char* freed_by) {
  return Memory::get().release(number(address), MemoryKind::device, MemoryKind::device, freed_by,
                               /*keeps_addresses=*/true);
}

bool revive(const void* address, std::size_t bytes, const char* made_by) {
  return Memory::get().revive(number(address), bytes, made_by);
}

void give_back_addresses(const void* address, std::size_t bytes) {
  Memory::get().give_back_addresses(number(address), bytes);
}

bool add_outside(const void* address, std::size_t bytes, MemoryKind kind, unsigned flags) {
  return Memory::get().add_outside(number(address), bytes, kind, flags);
}

Release remove_registered(const void* address) {
  return Memory::get().remove_registered(number(address));
}

std::optional<Allocation> lookup(const void* address) {
  return Memory::get().lookup(number(address));
}

const Allocation* find_allocation(const void* address) {
  return Memory::get().find_shared(number(address));
}

std::optional<Allocation> nearest_allocation(std::uintptr_t address) {
  return Memory::get().nearest(address);
}

bool touches_allocation(std::uintptr_t begin, std::size_t bytes) {
  return Memory::get().touches_shared(begin, bytes);
}

bool adopt(std::uintptr_t base, std::size_t bytes) {
  return Memory::get().adopt(base, bytes);
}

bool let_go(std::uintptr_t base) {
  return Memory::get().let_go(base);
}

void keep_lower_half_free() {
  Memory::get().keep_lower_half_free();
}

void guard_host_memory(std::uintptr_t begin, std::size_t bytes) {
  Memory::get().with_guards([&](Guards& all, bool closed) { all.add(begin, bytes, closed); });
}

void end_guards() {
  Memory::get().with_guards([](Guards& all, bool) { all.end(); });
}

bool is_guarded(const void* address) {
  return Memory::get().with_guards([&](Guards& all, bool) { return all.hold(number(address)); });
}

void at_first_look(void (*action)()) {
  Memory::get().with_guards([&](Guards& all, bool) { all.looked = action; });
}

bool host_looks() {
  const auto looked = Memory::get().with_guards([](Guards& all, bool) { return all.looked; });
  if (looked == nullptr) return false;
  looked();  // opens windows of its own
  Memory::get().with_guards([](Guards& all, bool) { all.let_read(); });
  return true;
}

std::size_t free_device_memory(int device) {
  return Memory::get().free_shared(device);
}

void reset_memory() {
  Memory::get().reset();
}

DeviceWindow::DeviceWindow() : used_(details_wanted()) {
  if (used_) Memory::get().open_window();
}

DeviceWindow::~DeviceWindow() {
  if (used_) Memory::get().close_window();
}

void leave_device_memory_open() {
  Memory::get().leave_open();
}

}  // namespace emulator::base
