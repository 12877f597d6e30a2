#include "base/copy_waits.hpp"

#include "base/arena.hpp"

namespace emulator::base {
namespace {

bool is_hosts(Side side) {
  return side == Side::pageable || side == Side::pinned;
}

}  // namespace

Side side_of(const void* pointer) {
  const auto memory = lookup(pointer);
  if (!memory) return Side::pageable;
  switch (memory->kind) {
    case MemoryKind::pinned:
    case MemoryKind::registered:
      return Side::pinned;
    case MemoryKind::managed:
      return Side::managed;
    case MemoryKind::device:
    case MemoryKind::symbol:
      break;
  }
  return Side::device;
}

CopyWaits waits_of_copy(Side to, Side from, Form form) {
  CopyWaits waits;
  // From the host's memory to the host's, or to memory that has to be staged on the way: nobody can
  // go on before. From pageable memory the bytes are taken, and may be on their way for long.
  waits.until_done = to == Side::pageable || (is_hosts(to) && is_hosts(from));
  waits.stages_source = from == Side::pageable && !waits.until_done;
  if (form == Form::plain) {
    waits.for_the_stream_first = waits.stages_source;
    // Within the device the plain form does not wait either.
    const bool within_device = to == Side::device && from == Side::device;
    waits.until_done = waits.until_done || !(within_device || waits.stages_source);
  }
  return waits;
}

bool set_waits(Side side, Form form) {
  return form == Form::plain && side != Side::device;
}

}  // namespace emulator::base
