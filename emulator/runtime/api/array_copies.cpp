/// \file
/// Copies to and from arrays, as a host program asks for them.

#include <cstddef>
#include <memory>
#include <utility>

#include "base/host_state.hpp"
#include "emulator/host/arrays.h"
#include "graphs/issued_copies.hpp"
#include "streams/copy_sides.hpp"
#include "textures/array_copies.hpp"
#include "textures/arrays.hpp"

namespace emulator::api {

namespace {

cudaError_t copy(const char* call, const CopyEnd& to, const CopyEnd& from, const cudaExtent& extent,
                 cudaMemcpyKind kind, Way way, cudaStream_t stream, Form form) {
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  Sides sides{};
  if (!goes(kind, way) || !sides_of(kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  for (const CopyEnd& end : {to, from}) {
    if (end.array == nullptr && end.pitch < extent.width) return report(cudaErrorInvalidPitchValue);
    if (end.array != nullptr && array_of(end.array) == nullptr) {
      return report(cudaErrorInvalidResourceHandle);
    }
  }
  return device_call([&] {
    CopyTask task{call, {}, {}, extent, sides};
    if (!place(to, extent, task.to) || !place(from, extent, task.from)) {
      return cudaErrorInvalidValue;
    }
    return copy_in_stream(std::move(task), stream, form);
  });
}

cudaError_t copy_line(const char* call, const CopyEnd& to, const CopyEnd& from, std::size_t bytes,
                      cudaMemcpyKind kind, Way way, cudaStream_t stream, Form form) {
  if (bytes == 0) return cudaSuccess;
  Sides sides{};
  if (!goes(kind, way) || !sides_of(kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  return device_call([&] {
    CopyTask task{call, {}, {}, {bytes, 1, 1}, sides};
    if (!place_line(to, bytes, task.to) || !place_line(from, bytes, task.from)) {
      return cudaErrorInvalidValue;
    }
    return copy_in_stream(std::move(task), stream, form);
  });
}

CopyEnd in_array(cudaArray_const_t array, std::size_t x, std::size_t y) {
  return {array, {x, y, 0}, nullptr, 0};
}

CopyEnd at(const void* pointer, std::size_t pitch) {
  return {nullptr, {}, pointer, pitch};
}

}  // namespace

}  // namespace emulator::api

using namespace emulator::api;

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, std::size_t x, std::size_t y,
                                     const void* source, std::size_t source_pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy("cudaMemcpy2DToArray", in_array(destination, x, y), at(source, source_pitch),
              {width, height, 1}, kind, Way::to_array, stream, Form::asynchronous);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, std::size_t x, std::size_t y,
                                const void* source, std::size_t source_pitch, std::size_t width,
                                std::size_t height, cudaMemcpyKind kind) {
  return copy("cudaMemcpy2DToArray", in_array(destination, x, y), at(source, source_pitch),
              {width, height, 1}, kind, Way::to_array, nullptr, Form::plain);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, std::size_t destination_pitch,
                                       cudaArray_const_t source, std::size_t x, std::size_t y,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy("cudaMemcpy2DFromArray", at(destination, destination_pitch), in_array(source, x, y),
              {width, height, 1}, kind, Way::from_array, stream, Form::asynchronous);
}

cudaError_t cudaMemcpy2DFromArray(void* destination, std::size_t destination_pitch,
                                  cudaArray_const_t source, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy("cudaMemcpy2DFromArray", at(destination, destination_pitch), in_array(source, x, y),
              {width, height, 1}, kind, Way::from_array, nullptr, Form::plain);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, std::size_t x, std::size_t y,
                                     cudaArray_const_t source, std::size_t source_x,
                                     std::size_t source_y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
  return copy("cudaMemcpy2DArrayToArray", in_array(destination, x, y),
              in_array(source, source_x, source_y), {width, height, 1}, kind, Way::on_device,
              nullptr, Form::plain);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t destination, std::size_t x, std::size_t y,
                                   const void* source, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return copy_line("cudaMemcpyToArray", in_array(destination, x, y), at(source, 0), bytes, kind,
                   Way::to_array, stream, Form::asynchronous);
}

cudaError_t cudaMemcpyToArray(cudaArray_t destination, std::size_t x, std::size_t y,
                              const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_line("cudaMemcpyToArray", in_array(destination, x, y), at(source, 0), bytes, kind,
                   Way::to_array, nullptr, Form::plain);
}

cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t source, std::size_t x,
                                     std::size_t y, std::size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy_line("cudaMemcpyFromArray", at(destination, 0), in_array(source, x, y), bytes, kind,
                   Way::from_array, stream, Form::asynchronous);
}

cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, std::size_t x,
                                std::size_t y, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_line("cudaMemcpyFromArray", at(destination, 0), in_array(source, x, y), bytes, kind,
                   Way::from_array, nullptr, Form::plain);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t destination, std::size_t x, std::size_t y,
                                   cudaArray_const_t source, std::size_t source_x,
                                   std::size_t source_y, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_line("cudaMemcpyArrayToArray", in_array(destination, x, y),
                   in_array(source, source_x, source_y), bytes, kind, Way::on_device, nullptr,
                   Form::plain);
}
