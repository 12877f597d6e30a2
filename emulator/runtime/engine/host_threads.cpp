#include "engine/host_threads.hpp"

#include <system_error>
#include <utility>

#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/launches/cooperative_grid.hpp"

namespace emulator::engine {

HostThreads::~HostThreads() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool HostThreads::grow(std::size_t count) {
  const std::lock_guard launching(launching_);
  try {
    threads_.reserve(count);
    while (threads_.size() < count) {
      threads_.emplace_back([this, served = launch_] { serve(served); });
    }
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void HostThreads::run(Grid& grid) {
  const std::lock_guard launching(launching_);
  {
    const std::lock_guard lock(mutex_);
    grid_ = &grid;
    ++launch_;
    busy_ = threads_.size();
  }
  wake_.notify_all();
  this_worker().run(grid);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  std::vector<std::thread> added = std::exchange(added_, {});
  lock.unlock();
  for (std::thread& thread : added) thread.join();
}

void HostThreads::serve(std::uint64_t served) {
  for (;;) {
    Grid* grid = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || launch_ != served; });
      if (stop_) return;
      served = launch_;
      grid = grid_;
    }
    work_on(*grid);
  }
}

void HostThreads::work_on(Grid& grid) {
  install_fault_handler();
  this_worker().run(grid);
  const std::lock_guard lock(mutex_);
  if (--busy_ == 0) done_.notify_one();
}

bool HostThreads::add_one(Grid& grid) {
  const dim3 block = grid.configuration.block;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const std::lock_guard lock(mutex_);
  if ((threads_.size() + added_.size() + 2) * threads > most_threads_alive) return false;
  try {
    ++busy_;
    added_.emplace_back([this, &grid] { work_on(grid); });
  } catch (const std::system_error&) {
    --busy_;
    return false;
  }
  return true;
}

}  // namespace emulator::engine
