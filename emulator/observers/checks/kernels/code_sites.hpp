#pragma once
/// \file
/// What is known about places in the code: mostly each goes to the same memory every time.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "events/bulk_copies.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// An allocation or a variable, within the region that it is part of.
struct Extent {
  Region* region = nullptr;  ///< null: of no memory
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  /// Whether it has all bytes from `first` to `behind`.
  bool holds(std::uint64_t first, std::uint64_t behind) const {
    return region != nullptr && first >= begin && behind <= end;
  }
};

/// A place in the code that accesses memory.
class CodeSite {
 public:
  CodeSite(std::uint64_t pc, std::uint32_t number) : pc_(pc), number_(number) {}
  /// What it has done in an earlier launch does not matter any more.
  void begin_launch();

  std::uint64_t pc() const { return pc_; }
  /// An access that it makes, as it is remembered.
  Slot access(std::uint32_t segment, unsigned lane) const {
    Slot slot;
    slot.segment = segment;
    slot.site = number_ & 0xFFFFFFU;
    slot.lane = lane & 31U;
    return slot;
  }
  /// How many bytes a lane loads or stores at once there. Of an atomic operation 0: on vectors it
  /// is one for each element.
  void set_bytes_at_once(unsigned bytes) { bytes_at_once_ = bytes; }
  /// Whether one of the two loads or stores at once what the other one does in parts, of which one
  /// may be new, then, and the other old.
  bool splits(const CodeSite& other) const {
    return bytes_at_once_ != other.bytes_at_once_ && bytes_at_once_ != 0 &&
           other.bytes_at_once_ != 0;
  }
  bool has_made(const Slot& slot) const { return slot.site == number_; }

  /// What the last access went to that was within bounds.
  const Extent& extent() const { return extent_; }
  void set_extent(const Extent& extent) { extent_ = extent; }

  /// Remembers where the first lanes of a launch go that come by, and when they come again.
  void note_addresses(const Request& request, const RunningBlock& running) {
    if (came_as_ == 0 || again_as_ == 0) note_coming(request, running);
  }
  /// Whether these two may be the halves of an update such as ++x[i]; this one writes.
  bool updates_what_is_read_at(const CodeSite& reader) const;
  /// Whether the same lanes have read something else of the same memory before they write.
  bool knows_more_by(const CodeSite& reader) const;
  /// Whether two of the first lanes write to one address, in one step.
  bool writes_a_word_twice() const;

  /// Whether it is in a function of a library (is_of_library() of base/source_places.hpp).
  bool is_of_library() const;

  void note_race() { races_ = true; }
  bool races() const { return races_; }

  /// The place does not access memory itself, but starts this, which does.
  void note_copy(const BulkCopy& copy);
  bool copies_in_bulk() const { return copies_in_bulk_; }
  bool copies_out() const { return copies_out_; }
  bool multiplies() const { return multiplies_; }
  bool stores_asynchronously() const { return stores_; }
  /// What it starts: `a bulk copy`.
  const char* copier_text() const;

 private:
  void note_coming(const Request& request, const RunningBlock& running);
  bool is_of_same_warp(const CodeSite& other) const;

  std::uint64_t pc_;
  std::uint32_t number_;
  unsigned bytes_at_once_ = 0;
  bool races_ = false;  // in this launch
  mutable std::optional<bool> is_of_library_;
  bool copies_in_bulk_ = false;
  bool copies_out_ = false;
  bool multiplies_ = false;  // wgmma, which is reported as a copy out is
  bool stores_ = false;      // asynchronously, which is reported as a copy in is
  Extent extent_;
  // When anybody came first in this launch, and when that warp came again; 0: not yet.
  std::uint64_t came_as_ = 0;
  std::uint64_t again_as_ = 0;
  // Of the warp that has come by first:
  bool reads_ = false;
  bool writes_ = false;
  dim3 first_block_;
  unsigned first_warp_ = 0;
  std::array<std::uint64_t, warp_size> first_{};  // addresses by lane, or 0
};

/// All places that have come by so far.
class CodeSites {
 public:
  void begin_launch();

  /// The place of an instruction.
  CodeSite& at(std::uint64_t pc) {
    if (last_ == nullptr || last_->follower->site.pc() != pc) return look_up(pc);
    last_ = last_->follower;
    return last_->site;
  }
  /// The place of an access.
  CodeSite& of(const Slot& slot) { return sites_[slot.site]->site; }
  const CodeSite& of(const Slot& slot) const { return sites_[slot.site]->site; }

  /// Whether what is stored there goes where the same thread has just read it from, as by ++x[i],
  /// and as far as the launch has come.
  bool is_update(const CodeSite& store) const;
  /// Whether what is read there is stored so.
  bool is_read_to_update(const CodeSite& load) const;

 private:
  struct Entry {
    Entry(std::uint64_t pc, std::uint32_t number) : site(pc, number) {}
    CodeSite site;
    Entry* follower = this;  // the place that came next the last time
  };
  CodeSite& look_up(std::uint64_t pc);
  bool are_update(const CodeSite& load, const CodeSite& store) const;

  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by pc
  std::vector<std::unique_ptr<Entry>> sites_;
  Entry* last_ = nullptr;
};

}  // namespace emulator::checks
