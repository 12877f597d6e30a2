#include "observers/checks/kernels/memory_check.hpp"

#include <algorithm>
#include <cstdint>

namespace emulator::checks {

void MemoryCheck::check(const Request& request, CodeSite& site) {
  const unsigned bytes = Access::bytes_of(request.what);
  std::uint64_t lowest = request.address[0];
  std::uint64_t highest = lowest;
  std::uint64_t bits = lowest;
  for (unsigned i = 1; i < request.active; ++i) {
    lowest = std::min(lowest, request.address[i]);
    highest = std::max(highest, request.address[i]);
    bits |= request.address[i];
  }
  const unsigned flags = Access::flags_of(request.what);
  const AccessKind kind = Access::kind_of(request.what);
  const bool is_atomic = (flags & access_flags::is_atomic) != 0;
  Slot slot = site.access(order_.current_segment(), 0);
  slot.is_atomic = is_atomic ? 1 : 0;
  slot.is_volatile = (flags & access_flags::is_volatile) != 0 ? 1 : 0;
  if (slot.is_atomic != 0 || slot.is_volatile != 0) order_.note_strong(request);

  site.set_bytes_at_once(Access::is_atomic_operation(request.what) ? 0 : bytes);
  site.note_addresses(request, running_);
  Region* const region = site.extent().region;
  const bool inside = site.extent().holds(lowest, highest + bytes);
  const bool is_simple = inside && !is_atomic && bytes >= 4 && (bits & (bytes - 1)) == 0 &&
                         !region->has_narrow && region->begin() % 16 == 0;
  const bool is_shared = is_shared_kind(kind);
  if (is_shared && running_.is_of_cluster()) clusters_.check(request, site);
  const bool writes = writes_memory(kind);
  const QuickRaceCheck quick = races_.quick_check(region, bytes, is_shared);
  for (unsigned i = 0; i < request.active; ++i) {
    slot.lane = request.lane[i] & 31U;
    if (is_simple && (writes ? quick.passes_store(request.address[i], request.stored[i], slot)
                             : quick.passes_load(request.address[i], slot))) {
      continue;
    }
    if (!inside && !bounds_.check(request, site, i)) continue;
    races_.check(request, *site.extent().region, i, slot);
  }
}

}  // namespace emulator::checks
