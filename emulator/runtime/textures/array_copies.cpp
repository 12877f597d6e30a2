#include "textures/array_copies.hpp"

#include <memory>
#include <utility>

#include "api/copy_sides.hpp"
#include "api/copy_tasks.hpp"
#include "base/host_state.hpp"
#include "emulator/host/arrays.h"
#include "textures/arrays.hpp"

namespace emulator::detail {
namespace {

bool reaches_past(std::size_t begin, std::size_t length, std::size_t end) {
  return begin > end || length > end - begin;
}

// The box of `extent`, in bytes, rows and slices, at a position in an array. False if it does not
// fit there.
bool place_box(const Array& array, const cudaPos& position, const cudaExtent& extent, Box& box) {
  if (reaches_past(position.x, extent.width, array.pitch()) ||
      reaches_past(position.y, extent.height, array.height()) ||
      reaches_past(position.z, extent.depth, array.depth())) {
    return false;
  }
  box = {array.data, position.z * array.slice() + position.y * array.pitch() + position.x,
         array.pitch(), array.slice()};
  return true;
}

Box rows_at(const void* pointer, std::size_t pitch) {
  return {static_cast<unsigned char*>(const_cast<void*>(pointer)), 0, pitch, 0};
}

enum class Way { to_array, from_array, on_device };

// An array is on the device, whatever the other side is.
bool goes(cudaMemcpyKind kind, Way way) {
  if (kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice) return true;
  return (kind == cudaMemcpyHostToDevice && way == Way::to_array) ||
         (kind == cudaMemcpyDeviceToHost && way == Way::from_array);
}

// One side, by an array or by a pointer.
struct End {
  cudaArray_const_t array;
  cudaPos position;  // in the array, in bytes
  const void* pointer;
  std::size_t pitch;
};

bool place(const End& end, const cudaExtent& extent, Box& box) {
  if (end.array == nullptr) {
    box = rows_at(end.pointer, end.pitch);
    return true;
  }
  const std::shared_ptr<Array> array = array_of(end.array);
  return array != nullptr && place_box(*array, end.position, extent, box);
}

cudaError_t copy(const char* call, const End& to, const End& from, const cudaExtent& extent,
                 cudaMemcpyKind kind, Way way, cudaStream_t stream, Form form) {
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  Sides sides{};
  if (!goes(kind, way) || !sides_of(kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  for (const End& end : {to, from}) {
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

// `bytes` that follow each other from a place in an array on: its rows have no gaps between them.
bool place_line(const End& end, std::size_t bytes, Box& box) {
  if (end.array == nullptr) {
    box = rows_at(end.pointer, bytes);
    return true;
  }
  const std::shared_ptr<Array> array = array_of(end.array);
  if (array == nullptr || reaches_past(end.position.x, 0, array->pitch()) ||
      reaches_past(end.position.y, 0, array->height())) {
    return false;
  }
  const std::size_t offset = end.position.y * array->pitch() + end.position.x;
  if (reaches_past(offset, bytes, array->slice())) return false;
  box = {array->data, offset, bytes, bytes};
  return true;
}

cudaError_t copy_line(const char* call, const End& to, const End& from, std::size_t bytes,
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

End in_array(cudaArray_const_t array, std::size_t x, std::size_t y) {
  return {array, {x, y, 0}, nullptr, 0};
}

End at(const void* pointer, std::size_t pitch) {
  return {nullptr, {}, pointer, pitch};
}

}  // namespace

cudaError_t make_array_copy(const cudaMemcpy3DParms& p, const Sides& sides, CopyTask& copy) {
  const bool to_both = p.dstArray != nullptr && p.dstPtr.ptr != nullptr;
  const bool from_both = p.srcArray != nullptr && p.srcPtr.ptr != nullptr;
  const Way way = p.srcArray == nullptr   ? Way::to_array
                  : p.dstArray == nullptr ? Way::from_array
                                          : Way::on_device;
  if (to_both || from_both) return cudaErrorInvalidValue;
  if (!goes(p.kind, way)) return cudaErrorInvalidMemcpyDirection;
  const auto to = array_of(p.dstArray);
  const auto from = array_of(p.srcArray);
  if ((p.dstArray != nullptr && to == nullptr) || (p.srcArray != nullptr && from == nullptr)) {
    return cudaErrorInvalidResourceHandle;
  }
  const std::size_t element = to != nullptr ? to->format.bytes() : from->format.bytes();
  if (to != nullptr && from != nullptr && from->format.bytes() != element) {
    return cudaErrorInvalidValue;
  }
  // From here on in bytes.
  cudaExtent extent = p.extent;
  cudaPos to_place = p.dstPos;
  cudaPos from_place = p.srcPos;
  if (__builtin_mul_overflow(extent.width, element, &extent.width) ||
      (to != nullptr && __builtin_mul_overflow(to_place.x, element, &to_place.x)) ||
      (from != nullptr && __builtin_mul_overflow(from_place.x, element, &from_place.x)) ||
      extent.width == 0 || extent.height == 0 || extent.depth == 0) {
    return cudaErrorInvalidValue;
  }
  copy = {"cudaMemcpy3D", {}, {}, extent, sides};
  const bool fits = (to != nullptr ? place_box(*to, to_place, extent, copy.to)
                                   : detail::place_box(p.dstPtr, to_place, extent, copy.to)) &&
                    (from != nullptr ? place_box(*from, from_place, extent, copy.from)
                                     : detail::place_box(p.srcPtr, from_place, extent, copy.from));
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace emulator::detail

using namespace emulator::detail;

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
