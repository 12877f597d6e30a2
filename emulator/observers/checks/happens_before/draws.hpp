#pragma once
/// \file
/// Which numbers a block has drawn: by an atomic operation on a counter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/rooms.hpp"
#include "events/access.hpp"

namespace emulator::checks {

/// An operation that leaves its word as another block left it draws nothing.
class Draws {
 public:
  void begin_launch() { counters_.clear(); }
  void begin_block() { count_ = 0; }

  /// \param request atomic operations on global memory, with the values that they leave
  /// \param block that does them
  void note(const Request& request, std::uint32_t block) {
    for (unsigned i = 0; i < request.active && count_ < most; ++i) {
      const std::uint64_t word = word_of(request.address[i]);
      auto* const end = words_.begin() + count_;
      if (changes(word, request.stored[i], block) && std::find(words_.begin(), end, word) == end) {
        words_[count_++] = word;
      }
    }
  }

  /// A store to the word: what an atomic operation then leaves there, a lock that is taken again
  /// for one, is a change.
  void note_store(std::uint64_t address) { counters_.erase(word_of(address)); }

  bool any() const { return count_ > 0; }
  /// Whether there is one from another word than that at `place`.
  bool any_but(std::uint64_t place) const {
    return count_ > 1 || (count_ == 1 && words_[0] != word_of(place));
  }

 private:
  static constexpr unsigned most = 4;  // that are told apart: a histogram has thousands

  static std::uint64_t word_of(std::uint64_t address) { return address & ~std::uint64_t{3}; }

  bool changes(std::uint64_t word, std::uint64_t value, std::uint32_t block) {
    const auto [counter, is_new] = counters_.try_emplace(word, Counter{value, block});
    const Counter before = std::exchange(counter->second, Counter{value, block});
    return is_new || before.block == block || before.value != value;
  }

  struct Counter {
    std::uint64_t value;  // as the last operation has left it
    std::uint32_t block;  // that did it
  };
  std::unordered_map<std::uint64_t, Counter> counters_;  // by word
  std::array<std::uint64_t, most> words_{};
  unsigned count_ = 0;
};

}  // namespace emulator::checks
