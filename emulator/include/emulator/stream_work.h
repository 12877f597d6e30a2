#pragma once
#pragma GCC system_header
/// \file
/// What a program has put into streams, what orders it, and what it did with graphs: for programs
/// that ask which work could run at the same time.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

/// A piece of work in a stream, and what it waits for.
struct StreamWork {
  enum class Kind : std::uint8_t {
    kernel,
    copy_to_device,  ///< from the host
    copy_to_host,
    other,  ///< other copies, settings, host functions, libraries' calls
    mark    ///< takes no time: an event is recorded, or waited for
  };

  /// What makes it wait.
  enum class Why : std::uint8_t {
    same_stream,
    default_stream,  ///< one of both is in the legacy default stream
    event,           ///< or an edge of a graph
    host             ///< the host had waited for the other one before it issued this one
  };
  struct Wait {
    std::size_t work;  ///< by its place in the list: always an earlier one
    Why why;
  };

  Kind kind = Kind::other;
  std::string name;         ///< of a kernel; else what is done: `host to device`
  std::uint64_t bytes = 0;  ///< that a copy moves
  int line = 0;             ///< of the program, where it was issued; 0 if that is not known
  std::vector<Wait> after;  ///< all that it waits for, but not what these wait for in turn
};

/// Turns the list on or off for what comes; on begins a new one. To be called while no other thread
/// uses streams. Meanwhile a program's work waits in its streams as EMULATOR_ORDER says.
void note_stream_work(bool on);

/// Whether it is on.
bool notes_stream_work();

/// All that was put into streams since it was turned on, in that order.
std::vector<StreamWork> stream_work();

/// How often a program did what with graphs. Calls that failed do not count.
struct GraphCalls {
  std::uint64_t captures = 0;        ///< that ended
  std::uint64_t instantiations = 0;  ///< graphs made ready to be launched
  std::uint64_t updates = 0;         ///< of such a graph, or of a node of it
  std::uint64_t launches = 0;
  std::uint64_t kernels = 0;  ///< launched by these
  std::uint64_t destroyed_graphs = 0;
  std::uint64_t destroyed_executables = 0;  ///< instantiated graphs
};

/// Since the start, or since that was last forgotten.
GraphCalls graph_calls();
void clear_graph_calls();

}  // namespace emulator
