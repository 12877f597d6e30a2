#pragma once
#pragma GCC system_header
/// \file
/// Reading textures. Coordinates are those of CUDA: the middle of an element is at its index plus
/// one half, or, if they are normalised, at that over the number of elements. A linear filter's
/// weights have 8 fraction bits. What a warp asks of the texture units is not counted.

#include <type_traits>

#include "emulator/device/vector_types.h"
#include "emulator/host/texture_types.h"
#include "emulator/inline.h"

namespace emulator::detail {

/// What a fetch gives: the bits of four floats or integers.
struct Texel {
  unsigned int components[4];
};

/// Which of CUDA's kinds of textures a function reads.
enum class TextureShape : unsigned char {
  line,
  plane,
  volume,
  lines,   ///< layers of one dimension
  planes,  ///< layers of two
  cube,
  cubes
};

/// The element number `index` of memory.
/// \param wants_float whether the caller takes the components for floats
Texel fetch_element(cudaTextureObject_t texture, int index, bool wants_float);
/// A coordinate that the shape has not is ignored.
Texel fetch(cudaTextureObject_t texture, TextureShape shape, bool wants_float, int layer, float x,
            float y = 0, float z = 0, float level = 0);
/// The same at the level of a mipmapped array that the larger of two distances in the texture asks
/// for.
Texel fetch_between(cudaTextureObject_t texture, TextureShape shape, bool wants_float, int layer,
                    float x, float y, float z, float4 one_right, float4 one_down);
/// One component of the four elements that a linear filter would read.
Texel gather(cudaTextureObject_t texture, bool wants_float, float x, float y, int component);

template <class T, bool is_number = std::is_arithmetic_v<T>>
struct TexelAs {
  using Component = T;
};
template <class T>
struct TexelAs<T, false> {
  using Component = decltype(T::x);
};

template <class T>
inline constexpr bool reads_floats = std::is_floating_point_v<typename TexelAs<T>::Component>;

template <class Part>
EMULATOR_INLINE Part as_component(unsigned int bits) {
  static_assert(std::is_arithmetic_v<Part> && sizeof(Part) <= 4, "elements have 8, 16 or 32 bits");
  if constexpr (std::is_floating_point_v<Part>) {
    return __builtin_bit_cast(float, bits);
  } else {
    return static_cast<Part>(bits);
  }
}

/// A number, or a vector of numbers.
template <class T>
EMULATOR_INLINE T texel_as(Texel texel) {
  using Part = typename TexelAs<T>::Component;
  if constexpr (std::is_arithmetic_v<T>) {
    return as_component<Part>(texel.components[0]);
  } else {
    T result;
    constexpr unsigned int count = sizeof(T) / sizeof(Part);
    result.x = as_component<Part>(texel.components[0]);
    if constexpr (count > 1) result.y = as_component<Part>(texel.components[1]);
    if constexpr (count > 2) result.z = as_component<Part>(texel.components[2]);
    if constexpr (count > 3) result.w = as_component<Part>(texel.components[3]);
    return result;
  }
}

EMULATOR_INLINE float4 distance(float x) {
  return {x, 0, 0, 0};
}
EMULATOR_INLINE float4 distance(float2 xy) {
  return {xy.x, xy.y, 0, 0};
}
EMULATOR_INLINE float4 distance(float4 xyz) {
  return xyz;
}

}  // namespace emulator::detail

// Each function in two forms: the result is returned, or goes to where its first argument points.
#define EMULATOR_AS_IT_IS(...) __VA_ARGS__
#define EMULATOR_TEXTURE(name, parameters, arguments, texel)                          \
  template <class T>                                                                  \
  EMULATOR_INLINE T name(cudaTextureObject_t texture, EMULATOR_AS_IT_IS parameters) { \
    using namespace emulator::detail;                                                 \
    return texel_as<T>(texel);                                                        \
  }                                                                                   \
  template <class T>                                                                  \
  EMULATOR_INLINE void name(T* result, cudaTextureObject_t texture,                   \
                            EMULATOR_AS_IT_IS parameters) {                           \
    *result = name<T>(texture, EMULATOR_AS_IT_IS arguments);                          \
  }
#define EMULATOR_FETCH(shape, ...) fetch(texture, TextureShape::shape, reads_floats<T>, __VA_ARGS__)
#define EMULATOR_BETWEEN(shape, ...)                                                             \
  fetch_between(texture, TextureShape::shape, reads_floats<T>, __VA_ARGS__, distance(one_right), \
                distance(one_down))

EMULATOR_DEVICE_ONLY_BEGIN
// clang-format off
EMULATOR_TEXTURE(tex1Dfetch, (int x), (x), fetch_element(texture, x, reads_floats<T>))
EMULATOR_TEXTURE(tex1D, (float x), (x), EMULATOR_FETCH(line, 0, x))
EMULATOR_TEXTURE(tex2D, (float x, float y), (x, y), EMULATOR_FETCH(plane, 0, x, y))
EMULATOR_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), EMULATOR_FETCH(volume, 0, x, y, z))
EMULATOR_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), EMULATOR_FETCH(lines, layer, x))
EMULATOR_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), EMULATOR_FETCH(planes, layer, x, y))
EMULATOR_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), EMULATOR_FETCH(cube, 0, x, y, z))
EMULATOR_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), EMULATOR_FETCH(cubes, layer, x, y, z))
EMULATOR_TEXTURE(tex2Dgather, (float x, float y, int component = 0), (x, y, component), gather(texture, reads_floats<T>, x, y, component))

EMULATOR_TEXTURE(tex1DLod, (float x, float level), (x, level), EMULATOR_FETCH(line, 0, x, 0, 0, level))
EMULATOR_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level), EMULATOR_FETCH(plane, 0, x, y, 0, level))
EMULATOR_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), EMULATOR_FETCH(volume, 0, x, y, z, level))
EMULATOR_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), EMULATOR_FETCH(lines, layer, x, 0, 0, level))
EMULATOR_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level), EMULATOR_FETCH(planes, layer, x, y, 0, level))
EMULATOR_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), EMULATOR_FETCH(cube, 0, x, y, z, level))
EMULATOR_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level), EMULATOR_FETCH(cubes, layer, x, y, z, level))

EMULATOR_TEXTURE(tex1DGrad, (float x, float one_right, float one_down), (x, one_right, one_down), EMULATOR_BETWEEN(line, 0, x, 0, 0))
EMULATOR_TEXTURE(tex2DGrad, (float x, float y, float2 one_right, float2 one_down), (x, y, one_right, one_down), EMULATOR_BETWEEN(plane, 0, x, y, 0))
EMULATOR_TEXTURE(tex3DGrad, (float x, float y, float z, float4 one_right, float4 one_down), (x, y, z, one_right, one_down), EMULATOR_BETWEEN(volume, 0, x, y, z))
EMULATOR_TEXTURE(tex1DLayeredGrad, (float x, int layer, float one_right, float one_down), (x, layer, one_right, one_down), EMULATOR_BETWEEN(lines, layer, x, 0, 0))
EMULATOR_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 one_right, float2 one_down), (x, y, layer, one_right, one_down), EMULATOR_BETWEEN(planes, layer, x, y, 0))
EMULATOR_TEXTURE(texCubemapGrad, (float x, float y, float z, float4 one_right, float4 one_down), (x, y, z, one_right, one_down), EMULATOR_BETWEEN(cube, 0, x, y, z))
EMULATOR_TEXTURE(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 one_right, float4 one_down), (x, y, z, layer, one_right, one_down), EMULATOR_BETWEEN(cubes, layer, x, y, z))
// clang-format on
EMULATOR_DEVICE_ONLY_END

#undef EMULATOR_BETWEEN
#undef EMULATOR_FETCH
#undef EMULATOR_TEXTURE
