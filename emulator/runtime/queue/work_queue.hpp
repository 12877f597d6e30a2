#pragma once
/// \file
/// Work that waits in streams, and what each piece of it has to wait for. Used only while
/// !runs_at_once().
///
/// A piece waits for the one before it in its stream, for one more if it is told to (an event), and
/// by the rules of the legacy default stream: its work waits for all that was issued to blocking
/// streams before, and theirs for its. Nothing waits for what was issued later, so that the order
/// of issue is always a legal one.

#include <cstdint>
#include <functional>

#include "emulator/host_types.h"

namespace emulator::detail {

/// A piece of work, by its number in the order of issue. 0 is none, and counts as done.
using Ticket = std::uint64_t;

/// \param self its own number
using Work = std::function<void(Ticket self)>;

/// When a piece is run that comes to its turn.
enum class Runs {
  unless_failed,  ///< not once a kernel has failed
  always,
  also_at_exit  ///< and even if the program ends without having waited for it
};

/// How a stream stands to the legacy default stream.
enum class Blocks { is_legacy, blocking, non_blocking };

/// A stream as the queue sees it. Its number is never that of another one, even when it is gone.
struct StreamInQueue {
  std::uint64_t number;
  Blocks blocks;
};

/// The stream behind a live handle (streams.cpp).
StreamInQueue in_queue(cudaStream_t stream);

/// Puts work at the end of a stream.
/// \param after waits for that, too
Ticket enqueue(cudaStream_t stream, Work work, Ticket after = 0, Runs runs = Runs::unless_failed);

bool is_done(Ticket ticket);

/// Runs the piece of work, and whatever has to come before.
void wait_for(Ticket ticket);
/// The same for all that is in a stream; and for all that is in any.
void wait_for_stream(cudaStream_t stream);
void wait_for_all();
/// Runs what work that is issued to the stream now would have to wait for.
void catch_up(cudaStream_t stream);

/// Whether the work is done, for the functions that ask. If it is not, some of it is run, so that
/// who asks again and again gets an end.
bool ask_whether_done(Ticket ticket);
bool ask_whether_done(cudaStream_t stream);

/// The program ends: of the work that nobody has waited for, only what tidies up is done.
void tidy_up_queue();

}  // namespace emulator::detail
