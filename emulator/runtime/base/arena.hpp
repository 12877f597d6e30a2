#pragma once
/// \file
/// The table of all memory that the API knows, and its pages.

#include <optional>
#include <vector>

#include "base/host_state.hpp"
#include "base/rooms.hpp"

namespace emulator::base {

/// Maps new pages of the arena, filled with zeros by the kernel, for `bytes` (not 0) bytes.
/// \param made_by the API's function
/// \return the address, or null if the host has not that much memory to give
void* allocate(std::size_t bytes, MemoryKind kind, unsigned flags, const char* made_by);

/// What became of a request to free or forget memory.
enum class Release {
  done,
  inside,  ///< the address is in such memory, but is not its start
  unknown
};

/// Unmaps the allocation that starts at `address`, if it is of one of the two kinds: any later use
/// faults.
/// \param freed_by the API's function
Release release(const void* address, MemoryKind kind, MemoryKind or_kind, const char* freed_by);

/// The same, but the addresses stay reserved: for memory of graphs, which comes back.
Release park(const void* address, const char* freed_by);
/// New pages of zeros for `bytes` bytes at reserved addresses. False if the host has not that much.
bool revive(const void* address, std::size_t bytes, const char* made_by);
/// Ends the reservation of addresses where nothing lives.
void give_back_addresses(const void* address, std::size_t bytes);

/// Adds memory outside the arena to the table, unless some of it is there already.
/// \return whether it was added
bool add_outside(const void* address, std::size_t bytes, MemoryKind kind, unsigned flags);

/// Takes registered memory that starts at `address` out of the table.
Release remove_registered(const void* address);

/// Memory of the arena that was freed while the checks were on.
struct FreedAllocation {
  Allocation allocation;
  const char* freed_by = "";  ///< the API's function
  CallStack freed_at;
};

/// The freed allocation that held the byte at `address`, if nothing lives there now. Addresses
/// serve again only once the arena has been handed out to its end.
std::optional<FreedAllocation> find_freed(std::uintptr_t address);

/// The allocation that starts there is from a memory pool: besides its own device only these may
/// use it, a bit each.
void set_users(const void* address, unsigned devices);

/// All live allocations, by address.
std::vector<Allocation> live_allocations();

/// A copy of the allocation that holds the byte at `address`.
std::optional<Allocation> lookup(const void* address);

/// The allocation that an address beside all of them was meant for: the one that ends or begins
/// nearest to it.
std::optional<Allocation> nearest_allocation(std::uintptr_t address);

/// Whether some allocation has a byte between `begin` and `begin + bytes`.
bool touches_allocation(std::uintptr_t begin, std::size_t bytes);

/// Makes an allocation of another process's device one of this process's, at the same address and
/// filled with zeros. For that keep_lower_half_free() has been called.
/// \return false if the range is not in the arena's lower half or something lives there
bool adopt(std::uintptr_t base, std::size_t bytes);

/// Ends what adopt() began, without a trace.
/// \return false if nothing starts there: the program has freed it
bool let_go(std::uintptr_t base);

/// From now on this process's own allocations come from the upper half of the arena. Called before
/// the first of them.
void keep_lower_half_free();

/// Memory of the host that nobody may touch but the API's functions, as if it were the device's.
/// \param begin, bytes whole pages
void guard_host_memory(std::uintptr_t begin, std::size_t bytes);

/// Ends that for all such memory.
void end_guards();

/// Whether the byte at `address` is guarded.
bool is_guarded(const void* address);

/// The first time that the host's code reads guarded memory, until end_guards(), `action` is
/// called, and from then on all of it may be read. Without an action that is a fault.
void at_first_look(void (*action)());

/// It does so now.
/// \return false if it may not
bool host_looks();

/// Bytes that cudaMalloc() and the like could still get of that device.
std::size_t free_device_memory(int device);

inline bool in_arena(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - arena_base < arena_size;
}

}  // namespace emulator::base
