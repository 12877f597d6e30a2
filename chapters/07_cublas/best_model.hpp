/// @file
/// How long will this launch take? A library asks that of each kernel and chooses the fastest.
#pragma once

#include <algorithm>
#include <cmath>

namespace ours {

/// What a launch does, as far as its time depends on it.
struct LaunchWork {
  double blocks;         ///< in the grid
  int resident;          ///< blocks that fit on a multiprocessor
  double bytes;          ///< that memory delivers in total
  double vector;         ///< bytes of x that blocks request, each for itself
  double contiguous;     ///< bytes per contiguous piece
  bool aligned;          ///< whether the pieces start at multiples of 16 bytes
  double rounds;         ///< of loads that a block issues, one after the other
  double sums = 0;       ///< how often its threads add up through shared memory
  double uneven = 1;     ///< the largest block's share, relative to the mean
  double adding_up = 0;  ///< rounds of the last block, where blocks share rows
};

/// a / b, up to the next whole number.
inline double rounded_up(double a, double b) {
  return std::ceil(a / b);
}

/// A model of a GPU, from measurements on an H200. Times are in ns.
struct Model {
  double bytes_a_ns = 34.5;  ///< that memory delivers to each multiprocessor
  double round = 1150;       ///< latency of a round of loads while all others load as well
  double start = 200;        ///< of a block, until its first load
  double sum = 2000;         ///< through shared memory
  double last = 500;         ///< to find out which block is the last
  double partial = 500;      ///< for each block that writes partial sums
  // Fractions, from 0 to 1 or a little more:
  double cached = 0.17;    ///< of the time of a byte from memory, for one from the level-2 cache
  double sector = 0.4;     ///< of a sector is wasted where a piece starts or ends ...
  double unaligned = 0.5;  ///< ... and if pieces start anywhere
  double tail = 0.2;       ///< of the time in which only some multiprocessors have work is lost
  double overlap = 0.15;   ///< of the shorter of two times is not hidden by the longer

  /// The launch's time, without the overhead that every launch has.
  double time(const LaunchWork& work, int processors) const {
    // Memory delivers whole sectors of 32 bytes. The fewer multiprocessors load, the slower it is.
    const double share = work.blocks / processors;
    const double fullest = rounded_up(work.blocks, processors) / share;
    const double waves = rounded_up(work.blocks, 1.0 * processors * work.resident);
    const double sectors = 1 + (work.aligned ? sector : unaligned) * 32 / work.contiguous;
    const double idle = share > 1 ? 1 + tail * (fullest - 1) : 1;
    const double memory = (work.bytes * sectors + cached * work.vector) /
                          (bytes_a_ns * processors) * idle * (1 + (work.uneven - 1) / waves);
    // A block waits for its rounds, one after the other, and the next wave waits for its blocks.
    const double waiting = waves * (start + work.rounds * round + work.sums * sum);
    const double adding = work.adding_up > 0 ? last + share * partial + work.adding_up * round : 0;
    return std::max(memory, waiting) + overlap * std::min(memory, waiting) + adding;
  }
};

}  // namespace ours
