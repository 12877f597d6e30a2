// In what pieces objects are moved, for tables of types made up here.

#include "engine/accesses/struct_copies.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

using emulator::engine::PieceSizes;
using emulator::engine::TypeShape;

PieceSizes piece_sizes(const std::vector<TypeShape>& types) {
  return {types.data(), types.data() + types.size()};
}

}  // namespace

TEST_CASE("pieces: without a table members are of 4 bytes") {
  const PieceSizes pieces = piece_sizes({});
  CHECK(pieces(24, 0) == 4);
  CHECK(pieces(24, 6) == 2);
  CHECK(pieces(24, 1) == 1);
  CHECK(pieces(6, 0) == 2);
  CHECK(pieces(3, 0) == 1);
  CHECK(pieces(1000, 0) == 4);
  // g++ reports these as ranges only if they are aligned to less.
  CHECK(pieces(2, 0) == 1);
  CHECK(pieces(4, 0) == 2);
  CHECK(pieces(8, 0) == 4);
  CHECK(pieces(16, 0) == 4);
}

TEST_CASE("pieces: as wide as the type's alignment, up to 16 bytes") {
  const PieceSizes pieces = piece_sizes({{24, 8}, {48, 16}, {64, 32}, {9, 1}, {1024, 128}, {0, 8}});
  CHECK(pieces(24, 0) == 8);
  CHECK(pieces(48, 0) == 16);
  CHECK(pieces(64, 0) == 16);
  CHECK(pieces(9, 0) == 1);
  CHECK(pieces(1024, 0) == 16);
  CHECK(pieces(32, 0) == 4);
  CHECK(pieces(2048, 0) == 4);
  // never more than the address allows
  CHECK(pieces(24, 4) == 4);
  CHECK(pieces(48, 8) == 8);
}

TEST_CASE("pieces: of types of one size the least aligned counts, in any order") {
  CHECK(piece_sizes({{24, 8}, {24, 4}, {24, 8}})(24, 0) == 4);
  CHECK(piece_sizes({{32, 8}, {32, 16}})(32, 0) == 8);
}

TEST_CASE("pieces: a type that g++ would not report as a range is not meant") {
  const PieceSizes pieces = piece_sizes({{8, 8}, {8, 1}, {16, 8}, {16, 16}, {4, 4}, {2, 2}});
  CHECK(pieces(8, 0) == 1);
  CHECK(pieces(16, 0) == 4);
  CHECK(pieces(4, 0) == 2);
  CHECK(pieces(2, 0) == 1);
}
