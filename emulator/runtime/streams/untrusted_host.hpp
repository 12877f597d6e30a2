#pragma once
/// \file
/// Rules for a process that runs kernels for another one which does not trust it: the device's
/// memory is for kernels, and the host's code of this process has no way to the data that kernels
/// work on.

#include <cstddef>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/traffic.h"

namespace emulator::streams {

/// The rules hold from now on: `__device__` variables are out of the host's sight, and copies to
/// the host go nowhere but to the arrays that allow_copies_to() names.
void distrust_host();

/// Names an array of the host's that may be copied to. For one call: forget_copies() ends it.
void allow_copies_to(const void* array, std::size_t bytes);
void forget_copies();

/// Until forget_copies() the host's code may look at the data: by copies to other arrays than
/// these, and by reading memory that is guarded. The first time, `action` is called. A caller that
/// allows it does nothing with what was seen, or calls refuse_look().
void allow_looks(void (*action)());
bool has_looked();

/// violation() says from now on that the host's code should not have looked.
void refuse_look();

/// Whether a copy of device memory to `to` may be. If not, violation() says so from now on.
/// \param now whether it is done now: if it is a look, that has happened then
bool may_copy_to_host(const void* to, std::size_t bytes, bool now = true);

/// How much memory that host and device share may be there at once: pinned, managed. 0 until this
/// is called: where both sides reach it, a loop of the host's can pass for a kernel.
void share_at_most(std::size_t bytes);

/// Whether such memory may be allocated, `live` bytes of which are there already. If not,
/// violation() says so from now on.
bool may_share(std::size_t bytes, std::size_t live);

/// Whether the rules hold.
bool is_host_distrusted();

/// What a function of the API did between arrays of the device while the rules hold: kernels are to
/// do the work, and what copies move is traffic like theirs.
struct DeviceCall {
  std::string name;  ///< "cudaMemcpy2D", whether or not it was ...Async
  Traffic traffic;   ///< of all calls of it
};

/// Notes a row of bytes that is read from `from` and written to `to`; either may be null.
void note_device_call(const char* name, const void* to, const void* from, std::size_t bytes);

/// What was noted since the last time.
std::vector<DeviceCall> take_device_calls();

/// What was tried against the rules, in a sentence; empty if nothing was.
std::string violation();

}  // namespace emulator::streams
