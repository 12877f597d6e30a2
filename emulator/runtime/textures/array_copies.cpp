#include "textures/array_copies.hpp"

#include <memory>
#include <utility>

#include "base/host_state.hpp"
#include "emulator/host/arrays.h"
#include "streams/copy_sides.hpp"
#include "streams/copy_tasks.hpp"
#include "textures/arrays.hpp"

namespace emulator::textures {
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

}  // namespace

bool goes(cudaMemcpyKind kind, Way way) {
  if (kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice) return true;
  return (kind == cudaMemcpyHostToDevice && way == Way::to_array) ||
         (kind == cudaMemcpyDeviceToHost && way == Way::from_array);
}

bool place(const CopyEnd& end, const cudaExtent& extent, Box& box) {
  if (end.array == nullptr) {
    box = rows_at(end.pointer, end.pitch);
    return true;
  }
  const std::shared_ptr<Array> array = array_of(end.array);
  return array != nullptr && place_box(*array, end.position, extent, box);
}

bool place_line(const CopyEnd& end, std::size_t bytes, Box& box) {
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
  const bool fits =
      (to != nullptr ? place_box(*to, to_place, extent, copy.to)
                     : textures::place_box(p.dstPtr, to_place, extent, copy.to)) &&
      (from != nullptr ? place_box(*from, from_place, extent, copy.from)
                       : textures::place_box(p.srcPtr, from_place, extent, copy.from));
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace emulator::textures
