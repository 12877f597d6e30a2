/// \file
/// What kernels call to read textures.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "emulator/device/textures.h"
#include "engine/engine.hpp"
#include "textures/filters.hpp"
#include "textures/objects.hpp"

namespace emulator::textures {
namespace {

const TextureObject& texture_of(cudaTextureObject_t handle, TextureShape shape, bool wants_float,
                                const void* pc) {
  const TextureObject& texture = used_object(TextureObjects::textures(), handle, shape, pc);
  if (texture.gives_floats() != wants_float) {
    refuse_use(wants_float ? "the texture's elements are integers, but are read as floats"
                           : "the texture gives floats, but is read as integers",
               pc);
  }
  return texture;
}

double square(double x) {
  return x * x;
}

}  // namespace

}  // namespace emulator::textures

// What programs call.
namespace emulator::detail {

using namespace textures;

Texel fetch_element(cudaTextureObject_t handle, int index, bool wants_float) {
  const void* const pc = __builtin_return_address(0);
  if (current_lane == nullptr) return {};  // no kernel runs
  const TextureObject* const texture = TextureObjects::textures().find(handle);
  if (texture == nullptr) {
    refuse_use("its argument is not, or is no longer, a texture object", pc);
  }
  if (!texture->is_memory) refuse_use("tex1Dfetch() reads textures in linear memory only", pc);
  if (texture->gives_floats() != wants_float) {
    refuse_use(wants_float ? "the texture's elements are integers, but are read as floats"
                           : "the texture gives floats, but is read as integers",
               pc);
  }
  check_is_live(*texture, pc);
  return read_element(*texture, static_cast<unsigned>(index), pc);
}

Texel fetch(cudaTextureObject_t handle, TextureShape shape, bool wants_float, int layer, float x,
            float y, float z, float level) {
  const void* const pc = __builtin_return_address(0);
  if (current_lane == nullptr) return {};
  return read_texture(texture_of(handle, shape, wants_float, pc), {x, y, z, layer, level, pc});
}

Texel fetch_between(cudaTextureObject_t handle, TextureShape shape, bool wants_float, int layer,
                    float x, float y, float z, float4 one_right, float4 one_down) {
  const void* const pc = __builtin_return_address(0);
  if (current_lane == nullptr) return {};
  const TextureObject& texture = texture_of(handle, shape, wants_float, pc);
  double level = 0;
  if (texture.levels.size() > 1) {
    const Level& all = texture.levels[0];
    const bool is_normalised = texture.how.normalizedCoords != 0;
    const auto length = [&](const float4& d) {
      const auto scale = [&](std::size_t size) {
        return is_normalised ? static_cast<double>(size) : 1.0;
      };
      return std::sqrt(square(d.x * scale(all.width)) + square(d.y * scale(all.height)) +
                       square(d.z * scale(all.depth)));
    };
    level = std::log2(std::max({length(one_right), length(one_down), 1.0}));
  }
  return read_texture(texture, {x, y, z, layer, level, pc});
}

Texel gather(cudaTextureObject_t handle, bool wants_float, float x, float y, int component) {
  const void* const pc = __builtin_return_address(0);
  if (current_lane == nullptr) return {};
  const TextureObject& texture = texture_of(handle, TextureShape::plane, wants_float, pc);
  if (component < 0 || component > 3) refuse_use("tex2Dgather() has components 0 to 3", pc);
  if (!texture.arrays.empty() && (texture.flags & cudaArrayTextureGather) == 0) {
    refuse_use("tex2Dgather() reads an array that has not been made with cudaArrayTextureGather",
               pc);
  }
  return gather_texels(texture, {x, y, 0, 0, 0, pc}, static_cast<unsigned>(component));
}

}  // namespace emulator::detail
