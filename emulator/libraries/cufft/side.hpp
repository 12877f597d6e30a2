#pragma once
/// \file
/// The data of a transform, as they are stored.

#include <array>
#include <cstdint>

#include "libraries/common/device_work.hpp"
#include "libraries/cufft/plans.hpp"

namespace emulator::cufft {

/// The elements of one side in memory.
template <class T>
struct Side {
  T* data;
  Layout layout;
  std::array<std::int64_t, 3> n;
  std::int64_t batch;

  std::int64_t row(std::int64_t b, std::int64_t x, std::int64_t y) const {
    return b * layout.distance + (x * layout.embed[1] + y) * layout.embed[2] * layout.stride;
  }
  /// How many a transform has, and how many all have.
  std::int64_t size() const { return n[0] * n[1] * n[2]; }
  std::int64_t elements() const { return batch * size(); }
  /// Where the element lies, counted from `data`, that is the `i`-th of all as gather() takes them.
  std::int64_t offset(std::int64_t i) const {
    const std::int64_t y = i / n[2];
    const std::int64_t x = y / n[1];
    return row(x / n[0], x % n[0], y % n[1]) + i % n[2] * layout.stride;
  }
  /// From the first element to the last; too_many if no memory holds that.
  std::uint64_t extent() const {
    std::int64_t rows = 0;
    std::int64_t last = 0;
    std::int64_t of_batch = 0;
    const bool overflows = __builtin_mul_overflow(n[0] - 1, layout.embed[1], &rows) ||
                           __builtin_add_overflow(rows, n[1] - 1, &rows) ||
                           __builtin_mul_overflow(rows, layout.embed[2], &last) ||
                           __builtin_add_overflow(last, n[2] - 1, &last) ||
                           __builtin_mul_overflow(last, layout.stride, &last) ||
                           __builtin_mul_overflow(batch - 1, layout.distance, &of_batch) ||
                           __builtin_add_overflow(last, of_batch, &last);
    return overflows ? too_many : static_cast<std::uint64_t>(last) + 1;
  }

  template <class Use>
  void for_rows(std::int64_t b, Use use) const {
    for (std::int64_t x = 0; x < n[0]; ++x) {
      for (std::int64_t y = 0; y < n[1]; ++y) use(data + row(b, x, y));
    }
  }
  template <class Use>
  void for_pieces(Use use) const {
    for (std::int64_t b = 0; b < batch; ++b) {
      for_rows(b, [&](T* first) {
        if (layout.stride == 1) return use(first, n[2]);
        for (std::int64_t z = 0; z < n[2]; ++z) use(first + z * layout.stride, 1);
      });
    }
  }
  void gather(std::int64_t b, T* to) const {
    for_rows(b, [&](const T* first) {
      for (std::int64_t z = 0; z < n[2]; ++z) *to++ = first[z * layout.stride];
    });
  }
  void scatter(std::int64_t b, const T* from) const {
    for_rows(b, [&](T* first) {
      for (std::int64_t z = 0; z < n[2]; ++z) first[z * layout.stride] = *from++;
    });
  }
};

}  // namespace emulator::cufft
