/// \file
/// Counting of copies, as a program asks for it: emulator/host_copies.h.

#include "emulator/host_copies.h"

#include "observers/timeline/host_copies.hpp"
#include "streams/work_queue.hpp"

void emulator::count_host_copies(bool on) {
  program::wait_for_all();
  program::watch_host_copies(on);
}
