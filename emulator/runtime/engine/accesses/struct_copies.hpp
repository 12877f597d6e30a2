#pragma once
/// \file
/// In what pieces a GPU moves an object that is copied whole.
///
/// One instruction moves at most 16 bytes, at most as many as the type of the object is aligned to.
/// g++ gives an object's size but not its type. So the translator adds to each program a table of
/// the types it defines or mentions (the section `emulator_types`), from which we guess.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::engine {

/// A line of the table.
struct TypeShape {
  std::size_t size;  ///< 0 for a type that is not copied whole
  std::size_t alignment;
};

/// The size of the pieces, in bytes, in which objects of a given size are moved.
class PieceSizes {
 public:
  PieceSizes(const TypeShape* begin, const TypeShape* end);

  /// \param bytes The size of an object for which g++ has reported a range: it is not 1, 2, 4, 8 or
  ///              16, or the object is aligned to less than the smaller of its size and 8.
  ///
  /// If several types have that size, it is the one with the smallest alignment that counts; if
  /// none has, we take the members to be of 4 bytes, as most are. Never more than the address
  /// allows.
  std::size_t operator()(std::size_t bytes, std::uintptr_t address) const;

 private:
  std::vector<TypeShape> types_;  // by size, and those of one size by alignment
};

/// Those of this program.
const PieceSizes& piece_sizes();

}  // namespace emulator::engine
