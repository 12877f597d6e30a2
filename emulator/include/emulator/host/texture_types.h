#pragma once
#pragma GCC system_header
/// \file
/// Types of arrays, textures and surfaces. C also includes this file.

#include "emulator/host/host_types.h"

// NOLINTBEGIN(modernize-use-using)

// What an array is for, and what its depth counts.
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08
#define cudaArrayColorAttachment 0x20
#define cudaArraySparse 0x40
#define cudaArrayDeferredMapping 0x80

/// What the bits of an element's components mean.
enum cudaChannelFormatKind EMULATOR_INT {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3,
  cudaChannelFormatKindNV12 = 4
};

/// Bits of each component of an element, and what they mean.
struct cudaChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  cudaChannelFormatKind f;
};

#ifndef __cplusplus
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind kind) {
  const cudaChannelFormatDesc result = {x, y, z, w, kind};
  return result;
}
#endif

/// What becomes of a coordinate that is outside.
enum cudaTextureAddressMode EMULATOR_INT {
  cudaAddressModeWrap = 0,    ///< the texture repeats
  cudaAddressModeClamp = 1,   ///< the nearest element at its edge
  cudaAddressModeMirror = 2,  ///< the texture repeats, every other time backwards
  cudaAddressModeBorder = 3   ///< the border colour
};

enum cudaTextureFilterMode EMULATOR_INT { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };

/// Whether an integer element is read as it is, or as a number from 0 or -1 to 1.
enum cudaTextureReadMode EMULATOR_INT {
  cudaReadModeElementType = 0,
  cudaReadModeNormalizedFloat = 1
};

/// How a texture is read.
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

/// What a surface access outside the surface does.
enum cudaSurfaceBoundaryMode EMULATOR_INT {
  cudaBoundaryModeZero = 0,   ///< reads 0, writes nothing
  cudaBoundaryModeClamp = 1,  ///< goes to the nearest element at the edge
  cudaBoundaryModeTrap = 2    ///< ends the kernel
};

enum cudaSurfaceFormatMode EMULATOR_INT { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

enum cudaResourceType EMULATOR_INT {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};

/// What holds a texture or a surface.
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
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};

enum cudaResourceViewFormat EMULATOR_INT { cudaResViewFormatNone = 0 };

/// A part of a resource, read in another format. Only mentioned: no texture with one is made.
struct cudaResourceViewDesc {
  cudaResourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
};

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

// NOLINTEND(modernize-use-using)
