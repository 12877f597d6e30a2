/// \file
/// The checks on and off, and what they do to a program's end and its exit status.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/details.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/findings.h"
#include "engine/engine.hpp"
#include "events/findings.hpp"
#include "events/program_events.hpp"
#include "observers/checks/found.hpp"
#include "observers/checks/host_findings.hpp"
#include "observers/checks/unchecked_errors.hpp"
#include "observers/ordering/order_checks.hpp"
#include "observers/timeline/timeline.hpp"
#include "program/recorded_launches.hpp"
#include "streams/work_queue.hpp"

namespace emulator {
namespace program {
namespace {

[[noreturn]] void end_with_status_3() {
  end_sarif(3);
  flush_program_output();
  std::fflush(nullptr);
  _exit(3);
}

bool has_any_failed() {
  for (int device = 0; device < device_count(); ++device) {
    const OnDevice there(device);
    if (sticky_error() != cudaSuccess) return true;
  }
  return false;
}

void at_exit(int status, void*) {
  tidy_up_queue();
  write_timeline();
  if (details_wanted()) find_unchecked_errors();
  // A program that gives up half-way need not tidy up, and after a kernel has failed nothing can be
  // freed.
  if (details_wanted() && status == 0 && !has_any_failed()) find_leaks();
  if (print_summary()) end_with_status_3();
  end_sarif(status);
}

// Registered before all others, so that it runs after them: the destructors of the program's static
// objects may still free memory.
__attribute__((constructor(101))) void register_at_exit() {
  on_exit(at_exit, nullptr);
}

}  // namespace

}  // namespace program

namespace events {

using namespace program;

void host_distrusted() {
  end_order_checks();
}

void end_with_findings() {
  print_summary();
  end_with_status_3();
}

}  // namespace events

void set_checking(bool on) {
  program::want_details(on);
  if (on) {
    program::install_fault_handler();
    program::begin_order_checks();
  } else {
    program::end_order_checks();
    program::leave_device_memory_open();
  }
}

bool checking() {
  return program::details_wanted();
}

std::vector<Finding> findings() {
  program::settle();
  return program::findings_so_far();
}

void clear_findings() {
  program::settle();
  program::forget_findings();
}

}  // namespace emulator
