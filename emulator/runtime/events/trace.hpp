#pragma once
/// \file
/// Recording of memory accesses: what each lane does in turn, merged into what its warp does.
///
/// Lanes run one after another, so each first leaves a sequence of accesses (a `LaneTrace`). The
/// merge then replays the warp: among the lanes' next accesses the one deepest in calls, and of
/// those the one at the lowest program address, goes next, and all lanes that are at the same
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

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "events/execution_order.hpp"

namespace emulator::events {

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

/// The traces of a warp's 32 lanes.
struct WarpTrace {
  std::array<LaneTrace, warp_size> lanes;
  std::unique_ptr<ExecutionOrder> order;  ///< while details are wanted

  WarpTrace();
  ~WarpTrace();
  void begin_order();

  /// Merges until a lane of `running` (one bit per lane: those that may still add to their trace)
  /// has nothing left, since what it does next could come first.
  /// \param left_out lanes that keep what they have, and that nobody waits for
  /// \param merged is called with each request (merge.inl)
  template <bool with_stored, class Merged>
  void merge(std::uint32_t running, std::uint32_t left_out, Merged merged);
};

}  // namespace emulator::events
