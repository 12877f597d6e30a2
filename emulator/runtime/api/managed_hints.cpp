/// \file
/// Hints about managed memory, which are checked and kept, and have no effect; and asking what they
/// were.

#include "api/managed_hints.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "graphs/capture.hpp"

namespace emulator::api {
namespace {

constexpr std::uintptr_t page = 4096;

// What holds for a page.
struct Hints {
  bool read_mostly = false;
  bool accessed_by_device = false;
  cudaMemLocation preferred = {cudaMemLocationTypeInvalid, 0};
  cudaMemLocation prefetched = {cudaMemLocationTypeInvalid, 0};
};

struct Range {
  std::uintptr_t begin, end;
};

// Pieces of memory with what was said about them; what is not here is as new. To use the members,
// hold the mutex.
class KnownHints {
 public:
  static KnownHints& get() {
    static auto& known = *new KnownHints;  // never destroyed, for static objects' destructors
    return known;
  }

  std::mutex mutex;

  struct Piece {
    std::uintptr_t end;
    Hints hints;
  };
  std::map<std::uintptr_t, Piece> pieces;  // by where they begin; none overlap

  // Makes a piece end, and another begin, at the address, if it is inside one.
  void split(std::uintptr_t at) {
    const auto behind = pieces.upper_bound(at);
    if (behind == pieces.begin()) return;
    const auto piece = std::prev(behind);
    if (piece->first == at || piece->second.end <= at) return;
    pieces[at] = piece->second;
    piece->second.end = at;
  }

  void forget(Range range) {
    split(range.begin);
    split(range.end);
    pieces.erase(pieces.lower_bound(range.begin), pieces.lower_bound(range.end));
  }
};

// The pages of the range, as far as they are the allocation's; nothing if it is not all in one
// allocation of managed memory, or empty.
std::optional<Range> pages_of(const void* pointer, std::size_t bytes) {
  const auto memory = lookup(pointer);
  if (!memory || memory->kind != MemoryKind::managed) return std::nullopt;
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const std::uintptr_t last = memory->base + memory->size;
  if (bytes == 0 || bytes > last - begin) return std::nullopt;
  return Range{std::max(memory->base, begin / page * page),
               std::min(last, (begin + bytes + page - 1) / page * page)};
}

// Calls `change` with the hints of all pieces of the range.
template <class Change>
cudaError_t change_hints(const void* pointer, std::size_t bytes, Change change) {
  const std::optional<Range> range = pages_of(pointer, bytes);
  if (!range) return cudaErrorInvalidValue;
  KnownHints& known = KnownHints::get();
  const std::lock_guard lock(known.mutex);
  known.split(range->begin);
  known.split(range->end);
  for (std::uintptr_t at = range->begin; at < range->end;) {
    const auto next = known.pieces.lower_bound(at);
    if (next != known.pieces.end() && next->first == at) {
      change(next->second.hints);
      at = next->second.end;
      continue;
    }
    const bool gap_ends = next != known.pieces.end() && next->first < range->end;
    Hints hints;
    change(hints);
    const std::uintptr_t end = gap_ends ? next->first : range->end;
    known.pieces[at] = {end, hints};
    at = end;
  }
  return cudaSuccess;
}

bool same(cudaMemLocation one, cudaMemLocation other) {
  return one.type == other.type && one.id == other.id;
}

// What holds for all of the range: of two pages that differ, nothing.
Hints common_hints(Range range) {
  KnownHints& known = KnownHints::get();
  const std::lock_guard lock(known.mutex);
  std::optional<Hints> all;
  const auto add = [&](const Hints& hints) {
    if (!all) all = hints;
    all->read_mostly = all->read_mostly && hints.read_mostly;
    all->accessed_by_device = all->accessed_by_device && hints.accessed_by_device;
    if (!same(all->preferred, hints.preferred)) all->preferred = Hints{}.preferred;
    if (!same(all->prefetched, hints.prefetched)) all->prefetched = Hints{}.prefetched;
  };
  known.split(range.begin);
  for (std::uintptr_t at = range.begin; at < range.end;) {
    const auto next = known.pieces.lower_bound(at);
    const bool is_known = next != known.pieces.end() && next->first == at;
    add(is_known ? next->second.hints : Hints{});
    at = is_known ? next->second.end : next != known.pieces.end() ? next->first : range.end;
  }
  return *all;
}

void take(cudaMemoryAdvise advice, cudaMemLocation location, Hints& hints) {
  const bool is_device = location.type == cudaMemLocationTypeDevice;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      hints.read_mostly = advice == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
      hints.preferred = location;
      break;
    case cudaMemAdviseUnsetPreferredLocation:
      hints.preferred = Hints{}.preferred;
      break;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      if (is_device) hints.accessed_by_device = advice == cudaMemAdviseSetAccessedBy;
      break;
  }
}

// A place as CUDA 12 writes it.
int number_of(cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeInvalid) return cudaInvalidDeviceId;
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

// Writes an attribute as 32-bit numbers; only the list of devices may be longer than one.
cudaError_t answer(int* data, std::size_t bytes, cudaMemRangeAttribute attribute,
                   const Hints& hints) {
  const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
  if (data == nullptr || bytes == 0 || bytes % sizeof(int) != 0 ||
      (!is_list && bytes != sizeof(int))) {
    return cudaErrorInvalidValue;
  }
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *data = hints.read_mostly ? 1 : 0;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *data = number_of(hints.preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      std::fill_n(data, bytes / sizeof(int), cudaInvalidDeviceId);
      if (hints.accessed_by_device) *data = 0;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      // Not confirmed for memory with advice: an H200 gave cudaInvalidDeviceId after a prefetch of
      // it.
      *data = number_of(hints.prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *data = hints.preferred.type;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *data = hints.preferred.id;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *data = hints.prefetched.type;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *data = hints.prefetched.id;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

}  // namespace

void forget_hints(const void* pointer) {
  const auto memory = lookup(pointer);
  if (!memory || memory->kind != MemoryKind::managed ||
      memory->base != reinterpret_cast<std::uintptr_t>(pointer)) {
    return;
  }
  KnownHints& known = KnownHints::get();
  const std::lock_guard lock(known.mutex);
  known.forget({memory->base, memory->base + memory->size});
}

void reset_hints() {
  KnownHints& known = KnownHints::get();
  const std::lock_guard lock(known.mutex);
  if (device_count() == 1) return known.pieces.clear();
  std::erase_if(known.pieces,
                [](const auto& entry) { return device_at(entry.first) == current_device(); });
}

}  // namespace emulator::api

using namespace emulator::api;

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  const bool known_place = location.type >= cudaMemLocationTypeDevice &&
                           location.type <= cudaMemLocationTypeHostNumaCurrent;
  if (flags != 0 || !known_place) return report(cudaErrorInvalidValue);
  return device_call([&] {
    if (location.type == cudaMemLocationTypeDevice && !is_device(location.id)) {
      return cudaErrorInvalidDevice;
    }
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = refuse_if_captured(stream); error != cudaSuccess) return error;
    return change_hints(pointer, bytes, [&](Hints& hints) { hints.prefetched = location; });
  });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  // Whether data is mostly read has nothing to do with a place, so there `location` may be
  // anything.
  const bool about_a_place = advice >= cudaMemAdviseSetPreferredLocation;
  const bool known_place = location.type >= cudaMemLocationTypeDevice &&
                           location.type <= cudaMemLocationTypeHostNumaCurrent &&
                           (location.type != cudaMemLocationTypeDevice || is_device(location.id));
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
      (about_a_place && !known_place && advice != cudaMemAdviseUnsetPreferredLocation)) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] {
    return change_hints(pointer, bytes, [&](Hints& hints) { take(advice, location, hints); });
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                     cudaMemRangeAttribute attribute, const void* pointer,
                                     std::size_t bytes) {
  return cudaMemRangeGetAttributes(&data, &data_bytes, &attribute, 1, pointer, bytes);
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                      const void* pointer, std::size_t bytes) {
  if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] {
    const std::optional<Range> range = pages_of(pointer, bytes);
    if (!range) return cudaErrorInvalidValue;
    const Hints hints = common_hints(*range);
    for (std::size_t k = 0; k < count; ++k) {
      const cudaError_t error =
          answer(static_cast<int*>(data[k]), data_bytes[k], attributes[k], hints);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}
