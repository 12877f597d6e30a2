#pragma once
/// \file
/// For what a call that copies waits before it returns: CUDA Runtime API, "API synchronization
/// behavior".

#include "base/rooms.hpp"

namespace emulator::base {

/// A function, or the one of the same name with Async.
enum class Form { plain, asynchronous };

/// What memory a side of a copy is.
enum class Side {
  pageable,  ///< the host's, which the API does not know
  pinned,    ///< the host's, page-locked by an allocation or by registering it
  managed,
  device
};
Side side_of(const void* pointer);

struct CopyWaits {
  bool for_the_stream_first = false;  ///< nothing is done before all that was issued to it is
  bool stages_source = false;         ///< takes the source's bytes in the call
  bool until_done = false;            ///< returns once all is copied
};

CopyWaits waits_of_copy(Side to, Side from, Form form);

/// Whether a call that sets memory returns only once it is set.
bool set_waits(Side side, Form form);

}  // namespace emulator::base
