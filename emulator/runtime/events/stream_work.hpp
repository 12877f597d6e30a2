#pragma once
/// \file
/// What stream_work.h describes, from the code that does it.

#include "base/rooms.hpp"
#include "emulator/stream_work.h"

namespace emulator::events {

/// A program has done something with graphs: adds it to what it did before.
void note_graph_calls(const GraphCalls& more);

/// Work that was put into streams elsewhere: the list goes on with it.
void add_stream_work(std::vector<StreamWork> more);

}  // namespace emulator::events
