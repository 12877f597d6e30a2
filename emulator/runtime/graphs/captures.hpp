#pragma once
/// \file
/// The captures that are under way.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/rooms.hpp"
#include "graphs/capture.hpp"
#include "graphs/graph.hpp"
#include "streams/work_queue.hpp"

namespace emulator::graphs {

/// A stream in a capture.
struct CapturedStream {
  Blocks blocks = Blocks::blocking;
  std::vector<cudaGraphNode_t> after{};    ///< what its next node waits for
  std::vector<cudaGraphEdgeData> edges{};  ///< as many, for calls that ask
};

struct Capture {
  unsigned long long id;
  std::uint64_t origin;  ///< the stream in which it began
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  std::shared_ptr<Graph> graph;
  bool owns_graph;
  bool is_valid = true;
  std::map<std::uint64_t, CapturedStream> streams{};

  /// Whether a stream that joined has nodes that do not lead back to the first stream.
  bool has_unjoined_work() const;
};

/// To use the members, hold the mutex of Graphs.
class Captures {
 public:
  static Captures& get();

  std::list<Capture> under_way;

  /// The capture that the stream is in, or null.
  Capture* of(const StreamInQueue& stream);
  Capture* of(unsigned long long id);
  /// Whether the legacy default stream would wait for a captured one.
  bool holds_up_legacy() const;

  Capture& begin(const StreamInQueue& stream, cudaStreamCaptureMode mode,
                 std::shared_ptr<Graph> graph, bool owns_graph);
  void end(Capture& capture);

 private:
  unsigned long long last_id_ = 0;
};

/// What this thread has asked for with cudaThreadExchangeStreamCaptureMode().
cudaStreamCaptureMode& capture_mode_of_this_thread();

}  // namespace emulator::graphs
