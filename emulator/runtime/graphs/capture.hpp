#pragma once
/// \file
/// Streams whose work becomes nodes of graphs, and what may not be done in the meantime.
///
/// While anything is captured nothing goes straight through (streams/order.hpp): so code that
/// puts work into streams asks only then whether it has to go into a graph instead.

#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/host/graph_types.h"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"
#include "streams/capture_mode.hpp"
#include "streams/order.hpp"

namespace emulator::graphs {

struct Work;

/// Whether work for the stream is not for the queue: the stream is being captured, or it is the
/// legacy default stream, and a stream that waits for it is being captured, which is an error.
bool is_captured(cudaStream_t stream);

/// Makes work for such a stream a node. The error, if there is one, invalidates the capture.
cudaError_t capture(cudaStream_t stream, Work work);
cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, Task task,
                    cudaEvent_t event = nullptr);
cudaError_t capture_launch(KernelTask task);
cudaError_t capture_allocation(cudaStream_t stream, void*& pointer, std::size_t bytes,
                               const char* function);
cudaError_t capture_free(cudaStream_t stream, void* pointer);

/// What an event stands for that was recorded in a capture.
struct CapturedRecord {
  unsigned long long capture;
  std::vector<cudaGraphNode_t> after;
};
cudaError_t capture_record(cudaStream_t stream, std::shared_ptr<const CapturedRecord>& record);
/// \param record of the event, or null: then `external` has to be true
cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event, const CapturedRecord* record,
                         bool external);

/// Each returns cudaSuccess, or invalidates captures and returns the error. For what cannot be
/// captured in a stream:
cudaError_t refuse_captured(cudaStream_t stream);
inline cudaError_t refuse_if_captured(cudaStream_t stream) {
  return is_straight_through() ? cudaSuccess : refuse_captured(stream);
}
/// For the call of a library, which does its work at once: says that capturing it is not modelled.
cudaError_t refuse_captured_call(cudaStream_t stream, const char* function);
/// For what the host asks of an event of a capture, which stands for nodes as long as that goes on,
/// and then for nothing:
cudaError_t refuse_captured_event(const CapturedRecord& record);
/// For what waits for the whole device:
cudaError_t refuse_while_anything_is_captured();

/// The stream is destroyed: if a capture began there, nobody can end it any more. Nodes of a stream
/// that has only joined stay in the graph.
void drop_capture_begun_in(cudaStream_t stream);

/// Ends all captures without their graphs.
void reset_captures();

}  // namespace emulator::graphs
