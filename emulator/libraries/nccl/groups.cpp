/// \file
/// Groups of calls, and their way into the streams: a rank's part of a group is one piece of work
/// in each of its streams, which waits there until the other ranks have come.

#include <algorithm>
#include <functional>

#include "base/arena.hpp"
#include "base/details.hpp"
#include "base/devices/device_turns.hpp"
#include "base/devices/devices.hpp"
#include "base/watchdog.hpp"
#include "events/host_accesses.hpp"
#include "events/unwritten_bytes.hpp"
#include "graphs/capture.hpp"
#include "libraries/common/device_work.hpp"
#include "libraries/nccl/communicator.hpp"
#include "streams/handles.hpp"
#include "streams/order.hpp"
#include "streams/work_queue.hpp"

namespace emulator::nccl {
namespace {

// What a rank does in one stream.
struct Work {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  int device = 0;
  cudaStream_t stream = nullptr;
  std::vector<Operation> operations{};
};

struct Collected {
  ncclComm_t comm;
  Operation operation;
  cudaStream_t stream;
};
thread_local unsigned groups = 0;  // one in the other
thread_local std::vector<Collected> collected;

// ---------------------------------------------------------------- in the stream

// False if a buffer is not memory that the device can use.
bool is_usable(const Work& work, const Operation& operation, const char* name, const void* memory,
               std::size_t count) {
  if (count == 0) return true;
  std::string fault = fault_of_elements(memory, count, bytes_of(operation.type), "elements");
  if (fault.empty()) {
    const auto found = lookup(memory);
    if (!found || can_use(work.device, *found)) return true;
    fault = " is device " + std::to_string(found->device) + "'s memory: illegal address";
    set_sticky_error(cudaErrorIllegalAddress);
  }
  report_ranks(std::string(operation.function) + " of rank " + std::to_string(work.rank) + ": " +
                   name + fault,
               "give each rank buffers of its own device, of that many elements, until its stream "
               "has come past the operation");
  return false;
}

bool begin(const Work& work, const Operation& operation) {
  const int ranks = work.clique->ranks();
  const std::size_t bytes = bytes_of(operation.type);
  const std::size_t sent = operation.sent(work.rank, ranks);
  if (!is_usable(work, operation, "its send buffer", operation.send, sent) ||
      !is_usable(work, operation, "its receive buffer", operation.receive,
                 operation.received(work.rank, ranks))) {
    return false;
  }
  if (!details_wanted() || sent == 0) return true;
  announce_read(operation.send, sent * bytes);
  UnwrittenBytes unwritten;
  unwritten.add(operation.send, sent * bytes);
  unwritten.report(std::string(operation.function) + " reads as its send buffer ");
  return true;
}

void end(const Work& work, const Operation& operation) {
  const std::size_t count = operation.received(work.rank, work.clique->ranks());
  if (details_wanted() && count > 0) {
    announce_write(operation.receive, count * bytes_of(operation.type));
  }
}

// Whoever goes on knows of all that the others have done before.
void note_order(const Clique& clique, HostAccess access) {
  const int* const word = clique.order_word();
  if (word == nullptr || !order_checks_on) return;
  host_accesses(reinterpret_cast<std::uintptr_t>(word), sizeof(*word), access, true, nullptr);
}

const Part* first_awaited(const std::vector<Part>& parts) {
  const auto found = std::ranges::find(parts, false, &Part::is_done);
  return found == parts.end() ? nullptr : &*found;
}

void report_wait(const Clique& clique, const Part& part) {
  report_ranks(std::string(part.operation->function) + " of rank " + std::to_string(part.rank) +
                   " waits forever for " + clique.awaited_by(part),
               "have all ranks call the same operations in the same order, and one host thread "
               "its ranks' between ncclGroupStart() and ncclGroupEnd()");
}

// The turn is this work's. Others have it while they are waited for.
void meet_others(Clique& clique, std::vector<Part>& parts) {
  SharedTurn turn;
  clique.arrive(parts);
  const double patience = base::watchdog_delay();
  for (bool got_on = true; clique.error() == ncclSuccess; got_on = false) {
    const Part* const awaited = first_awaited(parts);
    if (awaited == nullptr) break;
    const bool is_in_vain = patience > 0 && TurnQueue::get().quiet_for().count() > patience;
    if (is_in_vain || !turn.can_give_way()) {
      report_wait(clique, *awaited);
      clique.fail(ncclInternalError);
      break;
    }
    turn.give_way(got_on);
  }
  clique.leave(parts);
}

void perform(const Work& work) {
  const OnDevice here(work.device);
  const DeviceWindow window;
  Clique& clique = *work.clique;
  std::vector<Part> parts;
  for (const Operation& operation : work.operations) {
    if (clique.error() == ncclSuccess && !begin(work, operation)) {
      clique.fail(ncclUnhandledCudaError);
    }
    parts.push_back({&operation, work.rank});
  }
  note_order(clique, HostAccess::write);
  meet_others(clique, parts);
  note_order(clique, HostAccess::read);
  for (const Part& part : parts) {
    if (part.is_done) end(work, *part.operation);
  }
  if (first_awaited(parts) != nullptr && clique.error() != ncclInProgress) {
    set_sticky_error(cudaErrorLaunchFailure);
  }
}

// ---------------------------------------------------------------- issuing

ncclResult_t issue(ncclComm& comm, const Work& work, std::vector<Ticket>& issued) {
  const CallTask task{work.operations.front().function,
                      std::make_shared<std::function<void()>>([work] { perform(work); }),
                      /*waits_for_devices=*/true};
  if (is_straight_through()) {
    (*task.repeat)();
  } else if (is_captured(work.stream)) {
    const cudaError_t error = emulator::graphs::capture(work.stream, cudaGraphNodeTypeKernel, task);
    if (error != cudaSuccess) return refuse(ncclUnhandledCudaError, cudaGetErrorString(error));
  } else {
    issued.push_back(enqueue(in_queue(work.stream), task, comm.last));
  }
  return ncclSuccess;
}

ncclResult_t check_stream_of(const ncclComm& comm, cudaStream_t stream) {
  if (const cudaError_t error = device_state(); error != cudaSuccess) {
    return refuse(ncclUnhandledCudaError, cudaGetErrorString(error));
  }
  if (check_stream(stream) != cudaSuccess) {
    return refuse(ncclUnhandledCudaError, "there is no such stream");
  }
  if (device_of(stream) != comm.device) {
    return refuse(ncclUnhandledCudaError,
                  "the stream is device " + std::to_string(device_of(stream)) +
                      "'s, and the communicator device " + std::to_string(comm.device) + "'s");
  }
  return ncclSuccess;
}

// All that is collected of one rank.
ncclResult_t issue_all_of(ncclComm_t comm, const std::vector<Collected>& calls) {
  const OnDevice here(comm->device);
  std::vector<Work> works;
  for (const Collected& call : calls) {
    if (call.comm != comm) continue;
    if (const ncclResult_t error = check_stream_of(*comm, call.stream)) return error;
    auto work = std::ranges::find(works, call.stream, &Work::stream);
    if (work == works.end()) {
      works.push_back({comm->clique, comm->rank, comm->device, call.stream});
      work = std::prev(works.end());
    }
    work->operations.push_back(call.operation);
  }
  const std::lock_guard lock(comm->mutex);
  std::vector<Ticket> issued;
  ncclResult_t result = ncclSuccess;
  for (const Work& work : works) {
    if (const ncclResult_t error = issue(*comm, work, issued)) result = error;
  }
  if (!issued.empty()) comm->last = issued;
  return result;
}

ncclResult_t issue_all(const std::vector<Collected>& calls) {
  ncclResult_t result = ncclSuccess;
  std::vector<ncclComm_t> seen;
  for (const Collected& call : calls) {
    if (std::ranges::find(seen, call.comm) != seen.end()) continue;
    seen.push_back(call.comm);
    const ncclResult_t error = is_live(call.comm)
                                   ? issue_all_of(call.comm, calls)
                                   : refuse(ncclInvalidArgument, "the communicator is gone");
    if (error != ncclSuccess) result = error;
  }
  return result;
}

void look_for_group(const ncclComm& comm, const Operation& operation) {
  const auto other = comm.clique->note_call_without_group(comm.rank, operation);
  if (!other) return;
  report_ranks(std::string(operation.function) + ": one host thread calls it for rank " +
                   std::to_string(*other) + " and then for rank " + std::to_string(comm.rank) +
                   ", in no group: the first call may wait for the second one forever",
               "put the calls for all ranks of the thread between ncclGroupStart() and "
               "ncclGroupEnd()");
}

}  // namespace

bool is_in_group() {
  return groups > 0;
}

ncclResult_t call(ncclComm_t comm, Operation operation, cudaStream_t stream) {
  if (is_in_group()) {
    comm->clique->note_call_in_group(comm->rank, operation);
    collected.push_back({comm, std::move(operation), stream});
    return ncclSuccess;
  }
  look_for_group(*comm, operation);
  return issue_all({{comm, std::move(operation), stream}});
}

void wait_for_all_of(ncclComm& comm) {
  std::vector<Ticket> last;
  {
    const std::lock_guard lock(comm.mutex);
    last = comm.last;
  }
  for (const Ticket ticket : last) wait_for(ticket);
}

}  // namespace emulator::nccl

using namespace emulator::nccl;

ncclResult_t ncclGroupStart() {
  ++groups;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (groups == 0) return refuse(ncclInvalidUsage, "ncclGroupEnd() without ncclGroupStart()");
  if (--groups > 0) return ncclSuccess;
  return issue_all(std::exchange(collected, {}));
}
