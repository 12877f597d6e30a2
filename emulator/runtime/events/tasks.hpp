#pragma once
/// \file
/// What a program can put into a stream, and what is announced of it: a structure for each kind of
/// work, which says what is to be done. perform() does it, and belongs to the room that is named.
/// Graphs are made of the same tasks.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "emulator/host/launch.h"

namespace emulator::graphs {
struct Branch;
class Condition;
}  // namespace emulator::graphs

namespace emulator::detail {

/// A launch that CUDA has not refused (engine/launch.cpp).
struct KernelTask {
  const char* name;
  Configuration configuration;
  ThreadBody body;
  const void* cooperative;              ///< the kernel's address, or null
  std::shared_ptr<const void> keeps{};  ///< what the body points to, unless that is the caller's

  cudaError_t perform() const;
  cudaError_t perform_now() const;
  cudaError_t perform_in_clusters(const dim3& declared) const;
  /// Makes copies of the arguments, or takes others of the same types. False if some cannot be
  /// copied.
  bool keep_arguments(const void* const* others = nullptr);
  /// In copies of the arguments, puts numbers in the place of their tokens
  /// (events/opaque_numbers.hpp).
  void reveal_arguments();
  /// For whom it concerns how much a program launches.
  void tell_witness() const;
};

}  // namespace emulator::detail

namespace emulator::events {

using detail::KernelTask;

/// Where a side of a copy has to be. A device pointer on the side that the kind calls the host's
/// works on a GPU with unified addressing (as every current one) whenever the other side is the
/// device's, and so it does here.
enum class Where { host, device, anywhere };

struct Sides {
  Where destination;
  Where source;
};

/// A box of rows and slices, somewhere after a pointer; sizes and distances in bytes.
struct Box {
  unsigned char* origin;  ///< what the caller passed
  std::size_t offset;     ///< of the box from there
  std::size_t pitch;      ///< from row to row
  std::size_t slice;      ///< from slice to slice

  unsigned char* row(std::size_t y, std::size_t z) const {
    return origin + offset + z * slice + y * pitch;
  }
};

/// Checks a launch, and keeps it with its arguments, or with others of the same types.
cudaError_t keep_launch(const char* kernel, const Configuration& configuration, ThreadBody body,
                        const void* cooperative, KernelTask& task,
                        const void* const* other_arguments = nullptr);

/// A copy (api/copies.cpp).
struct CopyTask {
  const char* call;  ///< the function's name without Async; null if nobody observes it
  Box to;
  Box from;
  cudaExtent extent;
  Sides sides;
  std::shared_ptr<std::vector<unsigned char>> staged{};  ///< the source's bytes, taken in the call
  int variables_of = 0;  ///< if it is one of a variable: the device whose is meant
  /// The function that the program has called, if `call` does not say it.
  const char* symbol_call = nullptr;
  bool is_asynchronous = false;  ///< whether that one's name ends in Async

  void perform() const;
  /// Takes the source's bytes now.
  void stage();
};

/// Setting bytes, or elements of 2 or 4 of them (api/copies.cpp).
struct SetTask {
  const char* call;
  Box box;
  int value;
  cudaExtent extent;
  unsigned element_bytes = 1;
  bool is_asynchronous = false;  ///< as of a copy

  void perform() const;
};

/// A host function, or a callback (api/streams.cpp).
struct HostTask {
  cudaHostFn_t function;  ///< null for a callback
  cudaStreamCallback_t callback;
  cudaStream_t stream;
  void* user_data;

  void perform() const;
};

/// cudaFreeAsync() (api/memory.cpp).
struct FreeTask {
  void* pointer;

  cudaError_t perform() const;
};

/// cudaEventRecord() (api/events.cpp).
struct RecordTask {
  cudaEvent_t event;

  void perform(std::uint64_t self) const;
};

/// Nothing to do but to wait: cudaStreamWaitEvent(), empty nodes of graphs.
struct WaitTask {};

/// A call of a library, whose work is done by the call itself, and not by the queue; or that a
/// graph repeats.
struct CallTask {
  const char* name;
  std::shared_ptr<const std::function<void()>> repeat{};
  bool waits_for_devices = false;  ///< with several it may wait for what others do

  void perform() const {
    if (repeat != nullptr) (*repeat)();
  }
};

/// A graph with conditional nodes begins: their values are the initial ones (graphs/branch.cpp).
struct AssignTask {
  std::shared_ptr<const std::vector<std::shared_ptr<graphs::Condition>>> conditions;

  void perform() const;
};

/// A conditional node of a graph, and the bodies of which it runs one, or none, or one again and
/// again (graphs/branch.cpp).
struct BranchTask {
  std::shared_ptr<const graphs::Branch> branch;
  std::vector<std::uint64_t> lanes{};  ///< of its bodies that are more than one row of nodes

  void perform() const;
};

using Task = std::variant<WaitTask, KernelTask, CopyTask, SetTask, HostTask, FreeTask, RecordTask,
                          CallTask, AssignTask, BranchTask>;

}  // namespace emulator::events
