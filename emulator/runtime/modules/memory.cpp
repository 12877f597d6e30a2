/// \file
/// The driver API's memory, arrays, textures, streams and events: the runtime's, by other names.

#include "modules/in_driver.hpp"

namespace emulator::modules {
namespace {

// Where nothing is asked for, the runtime gives a null pointer.
template <class Call>
CUresult allocate_for_driver(CUdeviceptr* address, std::size_t bytes, Call call) {
  if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult result = in_driver([&] { return call(&pointer); });
  if (result == CUDA_SUCCESS) *address = address_of_pointer(pointer);
  return result;
}

CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return in_driver([&] { return cudaMemcpy(to, from, bytes, kind); });
}
CUresult copy_in_stream(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                        CUstream stream) {
  return in_driver([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

unsigned bits_of(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 32;
  }
  return 0;
}

cudaChannelFormatDesc channels_of(CUarray_format format, unsigned count) {
  const bool is_float = format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
  const bool is_signed = (format & 0x08) != 0;
  const auto bits = [&](unsigned channel) {
    return channel < count ? static_cast<int>(bits_of(format)) : 0;
  };
  return cudaCreateChannelDesc(bits(0), bits(1), bits(2), bits(3),
                               is_float    ? cudaChannelFormatKindFloat
                               : is_signed ? cudaChannelFormatKindSigned
                                           : cudaChannelFormatKindUnsigned);
}

cudaMemLocation location_of(CUmemLocation location) {
  cudaMemLocation result{};
  result.type = static_cast<cudaMemLocationType>(location.type);
  result.id = location.id;
  return result;
}
CUmemLocation location_of(CUdevice device) {
  return device == CU_DEVICE_CPU ? CUmemLocation{CU_MEM_LOCATION_TYPE_HOST, 0}
                                 : CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, device};
}

}  // namespace
}  // namespace emulator::modules

using namespace emulator::modules;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  return allocate_for_driver(address, bytes, [&](void** p) { return cudaMalloc(p, bytes); });
}
CUresult cuMemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned int flags) {
  return allocate_for_driver(address, bytes,
                             [&](void** p) { return cudaMallocManaged(p, bytes, flags); });
}
CUresult cuMemAllocPitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width,
                         std::size_t height, unsigned int element) {
  if (pitch == nullptr || (element != 4 && element != 8 && element != 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return allocate_for_driver(address, width * height,
                             [&](void** p) { return cudaMallocPitch(p, pitch, width, height); });
}
CUresult cuMemFree(CUdeviceptr address) {
  return in_driver([&] { return cudaFree(pointer_to(address)); });
}
CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
  return in_driver([&] { return cudaMallocHost(pointer, bytes); });
}
CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  return in_driver([&] { return cudaHostAlloc(pointer, bytes, flags); });
}
CUresult cuMemFreeHost(void* pointer) {
  return in_driver([&] { return cudaFreeHost(pointer); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned int flags) {
  return allocate_for_driver(address, 1,
                             [&](void** p) { return cudaHostGetDevicePointer(p, pointer, flags); });
}
CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return in_driver([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
  const Allocation* const found = find_allocation(pointer_to(address));
  if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
  if (base != nullptr) *base = found->base;
  if (bytes != nullptr) *bytes = found->size;
  return CUDA_SUCCESS;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy(pointer_to(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_in_stream(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy_in_stream(pointer_to(to), from, bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_in_stream(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_in_stream(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY2D& c = *copy;
  // Rows that follow each other closely need no pitch.
  const std::size_t from_pitch = c.srcPitch == 0 ? c.WidthInBytes : c.srcPitch;
  const std::size_t to_pitch = c.dstPitch == 0 ? c.WidthInBytes : c.dstPitch;
  const auto* const from = static_cast<const unsigned char*>(c.srcMemoryType == CU_MEMORYTYPE_HOST
                                                                 ? c.srcHost
                                                                 : pointer_to(c.srcDevice)) +
                           c.srcY * from_pitch + c.srcXInBytes;
  auto* const to =
      static_cast<unsigned char*>(c.dstMemoryType == CU_MEMORYTYPE_HOST ? c.dstHost
                                                                        : pointer_to(c.dstDevice)) +
      c.dstY * to_pitch + c.dstXInBytes;
  const bool from_array = c.srcMemoryType == CU_MEMORYTYPE_ARRAY;
  const bool to_array = c.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  return in_driver([&] {
    if (from_array && to_array) {
      return cudaMemcpy2DArrayToArray(c.dstArray, c.dstXInBytes, c.dstY, c.srcArray, c.srcXInBytes,
                                      c.srcY, c.WidthInBytes, c.Height, cudaMemcpyDeviceToDevice);
    }
    if (to_array) {
      return cudaMemcpy2DToArray(c.dstArray, c.dstXInBytes, c.dstY, from, from_pitch,
                                 c.WidthInBytes, c.Height, cudaMemcpyDefault);
    }
    if (from_array) {
      return cudaMemcpy2DFromArray(to, to_pitch, c.srcArray, c.srcXInBytes, c.srcY, c.WidthInBytes,
                                   c.Height, cudaMemcpyDefault);
    }
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, c.WidthInBytes, c.Height,
                        cudaMemcpyDefault);
  });
}

CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, CUmem_advise advice,
                     CUmemLocation location) {
  return in_driver([&] {
    return cudaMemAdvise(pointer_to(address), bytes, static_cast<cudaMemoryAdvise>(advice),
                         location_of(location));
  });
}
CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, CUmem_advise advice, CUdevice device) {
  return cuMemAdvise(address, bytes, advice, location_of(device));
}
CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUmemLocation location,
                            unsigned int flags, CUstream stream) {
  return in_driver([&] {
    return cudaMemPrefetchAsync(pointer_to(address), bytes, location_of(location), flags, stream);
  });
}
CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUdevice device,
                            CUstream stream) {
  return cuMemPrefetchAsync(address, bytes, location_of(device), 0, stream);
}

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* description) {
  if (description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaChannelFormatDesc channels = channels_of(description->Format, description->NumChannels);
  return in_driver(
      [&] { return cudaMallocArray(array, &channels, description->Width, description->Height); });
}
CUresult cuArrayDestroy(CUarray array) {
  return in_driver([&] { return cudaFreeArray(array); });
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* description,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  if (resource == nullptr || description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (view != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  cudaResourceDesc what{};
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY: {
      what.resType = cudaResourceTypeArray;
      what.res.array.array = resource->res.array.hArray;
      cudaChannelFormatDesc channels{};
      const CUresult result =
          in_driver([&] { return cudaGetChannelDesc(&channels, resource->res.array.hArray); });
      if (result != CUDA_SUCCESS) return result;
      if (channels.f != cudaChannelFormatKindFloat) format = CU_AD_FORMAT_UNSIGNED_INT8;
      break;
    }
    case CU_RESOURCE_TYPE_LINEAR:
      format = resource->res.linear.format;
      what.resType = cudaResourceTypeLinear;
      what.res.linear.devPtr = pointer_to(resource->res.linear.devPtr);
      what.res.linear.desc = channels_of(format, resource->res.linear.numChannels);
      what.res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      format = resource->res.pitch2D.format;
      what.resType = cudaResourceTypePitch2D;
      what.res.pitch2D.devPtr = pointer_to(resource->res.pitch2D.devPtr);
      what.res.pitch2D.desc = channels_of(format, resource->res.pitch2D.numChannels);
      what.res.pitch2D.width = resource->res.pitch2D.width;
      what.res.pitch2D.height = resource->res.pitch2D.height;
      what.res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  // Integers become numbers from 0 to 1, or from -1, unless they are to stay what they are.
  const bool is_float = format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF;
  const bool stays = is_float || (description->flags & CU_TRSF_READ_AS_INTEGER) != 0;
  cudaTextureDesc how{};
  for (int i = 0; i < 3; ++i) {
    how.addressMode[i] = static_cast<cudaTextureAddressMode>(description->addressMode[i]);
  }
  how.filterMode = static_cast<cudaTextureFilterMode>(description->filterMode);
  how.readMode = stays ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  for (int i = 0; i < 4; ++i) how.borderColor[i] = description->borderColor[i];
  how.normalizedCoords = (description->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
  how.maxAnisotropy = description->maxAnisotropy;
  how.mipmapFilterMode = static_cast<cudaTextureFilterMode>(description->mipmapFilterMode);
  how.mipmapLevelBias = description->mipmapLevelBias;
  how.minMipmapLevelClamp = description->minMipmapLevelClamp;
  how.maxMipmapLevelClamp = description->maxMipmapLevelClamp;
  return in_driver([&] { return cudaCreateTextureObject(texture, &what, &how, nullptr); });
}
CUresult cuTexObjectDestroy(CUtexObject texture) {
  return in_driver([&] { return cudaDestroyTextureObject(texture); });
}

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return in_driver([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return in_driver([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return in_driver([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return in_driver([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return in_driver([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return in_driver([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return in_driver([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return in_driver([&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_driver([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventQuery(CUevent event) {
  return in_driver([&] { return cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_driver([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return in_driver([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
