#include "base/device_attributes.hpp"

#include <utility>

#include "base/host_state.hpp"

namespace emulator::base {
namespace {

// The model, attribute by attribute; what is not here is 0. Two kinds of zero are meant to be seen:
// what takes time (clocks, bus width) means nothing in an emulator, and a program that computes
// with it must cope with "unknown"; what is not modelled (caches) is not there.
constexpr std::pair<cudaDeviceAttr, int> attributes[] = {
    // Limits of every current GPU.
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxThreadsPerBlock, threads_per_block},
    {cudaDevAttrMaxBlockDimX, 1024},
    {cudaDevAttrMaxBlockDimY, 1024},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, 0x7FFF'FFFF},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrTotalConstantMemory, 64 * 1024},
    {cudaDevAttrMaxPitch, 0x7FFF'FFFF},
    // Compute capability 9.0, that of the GPU whose measured figures the emulator is compared with;
    // the numbers below follow from it (CUDA C++ Programming Guide, "Technical Specifications per
    // Compute Capability").
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrMaxSharedMemoryPerBlock, int{shared_bytes_per_block}},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, int{shared_bytes_per_block_optin}},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, int{shared_bytes_per_multiprocessor}},
    {cudaDevAttrReservedSharedMemoryPerBlock, int{shared_bytes_reserved_per_block}},
    {cudaDevAttrMaxThreadsPerMultiProcessor, threads_per_multiprocessor},
    {cudaDevAttrMaxBlocksPerMultiprocessor, blocks_per_multiprocessor},
    {cudaDevAttrMaxRegistersPerBlock, registers_per_multiprocessor},
    {cudaDevAttrMaxRegistersPerMultiprocessor, registers_per_multiprocessor},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrTextureAlignment, int{texture_alignment}},
    {cudaDevAttrTexturePitchAlignment, int{texture_pitch_alignment}},
    {cudaDevAttrSurfaceAlignment, int{texture_alignment}},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture1DLinearWidth, int{longest_linear_texture}},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    // Host and device share their addresses, but not pageable memory: a kernel that gets a pointer
    // from malloc() is wrong on most GPUs.
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    // This is what programs ask before they call cudaMallocAsync(), which is modelled.
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrClusterLaunch, 1},
    {cudaDevAttrHostNumaId, -1},
};

}  // namespace

int attribute(cudaDeviceAttr wanted) {
  if (wanted == cudaDevAttrMultiProcessorCount) return multiprocessors();
  for (const auto& [name, value] : attributes) {
    if (name == wanted) return value;
  }
  return 0;
}

void tell_of_textures(cudaDeviceProp& p) {
  p.textureAlignment = p.surfaceAlignment = texture_alignment;
  p.texturePitchAlignment = texture_pitch_alignment;
  p.maxTexture1D = attribute(cudaDevAttrMaxTexture1DWidth);
  p.maxTexture1DMipmap = attribute(cudaDevAttrMaxTexture1DMipmappedWidth);
  p.maxSurface1D = attribute(cudaDevAttrMaxSurface1DWidth);
  p.maxTextureCubemap = attribute(cudaDevAttrMaxTextureCubemapWidth);
  p.maxSurfaceCubemap = attribute(cudaDevAttrMaxSurfaceCubemapWidth);
  // The others have two or three numbers, which follow each other there.
  const auto tell = [](auto& members, cudaDeviceAttr first) {
    int next = first;
    for (int& member : members) member = attribute(static_cast<cudaDeviceAttr>(next++));
  };
  tell(p.maxTexture2D, cudaDevAttrMaxTexture2DWidth);
  tell(p.maxTexture2DMipmap, cudaDevAttrMaxTexture2DMipmappedWidth);
  tell(p.maxTexture2DLinear, cudaDevAttrMaxTexture2DLinearWidth);
  tell(p.maxTexture2DGather, cudaDevAttrMaxTexture2DGatherWidth);
  tell(p.maxTexture3D, cudaDevAttrMaxTexture3DWidth);
  tell(p.maxTexture3DAlt, cudaDevAttrMaxTexture3DWidthAlt);
  tell(p.maxTexture1DLayered, cudaDevAttrMaxTexture1DLayeredWidth);
  tell(p.maxTexture2DLayered, cudaDevAttrMaxTexture2DLayeredWidth);
  tell(p.maxTextureCubemapLayered, cudaDevAttrMaxTextureCubemapLayeredWidth);
  tell(p.maxSurface2D, cudaDevAttrMaxSurface2DWidth);
  tell(p.maxSurface3D, cudaDevAttrMaxSurface3DWidth);
  tell(p.maxSurface1DLayered, cudaDevAttrMaxSurface1DLayeredWidth);
  tell(p.maxSurface2DLayered, cudaDevAttrMaxSurface2DLayeredWidth);
  tell(p.maxSurfaceCubemapLayered, cudaDevAttrMaxSurfaceCubemapLayeredWidth);
}

void tell_what_is_removed(cudaDeviceProp& p) {
  int* removed = p.reserved + 48;
  for (const auto name :
       {cudaDevAttrClockRate, cudaDevAttrGpuOverlap, cudaDevAttrKernelExecTimeout,
        cudaDevAttrComputeMode, cudaDevAttrMaxTexture1DLinearWidth, cudaDevAttrMemoryClockRate,
        cudaDevAttrSingleToDoublePrecisionPerfRatio, cudaDevAttrReserved96}) {
    *removed++ = attribute(name);
  }
}

}  // namespace emulator::base
