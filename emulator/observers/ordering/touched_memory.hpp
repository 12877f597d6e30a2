#pragma once
/// \file
/// Memory that several can reach, beside its contents: what has been done to each word, and, where
/// somebody accesses parts of it, to each byte.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "observers/checks/shadow.hpp"
#include "observers/ordering/histories.hpp"

namespace emulator::ordering {

/// The two sets of accesses to a word, or to one of its bytes. Of a word whose bytes differ, the
/// first is the number of its parts instead.
struct Cell {
  Histories::Set writes = 0;
  Histories::Set reads = 0;

  bool operator==(const Cell&) const = default;
};

/// Where the program's `__device__`, `__managed__` and `__constant__` variables lie, with others
/// among them.
struct VariableRange {
  std::uintptr_t begin;
  std::size_t bytes;
};
VariableRange range_of_device_variables();
bool is_in_device_variable(std::uintptr_t address);

/// An allocation, or a variable.
class TouchedRegion {
 public:
  TouchedRegion(std::uintptr_t begin, std::size_t bytes, bool is_the_devices)
      : begin_(begin),
        bytes_(bytes),
        is_the_devices_(is_the_devices),
        cells_((bytes / 4 + 2) * sizeof(Cell)) {}

  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t end() const { return begin_ + bytes_; }
  /// Whether host code cannot reach it.
  bool is_the_devices() const { return is_the_devices_; }
  bool contains(std::uintptr_t address, std::size_t bytes) const {
    return address - begin_ < bytes_ && bytes_ - (address - begin_) >= bytes;
  }
  /// The cell of the word that holds the byte; words are counted from the region's begin.
  Cell& cell(std::uintptr_t address) const {
    return static_cast<Cell*>(cells_.data())[(address - begin_) / 4];
  }

  /// What counts as written to words that nobody has accessed: the allocation, in its stream.
  Histories::Set first_writes = 0;

 private:
  std::uintptr_t begin_;
  std::size_t bytes_;
  bool is_the_devices_;
  LazyPages cells_;
};

/// All of it.
class TouchedMemory {
 public:
  explicit TouchedMemory(Histories& histories) : histories_(histories) {}

  /// Whether the bytes of the word differ.
  static bool is_split(const Cell& cell) { return (cell.writes & split_bit) != 0; }

  /// The region that holds the byte: null if that is not memory that several can reach. Made when
  /// it is asked for the first time.
  TouchedRegion* find(std::uintptr_t address);
  /// The same of the host's own memory, of which only what is named here is found.
  void add_own(std::uintptr_t address);
  bool has_own(std::uintptr_t address) const { return own_.contains(address / own_bytes); }
  /// The memory is freed.
  void drop(std::uintptr_t begin) { regions_.erase(begin); }
  /// Everything that was done is forgotten, as Histories::forget() says.
  void forget();

  /// Calls use(cell, address, bytes) for each cell of a range of the region. A cell is a word's, or
  /// a byte's if only a part of the word is meant, or its bytes differ. What `use` makes of it is
  /// kept.
  template <class Use>
  void for_cells(const TouchedRegion& region, std::uintptr_t address, std::size_t bytes, Use use) {
    while (bytes > 0) {
      Cell& word = region.cell(address);
      const auto offset = static_cast<unsigned>((address - region.begin()) % 4);
      const auto here = static_cast<unsigned>(std::min<std::size_t>(4 - offset, bytes));
      bring_up_to_date(word, region);
      if (here == 4 && !is_split(word)) {
        use(word, address, 4U);
      } else {
        Parts& parts = split(word);
        for (unsigned i = offset; i < offset + here; ++i) use(parts[i], address + i - offset, 1U);
        join(word, parts);
      }
      address += here;
      bytes -= here;
    }
  }

 private:
  using Parts = std::array<Cell, 4>;
  static constexpr std::uint32_t split_bit = std::uint32_t{1} << 31;
  void bring_up_to_date(Cell& cell, const TouchedRegion& region) const {
    if (is_split(cell)) {
      if (cell.reads == generation_) return;
      cell = {};
    }
    if (!histories_.is_live(cell.writes)) {
      cell.writes = histories_.is_live(region.first_writes) ? region.first_writes : 0;
    }
    if (!histories_.is_live(cell.reads)) cell.reads = 0;
  }
  Parts& split(Cell& cell);
  void join(Cell& cell, const Parts& parts);

  Histories& histories_;
  std::map<std::uintptr_t, TouchedRegion> regions_;
  static constexpr std::uintptr_t own_bytes = 64;
  std::map<std::uintptr_t, TouchedRegion> own_;  // by their numbers
  // Words whose bytes differ. Their cells name the parts, and since when.
  std::vector<std::unique_ptr<Parts>> parts_;
  std::vector<std::uint32_t> unused_parts_;
  std::uint32_t generation_ = 1;
};

}  // namespace emulator::ordering
