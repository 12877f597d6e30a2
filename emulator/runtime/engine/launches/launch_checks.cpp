#include "engine/launches/launch_checks.hpp"

#include <setjmp.h>

#include <algorithm>
#include <string>

#include "base/details.hpp"
#include "base/extents.hpp"
#include "base/host_state.hpp"
#include "base/occupancy.hpp"
#include "base/words.hpp"
#include "emulator/host/host_api.h"
#include "engine/engine.hpp"
#include "events/launch_events.hpp"
#include "events/witnessed.hpp"

namespace emulator::engine {
namespace {

LaunchRefusal too_many(const std::string& what, unsigned limit, const std::string& remedy) {
  return {cudaErrorInvalidConfiguration, what + ": " + std::to_string(limit) + " at most", remedy};
}

// What an H200 says to clusters that do not fit the grid or are too large, or of which the kernel
// says something else: always the same.
LaunchRefusal wrong_cluster(const std::string& reason, const std::string& remedy) {
  return {cudaErrorInvalidClusterSize, reason, remedy};
}

// A launch that waits for the kernel's first statement.
constinit thread_local jmp_buf* asking = nullptr;
constinit thread_local unsigned answer = 0;

// Runs the kernel as far as its declare_bound(), and no further.
unsigned ask_kernel(const ThreadBody& body) {
  jmp_buf here;
  if (_setjmp(here) == 0) {
    asking = &here;
    body.call(body.object);
  }
  asking = nullptr;
  return answer;
}

}  // namespace

// That the error is cudaErrorInvalidValue was seen in others' reports of cuLaunchKernel().
LaunchRefusal check_bounds(const ThreadBody& body, const Configuration& configuration) {
  unsigned bound = threads_per_block;
  if (body.function != nullptr) {
    bound = static_cast<unsigned>(largest_block(body.function));
  } else if (body.is_bounded && !events::is_witnessed) {
    // A witness lets nobody jump out of a kernel. Under one, declare_bound() looks in each thread.
    bound = ask_kernel(body);
  }
  const unsigned threads = volume(configuration.block);
  if (threads <= bound) return {};
  return {cudaErrorInvalidValue,
          "a block of " + std::to_string(threads) +
              " threads: the kernel's __launch_bounds__ allow " + std::to_string(bound),
          "launch smaller blocks and more of them, or raise the bound"};
}

LaunchRefusal check_clusters(const Configuration& configuration, const void* function) {
  const dim3& size = configuration.cluster;
  const dim3& grid = configuration.grid;
  if (size.x == 0 && size.y == 0 && size.z == 0) return {};
  const std::string cluster = "a cluster of " + triple(size) + " blocks";
  if (size.x == 0 || size.y == 0 || size.z == 0) {
    return wrong_cluster(cluster + " has none", "use at least one block in each direction");
  }
  if (grid.x % size.x != 0 || grid.y % size.y != 0 || grid.z % size.z != 0) {
    return wrong_cluster(
        "a grid of " + triple(grid) + " blocks cannot be divided into clusters of " + triple(size),
        "make the grid a multiple of the cluster in each direction");
  }
  const std::uint64_t blocks = std::uint64_t{size.x} * size.y * size.z;
  if (blocks > largest_cluster) {
    return wrong_cluster(cluster + " has " + std::to_string(blocks) + ": 16 at most",
                         "use smaller clusters");
  }
  if (blocks > largest_cluster_of(function)) {
    return wrong_cluster(
        cluster + " has " + std::to_string(blocks) + ", more than the 8 that every GPU can have",
        "use smaller clusters, or ask for it before the launch: cudaFuncSetAttribute(kernel, "
        "cudaFuncAttributeNonPortableClusterSizeAllowed, 1)");
  }
  return {};
}

// Limits of every current GPU: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability".
LaunchRefusal check_sizes(const char* kernel, const Configuration& configuration) {
  const dim3 grid = configuration.grid;
  const dim3 block = configuration.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return {
        cudaErrorInvalidConfiguration, "a grid of " + triple(grid) + " has no blocks",
        "round up: (elements + threads - 1) / threads blocks; and if there are no elements, launch "
        "nothing"};
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return {cudaErrorInvalidConfiguration, "a block of " + triple(block) + " has no threads",
            "use at least one thread in each direction"};
  }
  const auto blocks = [&](unsigned count, const char* direction) {
    return "a grid of " + triple(grid) + " blocks has " + std::to_string(count) + direction;
  };
  if (grid.x > 0x7FFFFFFFU) {
    return too_many(blocks(grid.x, " in x"), 0x7FFFFFFFU, "let each thread do more, in a loop");
  }
  if (grid.y > 65535 || grid.z > 65535) {
    return too_many(grid.y > 65535 ? blocks(grid.y, " in y") : blocks(grid.z, " in z"), 65535,
                    "swap the directions: 2147483647 are allowed in x");
  }
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (block.x > 1024 || block.y > 1024 || (block.z <= 64 && threads > 1024)) {
    const bool flat = block.y == 1 && block.z == 1;
    return too_many("a block of " + (flat ? "" : triple(block) + " has ") +
                        std::to_string(threads) + " threads",
                    1024, "launch smaller blocks and more of them");
  }
  if (block.z > 64) {
    return too_many(
        "a block of " + triple(block) + " threads has " + std::to_string(block.z) + " in z", 64,
        "swap the directions: 1024 are allowed in x");
  }
  const std::size_t limit = dynamic_shared_limit_of_any_kernel();
  if (configuration.shared_bytes > limit) {
    const std::string bytes = std::to_string(configuration.shared_bytes);
    return {cudaErrorInvalidValue,
            bytes + " bytes of dynamic shared memory: " + std::to_string(limit) + " at most",
            configuration.shared_bytes <= shared_bytes_per_block_optin
                ? "ask for more before the launch: cudaFuncSetAttribute(" + std::string(kernel) +
                      ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + bytes + ")"
                : "use less: no kernel can have more than " +
                      std::to_string(shared_bytes_per_block_optin)};
  }
  return {};
}

std::uint64_t blocks_of(const Configuration& configuration) {
  const dim3 size = configuration.grid;
  return std::uint64_t{size.x} * size.y * size.z;
}

LaunchRefusal check_cooperative(const void* function, const Configuration& configuration) {
  const std::uint64_t blocks = blocks_of(configuration);
  const unsigned cluster = std::max(1U, volume(configuration.cluster));
  const unsigned threads = volume(configuration.block);
  int resident = 0;
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &resident, function, static_cast<int>(threads), configuration.shared_bytes, 0);
  if (error != cudaSuccess) return {error, "no such kernel", "launch a kernel of the program"};
  const auto most = static_cast<std::uint64_t>(clusters_at_once(resident, cluster)) * cluster;
  if (blocks <= most) return {};
  const std::string in_clusters =
      cluster == 1 ? "" : " in clusters of " + triple(configuration.cluster);
  const std::string query = cluster == 1
                                ? "the number of multiprocessors times what "
                                  "cudaOccupancyMaxActiveBlocksPerMultiprocessor() gives"
                                : "as many clusters as cudaOccupancyMaxActiveClusters() gives";
  return {cudaErrorCooperativeLaunchTooLarge,
          "a cooperative launch of " + std::to_string(blocks) + " blocks of " +
              std::to_string(threads) + " threads" + in_clusters + ": the device can hold " +
              std::to_string(most) + " of them at once",
          "launch at most " + query +
              ", or give the emulator more multiprocessors: EMULATOR_MULTIPROCESSORS=" +
              (resident > 0 ? std::to_string((blocks - 1) / static_cast<unsigned>(resident) + 1)
                            : std::string("..."))};
}

}  // namespace emulator::engine

// What kernels call.
namespace emulator::detail {

using engine::Worker;
using namespace base;

void declare_bound(unsigned threads) {
  using engine::current_lane;
  if (engine::asking != nullptr) {
    engine::answer = threads;
    _longjmp(*engine::asking, 1);
  }
  // A kernel of which the launch could not ask, as one that a local variable points to.
  if (current_lane == nullptr) return;
  Worker& worker = *current_lane->worker;
  if (volume(worker.grid().configuration.block) <= threads) return;
  worker.fail(cudaErrorInvalidValue, "more threads in a block than __launch_bounds__ allow");
}

}  // namespace emulator::detail

namespace emulator::engine {

cudaError_t report_refusal(const char* kernel, const void* function, const LaunchRefusal& refusal) {
  set_error(refusal.error);
  if (details_wanted()) launch_refused(kernel, function, refusal.reason, refusal.remedy);
  return refusal.error;
}

}  // namespace emulator::engine
