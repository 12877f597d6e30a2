#pragma once
/// \file
/// The checks of what happens beside each other: host threads and streams that use the same memory,
/// one of them writing, where nothing says which comes first.
///
/// Whether two accesses are ordered does not follow from when they happened to be done, but from
/// what the program asked for: what waits for what. So the findings are the same in every legal
/// order of the streams' work.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "events/host_accesses.hpp"
#include "events/memory_events.hpp"

namespace emulator::ordering {

/// Called when the checks begin and end.
void begin_order_checks();
void end_order_checks();

/// Something that accesses memory: a piece of work, or a host thread.
struct Agent;

/// The piece of work that this thread does, or null.
Agent* piece_of_this_thread();
/// A request to global or constant memory, of a kernel that is that piece of work.
/// \param is_fenced whether what the warp has written so far may be seen by other devices before
/// what it writes now: there has been a fence for the whole system since
void note_request(Agent& kernel, const Request& request, bool is_fenced);

}  // namespace emulator::ordering
