#pragma once
/// \file
/// A worker's copy of the program's thread-local storage. The translator turns __shared__ into
/// static thread_local, so all shared memory of a block is there.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::engine {

/// That of the host thread that makes it.
class SharedStorage {
 public:
  SharedStorage();

  std::uintptr_t begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }
  /// From where addresses of shared memory in 32 bits count.
  std::uintptr_t base() const { return begin_ & ~std::uintptr_t{1023}; }
  /// Whether the address is in static or dynamic shared memory.
  bool holds(std::uintptr_t address) const { return address - begin_ < bytes_; }

  /// Accesses are recorded from now on.
  void find_guards();
  /// Whether the compiler notes there that it has constructed a variable, which no GPU does: there
  /// `__shared__` variables are not constructed.
  bool is_guard(std::uintptr_t address) const {
    return !guards_.empty() &&
           std::find(guards_.begin(), guards_.end(), address - begin_) != guards_.end();
  }

  /// Where the calling host thread's dynamic shared memory lies.
  static std::uintptr_t dynamic_begin();

  /// Notes that the running block has asked for that address of its shared memory in 32 bits.
  void note_asked(std::uintptr_t address) {
    if (asked_for_.empty()) return;
    asked_for_[(address - begin_) / bytes_of_note] = 1;
    has_asked_ = true;
  }
  /// Another block begins.
  void forget_asked() {
    if (has_asked_) clear_notes();
  }
  /// Whether the address is in an array of which the running block has asked for such an address.
  /// Nothing is known of this in programs with so little shared memory that nobody needs it.
  /// \param dynamic_bytes what the launch has asked for
  bool has_asked_for_array_at(std::uintptr_t address, std::size_t dynamic_bytes) const;

 private:
  void clear_notes();

  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0;
  std::span<const std::uintptr_t> guards_;  // offsets
  // Of each piece of that many bytes, where arrays begin, whether the block has asked for an
  // address in them.
  static constexpr std::size_t bytes_of_note = 128;
  std::vector<unsigned char> asked_for_;
  bool has_asked_ = false;
};

}  // namespace emulator::engine
