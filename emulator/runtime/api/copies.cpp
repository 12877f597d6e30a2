/// \file
/// Copying and setting memory: what is asked, and whether it may be. The checks are those that a
/// GPU's driver makes; where a size overflows, which it does not always notice, they are stricter.

#include <utility>

#include "base/arena.hpp"
#include "base/copy_waits.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "events/tasks.hpp"
#include "graphs/issued_copies.hpp"
#include "streams/copy_sides.hpp"
#include "streams/copy_tasks.hpp"

using namespace emulator::api;

namespace {

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

Box rows_at(const void* pointer, std::size_t pitch) {
  return {static_cast<unsigned char*>(const_cast<void*>(pointer)), 0, pitch, 0};
}

bool is_of_array(const cudaMemcpy3DParms& p) {
  return p.srcArray != nullptr || p.dstArray != nullptr;
}

cudaError_t copy_bytes(void* destination, const void* source, std::size_t bytes,
                       cudaMemcpyKind kind, cudaStream_t stream, Form form) {
  if (bytes == 0) return cudaSuccess;
  CopyTask task{};
  const cudaError_t error = make_copy(destination, source, bytes, kind, task);
  if (error != cudaSuccess) return report(error);
  return device_call([&] { return copy_in_stream(std::move(task), stream, form); });
}

cudaError_t copy_2d(void* destination, std::size_t destination_pitch, const void* source,
                    std::size_t source_pitch, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind, cudaStream_t stream, Form form) {
  if (width == 0 || height == 0) return cudaSuccess;
  Sides sides{};
  if (!sides_of(kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  if (width > destination_pitch || width > source_pitch) return report(cudaErrorInvalidPitchValue);
  return device_call([&] {
    return copy_in_stream({"cudaMemcpy2D",
                           rows_at(destination, destination_pitch),
                           rows_at(source, source_pitch),
                           {width, height, 1},
                           sides},
                          stream, form);
  });
}

cudaError_t copy_3d(const cudaMemcpy3DParms* parameters, cudaStream_t stream, Form form) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  if (is_empty(parameters->extent) && !is_of_array(*parameters)) return cudaSuccess;
  CopyTask task{};
  const cudaError_t error = make_copy(*parameters, task);
  if (error != cudaSuccess) return report(error);
  return device_call([&] { return copy_in_stream(std::move(task), stream, form); });
}

// Whether what the address is in, if anything, is that device's. Only one has none to mistake.
bool is_of(int device, const void* address) {
  if (device_count() == 1) return true;
  const auto memory = lookup(address);
  return !memory || memory->kind != MemoryKind::device || memory->device == device;
}

cudaError_t copy_3d_peer(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream, Form form) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  const cudaMemcpy3DPeerParms& p = *parameters;
  if (!is_device(p.srcDevice) || !is_device(p.dstDevice)) return report(cudaErrorInvalidDevice);
  if (!is_of(p.srcDevice, p.srcPtr.ptr) || !is_of(p.dstDevice, p.dstPtr.ptr)) {
    return report(cudaErrorInvalidValue);
  }
  const cudaMemcpy3DParms same{p.srcArray, p.srcPos, p.srcPtr, p.dstArray,
                               p.dstPos,   p.dstPtr, p.extent, cudaMemcpyDeviceToDevice};
  return copy_3d(&same, stream, form);
}

cudaError_t set_bytes(void* pointer, int value, std::size_t bytes, cudaStream_t stream, Form form) {
  if (bytes == 0) return cudaSuccess;
  return device_call([&] {
    return set_in_stream({"cudaMemset", rows_at(pointer, 0), value, {bytes, 1, 1}}, stream, form);
  });
}

cudaError_t set_2d(void* pointer, std::size_t pitch, int value, std::size_t width,
                   std::size_t height, cudaStream_t stream, Form form) {
  if (width == 0 || height == 0) return cudaSuccess;
  // A single row has no pitch, which is looked at only from two rows on.
  if (width > pitch && height > 1) return report(cudaErrorInvalidValue);
  return device_call([&] {
    return set_in_stream({"cudaMemset2D", rows_at(pointer, pitch), value, {width, height, 1}},
                         stream, form);
  });
}

cudaError_t set_3d(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream,
                   Form form) {
  if (is_empty(extent)) return cudaSuccess;
  Box box{};
  if (!place_box(pointer, {0, 0, 0}, extent, box)) return report(cudaErrorInvalidValue);
  return device_call([&] {
    return set_in_stream({"cudaMemset3D", box, value, extent}, stream, form);
  });
}

}  // namespace

cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes(destination, source, bytes, kind, stream, Form::asynchronous);
}

cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t bytes,
                       cudaMemcpyKind kind) {
  return copy_bytes(destination, source, bytes, kind, nullptr, Form::plain);
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!is_device(destination_device) || !is_device(source_device)) {
    return report(cudaErrorInvalidDevice);
  }
  if (!is_of(destination_device, destination) || !is_of(source_device, source)) {
    return report(cudaErrorInvalidValue);
  }
  return cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, std::size_t bytes) {
  return cudaMemcpyPeerAsync(destination, destination_device, source, source_device, bytes,
                             nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_2d(destination, destination_pitch, source, source_pitch, width, height, kind, stream,
                 Form::asynchronous);
}

cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  return copy_2d(destination, destination_pitch, source, source_pitch, width, height, kind, nullptr,
                 Form::plain);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_3d(parameters, stream, Form::asynchronous);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy_3d(parameters, nullptr, Form::plain);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copy_3d_peer(parameters, stream, Form::asynchronous);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return copy_3d_peer(parameters, nullptr, Form::plain);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return set_bytes(pointer, value, bytes, stream, Form::asynchronous);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return set_bytes(pointer, value, bytes, nullptr, Form::plain);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return set_2d(pointer, pitch, value, width, height, stream, Form::asynchronous);
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return set_2d(pointer, pitch, value, width, height, nullptr, Form::plain);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return set_3d(pointer, value, extent, stream, Form::asynchronous);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return set_3d(pointer, value, extent, nullptr, Form::plain);
}
