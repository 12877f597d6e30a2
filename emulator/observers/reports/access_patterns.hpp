#pragma once
/// \file
/// What pattern the addresses of a request make, recognised from one example.

#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/traffic.h"

namespace emulator::reports {

/// What keeps a request from the ideal.
enum class Pattern {
  none,          ///< nothing does
  stride,        ///< neighbouring lanes are a constant distance apart, more than an element
  misaligned,    ///< the lanes' elements are contiguous, but not from a sector's start
  gaps,          ///< side by side but for lanes that take no part
  few_elements,  ///< groups of neighbouring lanes share an element, and each has its own sector
  pieces,        ///< a few lanes' elements at a time are contiguous
  rows,          ///< shared memory: the lanes' rows, each without conflict, meet in the same banks
  meeting,       ///< lanes of an atomic operation mean the same element
  irregular,     ///< anything else
};

/// The pattern of one request, and the numbers to describe it with.
struct AccessPattern {
  Pattern pattern = Pattern::none;
  std::int64_t stride = 0;      ///< bytes from a lane to the next of its row
  std::int64_t row_stride = 0;  ///< bytes from a row of lanes to the next; 0 if there is one row
  unsigned row_lanes = 32;      ///< lanes in a row
  unsigned active = 0;          ///< lanes that take part
  unsigned elements = 0;        ///< distinct addresses
  unsigned pieces = 0;          ///< stretches without a gap that the elements make
  unsigned offset = 0;          ///< bytes from a sector's start to the first of `misaligned`
  unsigned ways = 0;            ///< shared memory: most distinct words, or lanes, in a bank
  std::uint64_t first = 0;      ///< the byte that the first active lane asked for
};

/// The pattern of an instruction's example. `block_width` is blockDim.x: rows of that many lanes
/// are tried before those of 16, 8, 4 and 2.
AccessPattern recognise(const InstructionTraffic& instruction, unsigned block_width);

}  // namespace emulator::reports
