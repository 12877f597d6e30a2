/// \file
/// Launches: the checks that CUDA makes, and the spreading of blocks over host threads.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/host_api.h"
#include "engine.hpp"
#include "host_state.hpp"
#include "records.hpp"

namespace emulator {
namespace detail {
namespace {

// Limits of every current GPU: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability".
cudaError_t check(const Configuration& configuration) {
  const dim3 grid = configuration.grid;
  const dim3 block = configuration.block;
  const auto within = [](unsigned value, unsigned limit) { return value >= 1 && value <= limit; };
  if (!within(grid.x, 0x7FFFFFFFU) || !within(grid.y, 65535) || !within(grid.z, 65535)) {
    return cudaErrorInvalidConfiguration;
  }
  if (!within(block.x, 1024) || !within(block.y, 1024) || !within(block.z, 64) ||
      block.x * block.y * block.z > 1024) {
    return cudaErrorInvalidConfiguration;
  }
  if (configuration.shared_bytes > dynamic_shared_limit_of_any_kernel())
    return cudaErrorInvalidValue;
  return cudaSuccess;
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
  if (const cudaError_t error = check(configuration); error != cudaSuccess) {
    set_error(error);
    return error;
  }
  install_fault_handler();

  Grid grid;
  grid.kernel = kernel;
  grid.configuration = configuration;
  grid.body = body;
  grid.record = must_record();
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
