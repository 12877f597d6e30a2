#pragma once
/// \file
/// What a texture gives at a coordinate: CUDA C++ Programming Guide, "Texture Fetching".

#include "base/rooms.hpp"
#include "textures/objects.hpp"

namespace emulator::textures {

/// A coordinate in a texture of any shape. The layer of cubemaps counts whole cubes.
struct TexturePoint {
  double x = 0;
  double y = 0;
  double z = 0;
  int layer = 0;
  double level = 0;
  const void* pc = nullptr;  ///< where the kernel asks for it
};

/// The element number `index` of linear memory; zeros beyond its end.
Texel read_element(const TextureObject& texture, unsigned index, const void* pc);

/// Filtered, or the nearest element.
Texel read_texture(const TextureObject& texture, const TexturePoint& point);

/// One component of the four elements that a linear filter would read: in the order of CUDA,
/// counterclockwise from the one below on the left.
Texel gather_texels(const TextureObject& texture, const TexturePoint& point, unsigned component);

}  // namespace emulator::textures
