#pragma once
/// \file
/// What the checks remember about memory, beside its contents: which bytes have been written, and
/// what read and wrote each word last.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/rooms.hpp"
#include "events/memory_events.hpp"

namespace emulator::checks {

/// An access to a word, as the race check remembers it. The parts that identify the thread are the
/// number of a *segment*, which is a stretch of one warp's work between two points where it
/// synchronises, and a lane.
struct Slot {
  std::uint32_t segment = 0;    ///< 0: none
  std::uint32_t site : 24 = 0;  ///< number of the place in the code
  std::uint32_t lane : 5 = 0;
  std::uint32_t is_atomic : 1 = 0;
  std::uint32_t is_volatile : 1 = 0;

  /// The mark, in `segment`, of an asynchronous copy that has not been waited for: no barrier
  /// orders it.
  static constexpr std::uint32_t unfinished = 1U << 31;
  bool is_unfinished() const { return (segment & unfinished) != 0; }
  std::uint32_t number() const { return segment & ~unfinished; }
};
static_assert(sizeof(Slot) == 8);

/// The last writes to a 4-byte word: the last ordinary one and the last atomic one.
struct WriteCell {
  Slot plain;
  Slot atomic;
};

/// Two of the reads since the last write, by different threads, if there were two.
struct ReadCell {
  Slot first;
  Slot last;
};

/// Memory that the kernel has given zeros, a page at a time when it is touched.
class LazyPages {
 public:
  explicit LazyPages(std::size_t bytes);
  ~LazyPages();
  LazyPages(const LazyPages&) = delete;
  LazyPages& operator=(const LazyPages&) = delete;
  void* data() const { return data_; }

 private:
  void* data_;
  std::size_t bytes_;
};

/// A range of memory that is checked as one: an allocation, all of the program's variables, or a
/// block's shared memory.
class Region {
 public:
  /// \param written whether all of it counts as written from the start
  Region(std::uintptr_t begin, std::size_t bytes, bool written, std::uint64_t serial);

  std::uintptr_t begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t serial() const { return serial_; }  ///< of the allocation
  bool contains(std::uint64_t address, unsigned bytes) const {
    return address - begin_ < bytes_ && bytes_ - (address - begin_) >= bytes;
  }

  /// The cells of the word that holds the byte at `address`, one of the region's. Those of its
  /// neighbours follow.
  /// Whether parts of words have been accessed, which are remembered elsewhere.
  bool has_narrow = false;

  WriteCell* writes(std::uint64_t address) const { return &writes_[(address - begin_) / 4]; }
  ReadCell* reads(std::uint64_t address) const { return &reads_[(address - begin_) / 4]; }
  /// What the last ordinary write has stored, or a hash of it.
  std::uint64_t* values(std::uint64_t address) const { return &values_[(address - begin_) / 4]; }

  /// Whether every byte has been written.
  bool is_written() const { return unwritten_ == 0; }
  /// The same of 4, 8 or 16 bytes at a multiple of that.
  bool is_written(std::uint64_t address, unsigned bytes) const {
    const std::uint64_t bits = written_[(address - begin_) / 64] >> (address - begin_) % 64;
    return ((~bits) & ((std::uint64_t{1} << bytes) - 1)) == 0;
  }
  void mark_written(std::uint64_t address, std::size_t bytes);
  /// How many of the bytes have not been written.
  std::size_t unwritten(std::uint64_t address, std::size_t bytes) const;

 private:
  std::uintptr_t begin_;
  std::size_t bytes_;
  std::uint64_t serial_;
  std::size_t unwritten_;
  std::unique_ptr<LazyPages> cells_;
  std::unique_ptr<LazyPages> bits_;  // one bit per byte; none if all is written
  WriteCell* writes_;
  ReadCell* reads_;
  std::uint64_t* values_;
  std::uint64_t* written_;
};

/// The region of the live allocation that holds the byte at `address`, or null. Made when it is
/// asked for the first time; valid until forget_freed_regions() is called after the allocation has
/// been freed.
Region* region_of(std::uint64_t address);

/// The region of the program's variables.
Region& variables_region();

/// Drops the regions of memory that has been freed.
void forget_freed_regions();

}  // namespace emulator::checks
