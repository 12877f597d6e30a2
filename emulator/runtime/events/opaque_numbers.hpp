#pragma once
/// \file
/// Numbers of the host's that its code may move and not know: where the host is not trusted, what
/// it could compute from them would pass for a kernel's work.
///
/// In the host's memory such a number is a *token*, a word that tells only which of them it is. A
/// copy to the device brings the number itself, and so do a kernel's arguments, and memory that
/// kernels share with the host while one runs. A copy between arrays of the host, by whatever
/// means, is one of tokens.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::events {

/// So many there can be.
inline constexpr std::size_t most_opaque_numbers = std::size_t{1} << 17;

/// Puts tokens in the place of the 4-byte words of an array. False if these are too many.
bool make_opaque(void* array, std::size_t bytes);

/// Forgets all of them: tokens that are left mean nothing.
void forget_opaque_numbers();

bool has_opaque_numbers();

/// Puts the numbers in the place of the tokens among a range's words.
void reveal_numbers(void* begin, std::size_t bytes);

/// The same for the arguments of a launch, of any types: what is part of a pointer stays.
void reveal_arguments(void* begin, std::size_t bytes);

/// While it lives, memory that host and device share has the numbers. Then tokens are there again,
/// but for words that a kernel has changed.
class RevealedMemory {
 public:
  RevealedMemory();
  ~RevealedMemory();
  RevealedMemory(const RevealedMemory&) = delete;
  RevealedMemory& operator=(const RevealedMemory&) = delete;

 private:
  struct Word {
    std::uint32_t* place;
    std::uint32_t token;
    std::uint32_t number;
  };
  std::vector<Word> words_;
};

}  // namespace emulator::events
