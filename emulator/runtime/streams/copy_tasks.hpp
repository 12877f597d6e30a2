#pragma once
/// \file
/// Copies and sets: whether they may be made, and making them.

#include <cstddef>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"

namespace emulator::streams {

/// Whether all of the memory is there, and where it has to be; if not, what is wrong is
/// announced.
bool are_usable(const CopyTask& copy);
bool is_usable(const SetTask& set);

/// cudaSuccess if the copy may be made: all of the memory is there, and where the host is not
/// trusted, it does not read what it may not.
/// \param now whether it is made now, and not later on
cudaError_t check_copy(const CopyTask& copy, bool now);

/// The box of that extent at a position in a pitched allocation. False if it does not fit there:
/// rows end with their pitch, and slices with the rows of one, unless there is only one.
bool place_box(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent,
               Box& box);

/// Copies and sets at once, without a look at the memory.
void copy_now(const CopyTask& copy);
void set_now(const SetTask& set);

}  // namespace emulator::streams
