/// \file
/// What kernels call to read and write surfaces.

#include "emulator/device/surfaces.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"
#include "events/findings.hpp"
#include "events/memory_events.hpp"
#include "textures/objects.hpp"

namespace emulator::textures {
namespace {

[[noreturn]] void trap_at(const SurfacePlace& place, unsigned bytes, const Level& level,
                          const void* pc) {
  refuse(*current_lane, pc, {"out-of-bounds", cudaErrorLaunchFailure},
         "a surface access of %u bytes at (%d, %d, %d) is outside the surface, whose rows have %zu "
         "bytes (x counts bytes), and which has %zu rows and %zu slices, layers or faces",
         bytes, place.x, place.y, place.z, level.pitch, level.height, level.depth);
}

// Where the access goes; null if it goes nowhere.
unsigned char* find(const Level& level, SurfacePlace place, unsigned bytes, const void* pc) {
  const auto row = static_cast<long>(level.pitch);
  const auto rows = static_cast<long>(level.height);
  const auto slices = static_cast<long>(level.depth);
  if (place.x % static_cast<int>(bytes) != 0) {
    refuse(
        *current_lane, pc, {"failed-kernel", cudaErrorMisalignedAddress},
        "a surface access of %u bytes at x = %d, which counts bytes, and is not a multiple of that",
        bytes, place.x);
  }
  const bool is_inside = place.x >= 0 && place.x + static_cast<long>(bytes) <= row &&
                         place.y >= 0 && place.y < rows && place.z >= 0 && place.z < slices;
  if (!is_inside && place.mode == cudaBoundaryModeZero) return nullptr;
  if (!is_inside && place.mode != cudaBoundaryModeClamp) trap_at(place, bytes, level, pc);
  const long x = std::clamp<long>(place.x, 0, std::max(row - static_cast<long>(bytes), 0L));
  const long y = std::clamp<long>(place.y, 0, rows - 1);
  const long z = std::clamp<long>(place.z, 0, slices - 1);
  return level.element(static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                       static_cast<std::size_t>(z), 1);
}

const Level& level_of(cudaSurfaceObject_t surface, TextureShape shape, const void* pc) {
  return used_object(TextureObjects::surfaces(), surface, shape, pc).levels[0];
}

// For the checks.
void note_write(const Level& level, const unsigned char* at, unsigned bytes) {
  work_writes(at, bytes);
  memory_written(at, bytes);
  Array& array = *level.array;
  const unsigned element = array.format.bytes();
  if (array.written_in.empty()) {
    array.written_in.resize(array.slice() / element * array.depth());
  }
  const auto first = static_cast<std::size_t>(at - level.data);
  for (std::size_t number = first / element; number * element < first + bytes; ++number) {
    array.written_in[number] = current_lane->worker->grid().number;
  }
}

}  // namespace

}  // namespace emulator::textures

// What programs call.
namespace emulator::detail {

using namespace textures;

Texel read_surface(cudaSurfaceObject_t surface, TextureShape shape, SurfacePlace place,
                   unsigned bytes) {
  Texel result{};
  if (current_lane == nullptr) return result;  // no kernel runs
  const void* const pc = __builtin_return_address(0);
  const unsigned char* const at = find(level_of(surface, shape, pc), place, bytes, pc);
  if (at == nullptr) return result;
  if (details_wanted()) work_reads(at, bytes);
  std::memcpy(&result, at, bytes);
  return result;
}

void write_surface(cudaSurfaceObject_t surface, TextureShape shape, SurfacePlace place,
                   unsigned bytes, Texel value) {
  if (current_lane == nullptr) return;
  const void* const pc = __builtin_return_address(0);
  const Level& level = level_of(surface, shape, pc);
  unsigned char* const at = find(level, place, bytes, pc);
  if (at == nullptr) return;
  std::memcpy(at, &value, bytes);
  if (details_wanted()) note_write(level, at, bytes);
}

}  // namespace emulator::detail
