#pragma once
/// \file
/// Recording of memory accesses: what each lane does in turn, merged into what its warp does.
///
/// Lanes run one after another, so each first leaves a sequence of accesses (a `LaneTrace`). The
/// merge then replays the warp: among the lanes' next accesses the one deepest in calls, and of
/// those the one at the lowest program address, goes next, and all lanes that stand at the same
/// place go with it, in one request. That is how a warp reconverges on the hardware. Buffers are
/// short; a lane that fills its own waits until the merge has caught up.
///
/// The starts of blocks of code are part of the sequence. Without them two lanes that reach the
/// same load in different rounds of a loop, one having skipped it before, would seem to reach it
/// together.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace emulator::detail {

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
  barrier,     ///< no access either: a barrier of the block
  bulk_copy,   ///< the start of a bulk copy, by its number in the block
  // Only for the checks; not counted.
  fence,          ///< of the thread; its size is 1 if it is one for the block only
  constant_load,  ///< constant memory
  foreign_load,   ///< memory that is neither the device's nor the thread's own
  foreign_store,  ///< or of a function of CUDA's, to the device's memory
  copy_begins,    ///< an asynchronous copy begins to write shared memory
  copy_ends,      ///< it has been waited for
  async_event,    ///< an AsyncEvent, which stands in place of the size
};

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
  static unsigned bytes_of(std::uint64_t what) { return static_cast<unsigned>(what & 0xFF); }
};

/// Whether an access, by its Access::what(), is one that threads may wait for or hand on by.
inline bool is_strong(std::uint64_t what) {
  const AccessKind kind = Access::kind_of(what);
  return kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic ||
         (Access::flags_of(what) & (access_flags::is_volatile | access_flags::is_atomic)) != 0;
}

/// The accesses of one lane that the merge has not consumed yet.
class LaneTrace {
 public:
  static constexpr unsigned capacity = 96;

  LaneTrace() { clear(); }

  /// Appends an access; false if that filled the buffer, and the lane must wait.
  bool push(const Access& access) {
    *tail_++ = access;
    return tail_ != &accesses_[capacity];
  }
  bool empty() const { return head_ == tail_; }
  bool full() const { return tail_ == &accesses_[capacity]; }
  bool almost_full() const { return tail_ == &accesses_[capacity - 1]; }
  const Access& front() const { return *head_; }
  void pop() {
    if (++head_ == tail_) clear();
  }
  void clear() { head_ = tail_ = accesses_.data(); }
  /// Whether the lane seems to wait for what another one does: it asks for the same again and
  /// again, and stores nothing.
  bool polls() const;

  /// The value that the last access has stored, which is known only after it. While the checks are
  /// on every store is given one, and front_stored() is that of the front.
  void set_stored(std::uint64_t value) { stored_[index_of(tail_) - 1] = value; }
  std::uint64_t front_stored() const { return stored_[index_of(head_)]; }

 private:
  // First, so that they share a cache line with the first accesses: most lanes leave few at a time.
  Access* head_ = nullptr;
  Access* tail_ = nullptr;
  // A few more than are used, so that neighbours do not fall into the same sets of the cache.
  std::array<Access, capacity + 4> accesses_;
  std::array<std::uint64_t, capacity> stored_;

  std::size_t index_of(const Access* access) const {
    return static_cast<std::size_t>(access - accesses_.data());
  }
};

class Checker;
class LaunchCounters;
class RealOrder;

/// The traces of a warp's 32 lanes.
struct WarpTrace {
  std::array<LaneTrace, warp_size> lanes;
  std::unique_ptr<RealOrder> real_order;  ///< while the checks are on

  WarpTrace();
  ~WarpTrace();
  void begin_order();

  /// Merges and counts until a lane of `running` (a bit a lane: those that may still add to their
  /// trace) has nothing left, since what it does next could come first.
  /// \param checker is shown each request, too; may be null
  /// \param left_out lanes that keep what they have, and that nobody waits for
  void merge(std::uint32_t running, LaunchCounters& counters, Checker* checker,
             std::uint32_t left_out = 0);

 private:
  template <bool checked>
  void merge_all(std::uint32_t running, LaunchCounters& counters, Checker* checker,
                 std::uint32_t left_out);
};

}  // namespace emulator::detail
