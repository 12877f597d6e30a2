#pragma once
/// \file
/// How host threads wait for each other, as far as the checks of order can see it.
///
/// The functions of the C library, of OpenMP and of the C++ runtime by which they do so are
/// replaced by ones that call them and take note. A thread whose beginning was not seen counts as
/// one with the first: then there is nothing to be found between the two.

#include <cstdint>

#include "base/rooms.hpp"
#include "observers/ordering/order_checks.hpp"

namespace emulator::ordering {

/// The calling thread is that one from now on; and there is one more.
void become_host_thread(Agent& agent);
void note_another_host_thread();

/// From now on all host threads count as one.
void stop_telling_host_threads_apart();

/// What a function needs of those that OpenMP has for it: what the threads of a team begin with,
/// and what they leave. (openmp.cpp)
struct Team;
Team* begin_team();
void enter_team(Team* team);
void leave_team(Team* team);
void end_team(Team* team);

/// The C library's function, or the library's, that one here replaces.
void* replaced_function(const char* name, const char* version = nullptr);

}  // namespace emulator::ordering
