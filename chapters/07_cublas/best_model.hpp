/// @file
/// How long will this launch take? A library chooses among its kernels by asking that of each.
#pragma once

#include <algorithm>
#include <cmath>

#include "course.hpp"

namespace ours {

/// What a launch does, as far as its time depends on it.
struct Work {
  double blocks;         ///< in the grid
  int resident;          ///< blocks that a multiprocessor has room for
  double bytes;          ///< of A, in all
  double contiguous;     ///< bytes of A that lie together
  bool aligned;          ///< whether they start at multiples of 16 bytes
  double rounds;         ///< of loads that a block makes, one after the other
  double uneven = 1.0;   ///< the largest block's share, in shares of the mean
  double adding_up = 0;  ///< rounds of the last block, if there are several pieces
};

/// a / b, up to the next whole number.
inline double rounded_up(double a, double b) {
  return std::ceil(a / b);
}

/// The model of a GPU. Its figures were measured on an H200: what a GPU has of each does not change
/// much from one to the next, but for the number of multiprocessors.
struct Model {
  double bytes_a_ns = 36.5;      ///< that memory delivers, for each multiprocessor
  double round_ns = 800.0;       ///< from asking to having, when others ask, too
  double start_ns = 1900.0;      ///< of a block: until it asks, and after it has what it asked for
  double last_ns = 1500.0;       ///< to find out who is the last block
  double sector = 32.0;          ///< bytes: what memory delivers at least
  double wasted_aligned = 0.12;  ///< sectors a piece that nobody needed, on the average
  double wasted = 0.55;          ///< if pieces start anywhere
  double tail = 0.5;             ///< of the time for which only the fullest multiprocessors work
  double overlap = 0.12;         ///< of the lesser of two times that does not hide behind the other

  /// Nanoseconds from the start of the first block on.
  double time(const Work& work, int processors) const {
    // Memory has so many bytes to deliver, and some multiprocessors more blocks than others.
    const double share = work.blocks / processors;
    const double fullest = std::max(1.0, rounded_up(work.blocks, processors) / share);
    const double waves = rounded_up(work.blocks, 1.0 * processors * work.resident);
    const double sectors =
        1.0 + (work.aligned ? wasted_aligned : wasted) * sector / work.contiguous;
    const double memory = work.bytes * sectors / (bytes_a_ns * processors) *
                          (share > 1.0 ? 1.0 + tail * (fullest - 1.0) : 1.0) *
                          (1.0 + (work.uneven - 1.0) / waves);
    // A block waits for each of its rounds, and the blocks of the next wave wait for those of this.
    const double waiting = waves * (start_ns + work.rounds * round_ns);
    const double adding = work.adding_up > 0 ? last_ns + work.adding_up * round_ns : 0.0;
    return std::max(memory, waiting) + overlap * std::min(memory, waiting) + adding;
  }
};

}  // namespace ours
