/// @file
/// Chapter 23: what blocks tell each other while they run, and how: tickets, and the state of each
/// tile.
#pragma once

#include <cuda/atomic>

#include "operators.hpp"

namespace scan {

using Word = unsigned long long;
constexpr int words_of_line = 16;  // 128 bytes

/// What the blocks of a launch share. All of it is 0 before the first launch. A launch leaves it
/// ready for the next one, whatever that scans: nothing has to be reset.
struct TileState {
  Word* ticket;     ///< the next tile, and in the upper half the epoch: the number of the launch
  Word* words;      ///< of each tile
  Word* groups;     ///< of each group of 32 tiles, and
  Word* regions;    ///< of each 32 groups: only for InGroups
  unsigned* flags;  ///< of each tile, and its value: only for Chained
  unsigned* values;
};

/// The tile that a block has drawn, in which launch.
struct Turn {
  unsigned tile;
  unsigned epoch;
};

constexpr unsigned epochs = 1U << 29;  // then they start again

/// One thread draws a tile for its block. Tiles are drawn in order, so all tiles before a block's
/// own belong to blocks that have begun.
__device__ inline Word draw(const TileState& s) {
  return atomicAdd(s.ticket, Word{1});
}
/// What has been drawn. The last draw of a launch has the next one begin with tile 0, and in the
/// next epoch. \param draws how many there are in the launch
__device__ inline Turn turn_of(Word drawn, const TileState& s, unsigned draws) {
  const Turn turn = {static_cast<unsigned>(drawn), static_cast<unsigned>(drawn >> 32)};
  if (turn.tile == draws - 1) {
    atomicExch(s.ticket, static_cast<Word>((turn.epoch + 1) % epochs) << 32);
  }
  return turn;
}

// --- one word for a value and what it is -------------------------------------------------------

enum class Status : unsigned {
  none,       ///< nothing yet, or what an earlier launch has left
  aggregate,  ///< the combination of the tile's own elements
  prefix      ///< of all elements up to the tile's last
};

template <class T>
__device__ unsigned bits_of(T value) {
  static_assert(sizeof(T) == 4, "a value must fit into half a word");
  unsigned bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <class T>
__device__ T from_bits(unsigned bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// Bits 0 to 31: the value. 32 and 33: the status. 34: whether a segment starts. From 35 on: the
/// epoch. All of it is written at once, so no reader sees a value with the status of another.
template <class T>
__device__ Word pack(T value, Status status, unsigned epoch, unsigned starts = 0) {
  const unsigned upper = epoch << 3 | (starts != 0 ? 4U : 0U) | static_cast<unsigned>(status);
  return static_cast<Word>(upper) << 32 | bits_of(value);
}
template <class T>
__device__ Word pack(Segment<T> carry, Status status, unsigned epoch) {
  return pack(carry.value, status, epoch, carry.starts);
}

/// The status that a word says in this epoch.
__device__ inline Status status_of(Word word, unsigned epoch) {
  const auto upper = static_cast<unsigned>(word >> 32);
  return upper >> 3 == epoch ? static_cast<Status>(upper & 3U) : Status::none;
}

template <class T>
__device__ void unpack(Word word, T& value) {
  value = from_bits<T>(static_cast<unsigned>(word));
}
template <class T>
__device__ void unpack(Word word, Segment<T>& carry) {
  unpack(word, carry.value);
  carry.starts = static_cast<unsigned>(word >> 34) & 1U;
}

/// A word that other blocks write and read while this one runs. *Relaxed* is enough: the word
/// carries the value itself, and no other memory has to be seen with it.
using SharedWord = cuda::atomic_ref<Word, cuda::thread_scope_device>;

/// The word of that number, where words are `apart` words from each other.
template <int apart>
__device__ Word* word_at(Word* words, unsigned number) {
  return words + static_cast<std::size_t>(number) * apart;
}
__device__ inline Word read(Word* word) {
  return SharedWord(*word).load(cuda::memory_order_relaxed);
}
__device__ inline void publish(Word* word, Word value) {
  SharedWord(*word).store(value, cuda::memory_order_relaxed);
}

}  // namespace scan
