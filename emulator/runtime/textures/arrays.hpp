#pragma once
/// \file
/// Arrays: what holds textures and surfaces.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/host/arrays.h"

namespace emulator::textures {

/// An element of one, two or four components.
struct ElementFormat {
  unsigned components = 0;
  unsigned bits = 0;  ///< of each
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;

  unsigned bytes() const { return components * bits / 8; }
};

/// Whether a description is one of an element that can be, and of which.
bool read_format(const cudaChannelFormatDesc& description, ElementFormat& format);

/// An array: its elements are row by row, and slice by slice, without gaps.
struct Array {
  cudaChannelFormatDesc description{};
  cudaExtent extent{};  ///< as asked for: with zeros where a direction is missing
  unsigned flags = 0;
  ElementFormat format;
  unsigned char* data = nullptr;
  std::atomic<bool> is_live{true};
  /// For the checks: the launch that has last written each element by a surface. Empty if none has.
  std::vector<std::uint64_t> written_in;

  std::size_t width() const { return extent.width; }
  std::size_t height() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t depth() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::size_t pitch() const { return width() * format.bytes(); }
  std::size_t slice() const { return pitch() * height(); }
};

/// The live array, or null.
std::shared_ptr<Array> array_of(cudaArray_const_t handle);
/// The levels of a live mipmapped array; none if it is not live.
std::vector<std::shared_ptr<Array>> levels_of(cudaMipmappedArray_const_t handle);

/// Forgets all of them; their memory goes with the rest.
void reset_arrays();

}  // namespace emulator::textures
