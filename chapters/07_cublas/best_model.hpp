/// @file
/// How long will this launch take? A library chooses among its kernels by asking that of each.
#pragma once

#include <algorithm>
#include <cmath>

namespace ours {

/// What a launch does, as far as its time depends on it.
struct LaunchWork {
  double blocks;         ///< in the grid
  int resident;          ///< blocks that a multiprocessor has room for
  double bytes;          ///< that memory delivers, in all
  double vector;         ///< bytes of x that blocks ask for, each for itself
  double contiguous;     ///< bytes that lie together
  bool aligned;          ///< whether they start at multiples of 16 bytes
  double rounds;         ///< of loads that a block makes, one after the other
  double sums = 0;       ///< how often its threads add up by way of shared memory
  double uneven = 1;     ///< the largest block's share, in shares of the mean
  double adding_up = 0;  ///< rounds of the last block, where blocks share rows
};

/// a / b, up to the next whole number.
inline double rounded_up(double a, double b) {
  return std::ceil(a / b);
}

/// A model of a GPU, by what was measured on an H200. Times are in ns.
struct Model {
  double bytes_a_ns = 34.5;  ///< that memory delivers to each multiprocessor
  double round = 1150;       ///< from asking to having, while all others ask, too
  double start = 200;        ///< of a block, until it asks
  double sum = 2000;         ///< by way of shared memory
  double last = 500;         ///< to find out which block is the last
  double partial = 500;      ///< for each block that leaves sums behind
  // Parts of the whole, from 0 to 1 or a little more:
  double cached = 0.17;    ///< of the time of a byte from memory, for one from the level-2 cache
  double sector = 0.4;     ///< of a sector is wasted where a piece starts or ends ...
  double unaligned = 0.5;  ///< ... and if pieces start anywhere
  double tail = 0.2;       ///< of the time in which only some multiprocessors have work is lost
  double overlap = 0.15;   ///< of the lesser of two times does not hide behind the other

  /// What the launch takes, less what every launch does.
  double time(const LaunchWork& work, int processors) const {
    // Memory delivers whole sectors of 32 bytes. It is the slower, the fewer multiprocessors ask.
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
