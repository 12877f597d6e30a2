#pragma once
/// \file
/// One access of one lane, as it is recorded.

#include <array>
#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::events {

inline constexpr unsigned warp_size = 32;

/// Where an access goes and what it does there. The order is that of the bits in `Access`.
enum class AccessKind : std::uint64_t {
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic,
  code_block,  ///< no access: the start of a block of code, which keeps lanes in step in between
  barrier,     ///< no access either: a barrier of the block; its size is 1 if it is not one of the
               ///< hardware's, but threads of the block are waited for all the same
  bulk_copy,   ///< the start of a bulk copy, by its number in the block
  // Only for the checks; not counted, but for copy_begins.
  fence,          ///< of the thread; its size is 1 if it is one for the block only, 2 if it is one
                  ///< for the whole system
  constant_load,  ///< constant memory
  foreign_load,   ///< memory that is neither the device's nor the thread's own
  foreign_store,  ///< or of a function of CUDA's, to the device's memory
  copy_begins,    ///< an asynchronous copy begins to write shared memory
  copy_ends,      ///< it has been waited for
  async_event,    ///< an AsyncEvent, which is in place of the size
};

/// Whether it is in the traffic.
constexpr bool is_counted(AccessKind kind) {
  return kind <= AccessKind::bulk_copy || kind == AccessKind::copy_begins;
}

/// What else there is to say of an access, as bits beside its kind.
namespace access_flags {
inline constexpr unsigned is_volatile = 0x10;
inline constexpr unsigned is_atomic = 0x20;   ///< a load or a store of an atomic object
inline constexpr unsigned is_piece = 0x40;    ///< of a structure that is copied whole
inline constexpr unsigned is_ordered = 0x80;  ///< an atomic that is a fence, too

/// Of an atomic operation the first three say what the hardware makes of it instead: an AtomicForm
/// (atomics.hpp). That it is atomic its kind says.
inline constexpr unsigned atomic_form_unit = 0x10;
inline constexpr unsigned atomic_form_bits = 0x70;

/// Beside the size: an atomic operation that is one for the whole system, or nobody knows.
inline constexpr unsigned is_system_wide = 0x80;
}  // namespace access_flags

/// One access of one lane, packed into 16 bytes: tracing is bound by writing these.
struct Access {
  std::uint64_t site;    ///< merge order: call depth (inverted) in the top 16 bits, then the pc
  std::uint64_t target;  ///< address in the low 48 bits, kind and size above

  static Access make(std::uint64_t depth, std::uintptr_t pc, std::uintptr_t address,
                     AccessKind kind, unsigned bytes, unsigned flags = 0) {
    constexpr std::uint64_t low48 = (std::uint64_t{1} << 48) - 1;
    return {((0xFFFF - depth) << 48) | (pc & low48),
            ((static_cast<std::uint64_t>(kind) | flags) << 56) | (std::uint64_t{bytes} << 48) |
                (address & low48)};
  }
  std::uint64_t pc() const { return site & ((std::uint64_t{1} << 48) - 1); }
  std::uint64_t address() const { return target & ((std::uint64_t{1} << 48) - 1); }
  /// Kind, flags and size in one number; the following take it apart.
  std::uint64_t what() const { return target >> 48; }
  static AccessKind kind_of(std::uint64_t what) { return static_cast<AccessKind>(what >> 8 & 0xF); }
  static bool is_atomic_operation(std::uint64_t what) {
    return kind_of(what) == AccessKind::global_atomic || kind_of(what) == AccessKind::shared_atomic;
  }
  static unsigned flags_of(std::uint64_t what) {
    const unsigned flags = static_cast<unsigned>(what >> 8 & 0xF0);
    if (!is_atomic_operation(what)) return flags;
    return (flags & access_flags::is_ordered) | access_flags::is_atomic;
  }
  /// Of an atomic operation: its AtomicForm.
  static unsigned form_of(std::uint64_t what) {
    return static_cast<unsigned>(what >> 8 & access_flags::atomic_form_bits) /
           access_flags::atomic_form_unit;
  }
  /// The same access as one of another kind.
  static std::uint64_t with_kind(std::uint64_t what, AccessKind kind) {
    return (what & ~(std::uint64_t{0xF} << 8)) | static_cast<std::uint64_t>(kind) << 8;
  }
  static unsigned bytes_of(std::uint64_t what) {
    return static_cast<unsigned>(what & (0xFF ^ access_flags::is_system_wide));
  }
  static bool is_system_wide(std::uint64_t what) {
    return (what & access_flags::is_system_wide) != 0;
  }
};

/// Whether an access, by its Access::what(), is one that threads may wait for or hand on by.
inline bool is_strong(std::uint64_t what) {
  const AccessKind kind = Access::kind_of(what);
  return kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic ||
         (Access::flags_of(what) & (access_flags::is_volatile | access_flags::is_atomic)) != 0;
}

/// Whether an access is one to shared memory.
inline bool is_shared_kind(AccessKind kind) {
  return kind >= AccessKind::shared_load && kind <= AccessKind::shared_atomic;
}

/// Whether an access to memory reads; an atomic reads and writes.
inline bool reads_memory(AccessKind kind) {
  return kind != AccessKind::global_store && kind != AccessKind::shared_store;
}
inline bool writes_memory(AccessKind kind) {
  return kind != AccessKind::global_load && kind != AccessKind::shared_load;
}

/// One step of a warp: what the active lanes do at one place.
struct Request {
  std::uint64_t pc = 0;    ///< return address of the call that reported it
  std::uint64_t what = 0;  ///< kind and size, as Access::what()
  unsigned active = 0;     ///< lanes that take part
  /// For an access: the addresses of the active lanes and their numbers, ascending.
  std::array<std::uint64_t, warp_size> address;
  std::array<std::uint8_t, warp_size> lane;
  /// What the lanes have stored, or a hash of it; only while details are wanted.
  std::array<std::uint64_t, warp_size> stored;
};

}  // namespace emulator::events
