#pragma once
/// \file
/// Kernels that a kernel launches: dynamic parallelism.

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"

namespace emulator::engine {

/// What the threads of a grid have launched. All of it begins once the grid's own threads have
/// ended. No kernel can wait for one that it has launched, so that is an order that CUDA allows;
/// and always the same one: block after block, and within a block in the order of the launches,
/// each with all that it launches itself. What goes to cudaStreamTailLaunch comes last.
class ChildLaunches {
 public:
  /// As deep as grids may be nested, the host's counted: CUDA C++ Programming Guide, "Dynamic
  /// Parallelism".
  static constexpr unsigned deepest = 24;

  ChildLaunches();

  /// Whether a grid launched now would be nested too deeply.
  bool are_too_deep() const { return depth_ >= deepest; }

  /// Whether a kernel may launch into that stream: the default ones, CUDA's two for kernels, and
  /// those that this grid has made.
  bool has_stream(cudaStream_t stream);

  void add(std::uint64_t block, KernelTask task);

  cudaStream_t create_stream();
  /// False if there is no such stream.
  bool destroy_stream(cudaStream_t stream);

  /// Each thread of the grid has a last error of its own.
  void set_error(std::uint64_t block, unsigned thread, cudaError_t error);
  cudaError_t last_error(std::uint64_t block, unsigned thread, bool take);

  /// Runs them, until one fails.
  void perform();

 private:
  struct Child {
    std::uint64_t block;
    KernelTask task;
  };

  static void perform(std::vector<Child>& children);

  const unsigned depth_;  // of the grid: 1 for one of the host's
  std::mutex mutex_;      // host threads run blocks side by side
  std::vector<Child> children_;
  std::vector<Child> last_;
  std::set<cudaStream_t> streams_;
  std::map<std::pair<std::uint64_t, unsigned>, cudaError_t> errors_;
};

/// For cudaGetLastError() and cudaPeekAtLastError() in a kernel.
cudaError_t last_error_in_kernel(bool take);

/// For cudaStreamCreateWithFlags() and cudaStreamDestroy() in a kernel.
cudaError_t create_stream_in_kernel(cudaStream_t* stream, unsigned flags);
cudaError_t destroy_stream_in_kernel(cudaStream_t stream);

}  // namespace emulator::engine
