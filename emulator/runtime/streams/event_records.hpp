#pragma once
/// \file
/// Records of events, for the code that puts them into the queue.

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "streams/work_queue.hpp"

namespace emulator::streams {

/// The event has been recorded by that piece of work, or, without one, just now.
void note_record(cudaEvent_t event, Ticket record);

/// The piece of work that recorded the event last; 0 if nothing has to be waited for.
Ticket record_of(cudaEvent_t event);

}  // namespace emulator::streams
