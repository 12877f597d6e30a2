/// \file
/// Copying and setting memory: what is asked, and whether it may be. The checks are those that a
/// GPU's driver makes; where a size overflows, which it does not always notice, they are stricter.

#include <utility>

#include "api/copy_sides.hpp"
#include "api/copy_tasks.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "graphs/capture.hpp"
#include "observers/ordering/order_checks.hpp"
#include "streams/copy_waits.hpp"
#include "streams/order.hpp"
#include "streams/tasks.hpp"
#include "textures/array_copies.hpp"

using namespace emulator::detail;

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

namespace emulator::detail {

bool place_box(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent,
               Box& box) {
  const auto reaches_past = [](std::size_t begin, std::size_t length, std::size_t end) {
    std::size_t sum = 0;
    return __builtin_add_overflow(begin, length, &sum) || sum > end;
  };
  if (reaches_past(position.x, extent.width, memory.pitch)) return false;
  if (extent.depth > 1 && reaches_past(position.y, extent.height, memory.ysize)) return false;
  box.origin = static_cast<unsigned char*>(memory.ptr);
  box.pitch = memory.pitch;
  std::size_t rows = 0;
  std::size_t slices = 0;
  return !__builtin_mul_overflow(memory.pitch, memory.ysize, &box.slice) &&
         !__builtin_mul_overflow(position.y, memory.pitch, &rows) &&
         !__builtin_mul_overflow(position.z, box.slice, &slices) &&
         !__builtin_add_overflow(rows, slices, &box.offset) &&
         !__builtin_add_overflow(box.offset, position.x, &box.offset);
}

cudaError_t copy_in_stream(CopyTask task, cudaStream_t stream, Form form) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (form == Form::plain) {
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
  }
  if (const cudaError_t error = check_copy(task); error != cudaSuccess) return error;
  if (is_straight_through()) return issue(std::move(task), stream, {});
  const Side to = side_of(task.to.origin);
  const Side from = side_of(task.from.origin);
  if (form == Form::asynchronous && (to == Side::pageable || from == Side::pageable)) {
    find_pageable_copy(stream);
  }
  return issue(std::move(task), stream, waits_of_copy(to, from, form));
}

cudaError_t make_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      CopyTask& copy) {
  Sides sides{};
  if (!sides_of(kind, sides)) return cudaErrorInvalidMemcpyDirection;
  copy = {"cudaMemcpy", rows_at(to, 0), rows_at(from, 0), {bytes, 1, 1}, sides};
  return cudaSuccess;
}

cudaError_t make_copy(const cudaMemcpy3DParms& p, CopyTask& copy) {
  Sides sides{};
  if (!sides_of(p.kind, sides)) return cudaErrorInvalidMemcpyDirection;
  if (is_of_array(p)) return make_array_copy(p, sides, copy);
  Box to{};
  Box from{};
  if (is_empty(p.extent) || !place_box(p.dstPtr, p.dstPos, p.extent, to) ||
      !place_box(p.srcPtr, p.srcPos, p.extent, from)) {
    return cudaErrorInvalidValue;
  }
  copy = {"cudaMemcpy3D", to, from, p.extent, sides};
  return cudaSuccess;
}

}  // namespace emulator::detail

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
  if (destination_device != 0 || source_device != 0) return report(cudaErrorInvalidDevice);
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
