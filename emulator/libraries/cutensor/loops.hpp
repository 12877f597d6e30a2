#pragma once
/// \file
/// Loops over the elements of several tensors at once.

#include <array>
#include <cstdint>
#include <vector>

namespace emulator::cutensor {

/// One loop: how often, and how far each of the tensors goes on, 0 where it lacks the mode.
template <std::size_t tensors>
struct Axis {
  std::int64_t extent;
  std::array<std::int64_t, tensors> strides;
};

/// Calls `use` with the offsets of the tensors' elements, for all combinations. The first axis is
/// the innermost loop.
template <std::size_t tensors, class Use>
void for_all(const std::vector<Axis<tensors>>& axes, Use use) {
  std::array<std::int64_t, tensors> offsets{};
  if (axes.empty()) return use(offsets);
  std::vector<std::int64_t> at(axes.size(), 0);
  while (true) {
    const Axis<tensors>& innermost = axes.front();
    auto inner = offsets;
    for (std::int64_t i = 0; i < innermost.extent; ++i) {
      use(inner);
      for (std::size_t k = 0; k < tensors; ++k) inner[k] += innermost.strides[k];
    }
    std::size_t axis = 1;
    for (; axis < axes.size(); ++axis) {
      const Axis<tensors>& loop = axes[axis];
      for (std::size_t i = 0; i < tensors; ++i) offsets[i] += loop.strides[i];
      if (++at[axis] < loop.extent) break;
      for (std::size_t i = 0; i < tensors; ++i) offsets[i] -= loop.strides[i] * loop.extent;
      at[axis] = 0;
    }
    if (axis == axes.size()) return;
  }
}

}  // namespace emulator::cutensor
