/// \file
/// Launches: the checks that CUDA makes, and the spreading of blocks over host threads.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/host_api.h"
#include "engine.hpp"
#include "finding_text.hpp"
#include "findings.hpp"
#include "host_findings.hpp"
#include "host_state.hpp"
#include "records.hpp"

namespace emulator {
namespace detail {
namespace {

// What is wrong with a configuration.
struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string reason;
  std::string remedy;
};

Refusal too_many(const std::string& what, unsigned limit, const std::string& remedy) {
  return {cudaErrorInvalidConfiguration, what + ": " + std::to_string(limit) + " at most", remedy};
}

// Limits of every current GPU: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability".
Refusal check(const char* kernel, const Configuration& configuration) {
  const dim3 grid = configuration.grid;
  const dim3 block = configuration.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return {
        cudaErrorInvalidConfiguration, "a grid of " + triple(grid) + " has no blocks",
        "round up: (work + threads - 1) / threads blocks, where work is how many elements want a "
        "thread; launch nothing if none does"};
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

unsigned host_threads() {
  if (const char* const text = std::getenv("EMULATOR_THREADS")) {
    const int value = std::atoi(text);
    if (value >= 1 && value <= 1024) return static_cast<unsigned>(value);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

// Host threads that help the launching one. They sleep between launches.
class Helpers {
 public:
  explicit Helpers(unsigned count) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Helpers() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Runs the grid on all helpers and on the caller.
  void run(Grid& grid) {
    {
      const std::lock_guard lock(mutex_);
      grid_ = &grid;
      ++launch_;
      busy_ = threads_.size();
    }
    wake_.notify_all();
    SiteCounters unused;
    this_worker().run(grid, unused);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void serve() {
    std::uint64_t served = 0;
    for (;;) {
      Grid* grid = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || launch_ != served; });
        if (stop_) return;
        served = launch_;
        grid = grid_;
      }
      install_fault_handler();
      SiteCounters unused;
      this_worker().run(*grid, unused);
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  Grid* grid_ = nullptr;
  std::uint64_t launch_ = 0;
  std::size_t busy_ = 0;
  bool stop_ = false;
};

}  // namespace

cudaError_t launch(const char* kernel, const Configuration& configuration, ThreadBody body) {
  if (const cudaError_t state = device_state(); state != cudaSuccess) return report(state);
  if (current_lane != nullptr) {
    current_lane->worker->fail(cudaErrorNotSupported, "a kernel launches a kernel: not modelled");
  }
  if (const Refusal refusal = check(kernel, configuration); refusal.error != cudaSuccess) {
    set_error(refusal.error);
    if (checks_on()) find_invalid_launch(kernel, refusal.reason, refusal.remedy);
    return refusal.error;
  }
  install_fault_handler();

  const DeviceWindow window;
  Grid grid;
  grid.kernel = kernel;
  grid.configuration = configuration;
  grid.body = body;
  grid.record = must_record();
  grid.check = checks_on();
  grid.blocks = std::uint64_t{configuration.grid.x} * configuration.grid.y * configuration.grid.z;

  const auto start = std::chrono::steady_clock::now();
  SiteCounters counters;
  static const unsigned threads = host_threads();
  if (grid.record || grid.blocks == 1 || threads == 1) {
    this_worker().run(grid, counters);
  } else {
    static Helpers helpers(threads - 1);
    helpers.run(grid);
  }
  const cudaError_t error = grid.error.load();
  if (grid.record) {
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    LaunchRecord record;
    record.kernel = kernel;
    record.grid = configuration.grid;
    record.block = configuration.block;
    record.milliseconds = elapsed.count();
    if (error != cudaSuccess) record.error = cudaGetErrorName(error);
    add_record(std::move(record), std::move(counters).finish());
  }
  if (error != cudaSuccess) set_sticky_error(error);
  // As on a GPU, the launch itself went well: the next call that waits for it tells.
  return cudaSuccess;
}

}  // namespace detail
}  // namespace emulator
