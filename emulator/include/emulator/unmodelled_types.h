#pragma once
#pragma GCC system_header
/// \file
/// Types of CUDA 13's runtime API that only functions outside the emulator's model use. They are
/// here so that programs which mention them compile.

#include <cstddef>
#include <type_traits>

#include "emulator/host_types.h"
#include "emulator/vector_types.h"

// Arrays, textures and surfaces -------------------------------------------------------------------

using cudaMipmappedArray_t = struct cudaMipmappedArray*;
using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

enum cudaChannelFormatKind : int {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};

/// Bits of each component of a texel, and what they mean.
struct cudaChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  cudaChannelFormatKind f;
};

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

/// The description of texels of type T: a number, or a vector of one to four of them.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  if constexpr (std::is_arithmetic_v<T>) {
    constexpr cudaChannelFormatKind kind = std::is_floating_point_v<T> ? cudaChannelFormatKindFloat
                                           : std::is_signed_v<T>       ? cudaChannelFormatKindSigned
                                                                 : cudaChannelFormatKindUnsigned;
    return {static_cast<int>(8 * sizeof(T)), 0, 0, 0, kind};
  } else {
    auto description = cudaCreateChannelDesc<decltype(T::x)>();
    constexpr std::size_t components = sizeof(T) / sizeof(T::x);
    if (components > 1) description.y = description.x;
    if (components > 2) description.z = description.x;
    if (components > 3) description.w = description.x;
    return description;
  }
}

enum cudaTextureAddressMode : int {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};

enum cudaTextureFilterMode : int { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };

enum cudaTextureReadMode : int { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};

enum cudaResourceType : int {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t width;
      std::size_t height;
      std::size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};

// Memory of other programs ------------------------------------------------------------------------

using cudaExternalMemory_t = struct CUexternalMemory_st*;
using cudaExternalSemaphore_t = struct CUexternalSemaphore_st*;
using cudaGraphicsResource_t = struct cudaGraphicsResource*;

#define CUDA_IPC_HANDLE_SIZE 64
#define cudaIpcMemLazyEnablePeerAccess 0x01

struct cudaIpcEventHandle_t {
  char reserved[CUDA_IPC_HANDLE_SIZE];
};
struct cudaIpcMemHandle_t {
  char reserved[CUDA_IPC_HANDLE_SIZE];
};

// Several devices, libraries ----------------------------------------------------------------------

#define cudaPeerAccessDefault 0x00

using cudaFunction_t = struct CUfunc_st*;
using cudaKernel_t = struct CUkern_st*;
using cudaLibrary_t = struct CUlib_st*;
