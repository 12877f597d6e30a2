#include "streams/launch_threads.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/devices/device_turns.hpp"
#include "events/host_accesses.hpp"

namespace emulator::streams {
namespace {

struct Launch {
  std::function<void()> run;
  std::shared_ptr<Aside> aside;
};

// Never destroyed: a kernel that waits for ever keeps its thread.
class LaunchThreads {
 public:
  static LaunchThreads& get() {
    static auto& threads = *new LaunchThreads;
    return threads;
  }

  void add(Launch launch) {
    const std::lock_guard lock(mutex_);
    launches_.push_back(std::move(launch));
    if (idle_ >= launches_.size()) {
      wake_.notify_one();
      return;
    }
    begins_own_thread = true;
    std::thread([this] { serve(); }).detach();
    begins_own_thread = false;
  }

 private:
  void serve() {
    for (;;) {
      Launch launch = next();
      const RunsAside aside(*launch.aside);
      launch.run();
    }
  }

  Launch next() {
    std::unique_lock lock(mutex_);
    ++idle_;
    wake_.wait(lock, [this] { return !launches_.empty(); });
    --idle_;
    Launch launch = std::move(launches_.back());
    launches_.pop_back();
    return launch;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Launch> launches_;  // that no thread has taken yet
  std::size_t idle_ = 0;
};

}  // namespace

void run_aside(std::function<void()> run) {
  const auto aside = std::make_shared<Aside>();
  TurnQueue::get().begins(*aside);
  LaunchThreads::get().add({std::move(run), aside});
  TurnQueue::get().wait_for(*aside);
}

}  // namespace emulator::streams
