#include "events/opaque_numbers.hpp"

#include <bit>
#include <cstring>

#include "base/arena.hpp"

namespace emulator::events {
namespace {

// On the heap, where the host's code must not read: see grading/witness.
std::vector<std::uint32_t>& numbers() {
  static auto& all = *new std::vector<std::uint32_t>;  // never destroyed
  return all;
}

// Token number i is first + (i multiplier + begin) mod 2^30: a float between 1e-19 and 2e19, never
// a NaN, that means nothing. Of other words one in 8,000 would be taken for a token if there were
// as many as can be, and none of the whole numbers up to 4,096, their halves, quarters and tenths
// (opaque_numbers_test.cpp).
constexpr std::uint32_t first = 0x2000'0000;
constexpr std::uint32_t modulus = std::uint32_t{1} << 30;
constexpr std::uint32_t multiplier = 0x3EDF'FCCD;
constexpr std::uint32_t inverse = 0x2120'5005;
constexpr std::uint32_t begin_at = 0x0A9D'6456;
static_assert(multiplier * inverse % modulus == 1);

std::uint32_t token_of(std::size_t number) {
  return first + (static_cast<std::uint32_t>(number) * multiplier + begin_at) % modulus;
}

// Which number a word is the token of; as many as there are or more, if of none.
std::size_t number_of(std::uint32_t token) {
  if (token - first >= modulus) return most_opaque_numbers;
  return (token - first - begin_at) * inverse % modulus;
}

std::uint32_t word_at(const void* place) {
  std::uint32_t word = 0;
  std::memcpy(&word, place, sizeof word);
  return word;
}

// Where the first whole word begins.
unsigned char* words_of(void* begin, std::size_t& bytes) {
  const std::size_t skipped = (4 - reinterpret_cast<std::uintptr_t>(begin) % 4) % 4;
  bytes = bytes < skipped ? 0 : (bytes - skipped) / 4 * 4;
  return static_cast<unsigned char*>(begin) + skipped;
}

// Whether the eight bytes at a multiple of eight are an address, of the arena or of the program.
bool is_address(std::uint64_t word) {
  const std::uint64_t page = word >> 32;
  return in_arena(std::bit_cast<const void*>(word)) || (page >= 0x5500 && page < 0x8000);
}

}  // namespace

bool make_opaque(void* array, std::size_t bytes) {
  std::vector<std::uint32_t>& all = numbers();
  if (bytes / 4 > most_opaque_numbers - all.size()) return false;
  unsigned char* const begin = words_of(array, bytes);
  for (std::size_t at = 0; at < bytes; at += 4) {
    const std::uint32_t token = token_of(all.size());
    all.push_back(word_at(begin + at));
    std::memcpy(begin + at, &token, sizeof token);
  }
  return true;
}

void forget_opaque_numbers() {
  numbers().clear();
}

bool has_opaque_numbers() {
  return !numbers().empty();
}

void reveal_numbers(void* begin, std::size_t bytes) {
  const std::vector<std::uint32_t>& all = numbers();
  if (all.empty()) return;
  unsigned char* const words = words_of(begin, bytes);
  for (std::size_t at = 0; at < bytes; at += 4) {
    const std::size_t number = number_of(word_at(words + at));
    if (number < all.size()) std::memcpy(words + at, &all[number], 4);
  }
}

void reveal_arguments(void* begin, std::size_t bytes) {
  auto* const arguments = static_cast<unsigned char*>(begin);
  for (std::size_t at = 0; at + 4 <= bytes; at += 4) {
    unsigned char* const place = arguments + at;
    if (reinterpret_cast<std::uintptr_t>(place) % 8 == 0 && at + 8 <= bytes) {
      std::uint64_t both = 0;
      std::memcpy(&both, place, sizeof both);
      if (is_address(both)) {
        at += 4;
        continue;
      }
    }
    reveal_numbers(place, 4);
  }
}

RevealedMemory::RevealedMemory() {
  const std::vector<std::uint32_t>& all = numbers();
  if (all.empty()) return;
  for (const Allocation& memory : live_allocations()) {
    if (memory.kind == MemoryKind::device || memory.kind == MemoryKind::symbol) continue;
    std::size_t bytes = memory.size;
    unsigned char* const begin = words_of(std::bit_cast<void*>(memory.base), bytes);
    for (std::size_t at = 0; at < bytes; at += 4) {
      const std::uint32_t token = word_at(begin + at);
      const std::size_t number = number_of(token);
      if (number >= all.size()) continue;
      words_.push_back({reinterpret_cast<std::uint32_t*>(begin + at), token, all[number]});
      std::memcpy(begin + at, &all[number], 4);
    }
  }
}

RevealedMemory::~RevealedMemory() {
  for (const Word& word : words_) {
    if (word_at(word.place) == word.number) std::memcpy(word.place, &word.token, 4);
  }
}

}  // namespace emulator::events
