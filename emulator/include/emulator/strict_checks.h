#pragma once
#pragma GCC system_header
/// \file
/// Checks that a program may ask for: of what CUDA allows, and what is never right in that program.

namespace emulator {

/// From now on it is a race if two threads of a launch update a word by a load and a store each,
/// volatile or atomic, and nothing but that word orders the two: on a GPU both may load before
/// either stores. To hand a turn from thread to thread like that is legal, and cannot be told
/// apart; but by atomics it is no race within a block, nor if the block has drawn a number from
/// another word, by an atomic operation that has changed it.
void forbid_split_updates();

}  // namespace emulator
