#pragma once
#pragma GCC system_header
/// \file
/// Reading and writing surfaces. Here x is in bytes, as in CUDA: the element number i of a row of
/// floats is at 4 i. Nothing is filtered and nothing converted, and nothing is counted.

#include "emulator/device/textures.h"
#include "emulator/host/texture_types.h"
#include "emulator/inline.h"

namespace emulator::detail {

/// Which element of a surface: x in bytes, and the layer of a cubemap counts its faces.
struct SurfacePlace {
  int x;
  int y;
  int z;  ///< or the layer
  cudaSurfaceBoundaryMode mode;
};

/// \param bytes of the element, which has to be one of that size
Texel read_surface(cudaSurfaceObject_t surface, TextureShape shape, SurfacePlace place,
                   unsigned int bytes);
void write_surface(cudaSurfaceObject_t surface, TextureShape shape, SurfacePlace place,
                   unsigned int bytes, Texel value);

template <class T>
EMULATOR_INLINE T read_surface_as(cudaSurfaceObject_t surface, TextureShape shape,
                                  SurfacePlace place) {
  static_assert(sizeof(T) <= sizeof(Texel), "elements have 16 bytes at most");
  const Texel bits = read_surface(surface, shape, place, sizeof(T));
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T>
EMULATOR_INLINE void write_surface_as(cudaSurfaceObject_t surface, TextureShape shape,
                                      SurfacePlace place, const T& value) {
  static_assert(sizeof(T) <= sizeof(Texel), "elements have 16 bytes at most");
  Texel bits{};
  __builtin_memcpy(&bits, &value, sizeof(T));
  write_surface(surface, shape, place, sizeof(T), bits);
}

}  // namespace emulator::detail

#define EMULATOR_SURFACE(name, shape, parameters, arguments, ...)                         \
  template <class T>                                                                      \
  EMULATOR_INLINE T name##read(cudaSurfaceObject_t surface, EMULATOR_AS_IT_IS parameters, \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    using namespace emulator::detail;                                                     \
    return read_surface_as<T>(surface, TextureShape::shape, {__VA_ARGS__, mode});         \
  }                                                                                       \
  template <class T>                                                                      \
  EMULATOR_INLINE void name##read(T* result, cudaSurfaceObject_t surface,                 \
                                  EMULATOR_AS_IT_IS parameters,                           \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *result = name##read<T>(surface, EMULATOR_AS_IT_IS arguments, mode);                  \
  }                                                                                       \
  template <class T>                                                                      \
  EMULATOR_INLINE void name##write(T value, cudaSurfaceObject_t surface,                  \
                                   EMULATOR_AS_IT_IS parameters,                          \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    using namespace emulator::detail;                                                     \
    write_surface_as<T>(surface, TextureShape::shape, {__VA_ARGS__, mode}, value);        \
  }

EMULATOR_DEVICE_ONLY_BEGIN
EMULATOR_SURFACE(surf1D, line, (int x), (x), x, 0, 0)
EMULATOR_SURFACE(surf2D, plane, (int x, int y), (x, y), x, y, 0)
EMULATOR_SURFACE(surf3D, volume, (int x, int y, int z), (x, y, z), x, y, z)
EMULATOR_SURFACE(surf1DLayered, lines, (int x, int layer), (x, layer), x, 0, layer)
EMULATOR_SURFACE(surf2DLayered, planes, (int x, int y, int layer), (x, y, layer), x, y, layer)
EMULATOR_SURFACE(surfCubemap, cube, (int x, int y, int face), (x, y, face), x, y, face)
EMULATOR_SURFACE(surfCubemapLayered, cubes, (int x, int y, int layer_face), (x, y, layer_face), x,
                 y, layer_face)
EMULATOR_DEVICE_ONLY_END

#undef EMULATOR_SURFACE
#undef EMULATOR_AS_IT_IS
