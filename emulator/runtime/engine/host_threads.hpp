#pragma once
/// \file
/// The host threads that blocks run on when several run at once.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::engine {

struct Grid;

/// CUDA threads that may be alive at once, each of which has a stack: as many as a device of 16
/// multiprocessors holds.
inline constexpr std::uint64_t most_threads_alive = 32768;

/// Host threads that help the launching one. They sleep between launches.
class HostThreads {
 public:
  HostThreads() = default;
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  /// Makes sure that at least that many of them exist; false if the system gives no more.
  bool grow(std::size_t count);

  /// Lets one more help with this grid, which runs, until its end; false if it may not be.
  bool add_one(Grid& grid);

  /// Runs the grid on all of them and on the caller.
  void run(Grid& grid);

 private:
  void serve(std::uint64_t served);
  void work_on(Grid& grid);

  std::mutex launching_;  // one launch at a time
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  std::vector<std::thread> added_;  // until the running launch ends
  Grid* grid_ = nullptr;
  std::uint64_t launch_ = 0;
  std::size_t busy_ = 0;
  bool stop_ = false;
};

}  // namespace emulator::engine
