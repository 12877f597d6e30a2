#pragma once
#pragma GCC system_header
/// \file
/// What kernels call and the emulator does not model. A program that only mentions it compiles;
/// code that would really call it does not, and the compiler says why in the line of the call.

#include "emulator/host_types.h"

/// On a function: calling it is an error. What the compiler then says ends with `what`.
#define EMULATOR_NOT_MODELLED(what) __attribute__((error(what " not modelled")))

EMULATOR_NOT_MODELLED("conditional nodes of graphs are")
void cudaGraphSetConditional(unsigned long long handle, unsigned int value);

// Textures and surfaces. Their results come in two forms.
#define EMULATOR_FETCH(name)                                   \
  template <class T, class... Arguments>                       \
  EMULATOR_NOT_MODELLED("textures are")                        \
  T name(cudaTextureObject_t texture, Arguments... arguments); \
  template <class T, class... Arguments>                       \
  EMULATOR_NOT_MODELLED("textures are")                        \
  void name(T* result, cudaTextureObject_t texture, Arguments... arguments);
#define EMULATOR_READ(name)                                    \
  template <class T, class... Arguments>                       \
  EMULATOR_NOT_MODELLED("surfaces are")                        \
  T name(cudaSurfaceObject_t surface, Arguments... arguments); \
  template <class T, class... Arguments>                       \
  EMULATOR_NOT_MODELLED("surfaces are")                        \
  void name(T* result, cudaSurfaceObject_t surface, Arguments... arguments);
#define EMULATOR_WRITE(name)             \
  template <class T, class... Arguments> \
  EMULATOR_NOT_MODELLED("surfaces are")  \
  void name(T value, cudaSurfaceObject_t surface, Arguments... arguments);

// clang-format off
EMULATOR_FETCH(tex1Dfetch)
EMULATOR_FETCH(tex1D)
EMULATOR_FETCH(tex2D)
EMULATOR_FETCH(tex3D)
EMULATOR_FETCH(tex1DLod)
EMULATOR_FETCH(tex2DLod)
EMULATOR_FETCH(tex3DLod)
EMULATOR_FETCH(tex1DGrad)
EMULATOR_FETCH(tex2DGrad)
EMULATOR_FETCH(tex3DGrad)
EMULATOR_FETCH(tex1DLayered)
EMULATOR_FETCH(tex2DLayered)
EMULATOR_FETCH(tex1DLayeredLod)
EMULATOR_FETCH(tex2DLayeredLod)
EMULATOR_FETCH(tex1DLayeredGrad)
EMULATOR_FETCH(tex2DLayeredGrad)
EMULATOR_FETCH(tex2Dgather)
EMULATOR_FETCH(texCubemap)
EMULATOR_FETCH(texCubemapLod)
EMULATOR_FETCH(texCubemapGrad)
EMULATOR_FETCH(texCubemapLayered)
EMULATOR_FETCH(texCubemapLayeredLod)
EMULATOR_FETCH(texCubemapLayeredGrad)

EMULATOR_READ(surf1Dread)
EMULATOR_READ(surf2Dread)
EMULATOR_READ(surf3Dread)
EMULATOR_READ(surf1DLayeredread)
EMULATOR_READ(surf2DLayeredread)
EMULATOR_READ(surfCubemapread)
EMULATOR_READ(surfCubemapLayeredread)

EMULATOR_WRITE(surf1Dwrite)
EMULATOR_WRITE(surf2Dwrite)
EMULATOR_WRITE(surf3Dwrite)
EMULATOR_WRITE(surf1DLayeredwrite)
EMULATOR_WRITE(surf2DLayeredwrite)
EMULATOR_WRITE(surfCubemapwrite)
EMULATOR_WRITE(surfCubemapLayeredwrite)
// clang-format on

#undef EMULATOR_WRITE
#undef EMULATOR_READ
#undef EMULATOR_FETCH
