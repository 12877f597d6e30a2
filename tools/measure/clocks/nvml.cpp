#include "clocks/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace course::measure {
namespace {

// The few declarations that we need, after NVIDIA's NVML API reference; its types are an opaque
// pointer and enumerations, which C passes as int.
using Device = struct NvmlDevice*;
using Status = int;
constexpr Status success = 0;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int sensor_gpu = 0;

class Library {
 public:
  Library() : handle_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
    if (handle_ == nullptr) throw std::runtime_error("libnvidia-ml.so.1 cannot be loaded");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { dlclose(handle_); }

  /// Sets `function` to the first of the names that is there.
  template <class Function>
  bool find(Function& function, std::initializer_list<const char*> names) const {
    for (const char* const name : names) {
      function = reinterpret_cast<Function>(dlsym(handle_, name));
      if (function != nullptr) return true;
    }
    return false;
  }

 private:
  void* handle_;
};

template <class... Arguments>
using Function = Status (*)(Arguments...);

/// Calls a function that may be missing or refuse. What it then wrote is not looked at.
template <class Value, class Called, class... Arguments>
std::optional<Value> ask(Called function, Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != success) return std::nullopt;
  return value;
}

}  // namespace

class ClockWatch::Impl {
 public:
  explicit Impl(const std::string& pci_bus_id) {
    Function<> init = nullptr;
    Function<const char*, Device*> find_device = nullptr;
    if (!library_.find(init, {"nvmlInit_v2"}) || !library_.find(shut_down_, {"nvmlShutdown"}) ||
        !library_.find(find_device, {"nvmlDeviceGetHandleByPciBusId_v2"})) {
      throw std::runtime_error("libnvidia-ml.so.1 lacks a function");
    }
    library_.find(clock_, {"nvmlDeviceGetClockInfo"});
    library_.find(max_clock_, {"nvmlDeviceGetMaxClockInfo"});
    library_.find(power_, {"nvmlDeviceGetPowerUsage"});
    library_.find(temperature_, {"nvmlDeviceGetTemperature"});
    // Drivers before 535 know the second name only.
    library_.find(reasons_, {"nvmlDeviceGetCurrentClocksEventReasons",
                             "nvmlDeviceGetCurrentClocksThrottleReasons"});
    library_.find(version_, {"nvmlSystemGetDriverVersion"});
    if (const Status status = init(); status != success) {
      throw std::runtime_error("nvmlInit_v2 gave status " + std::to_string(status));
    }
    if (const Status status = find_device(pci_bus_id.c_str(), &device_); status != success) {
      shut_down_();
      throw std::runtime_error("nvmlDeviceGetHandleByPciBusId_v2 gave status " +
                               std::to_string(status));
    }
    thread_ = std::jthread([this](const std::stop_token& stop) { look_on(stop); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    thread_.request_stop();
    thread_.join();
    shut_down_();
  }

  std::optional<std::string> driver_version() const {
    std::array<char, 96> text{};
    if (version_ == nullptr || version_(text.data(), text.size() - 1) != success) {
      return std::nullopt;
    }
    return text.data();
  }
  std::optional<unsigned> max_sm_mhz() const {
    return ask<unsigned>(max_clock_, device_, clock_sm);
  }

  void begin() {
    const std::lock_guard lock(mutex_);
    samples_.clear();
    ++window_;
    watching_ = true;
    wake_.notify_one();
  }
  ClockSummary end() {
    const std::lock_guard lock(mutex_);
    watching_ = false;
    return summarise_clocks(samples_);
  }

 private:
  ClockSample look() const {
    return {ask<unsigned>(clock_, device_, clock_sm), ask<unsigned>(clock_, device_, clock_memory),
            ask<unsigned>(power_, device_), ask<unsigned>(temperature_, device_, sensor_gpu),
            ask<unsigned long long>(reasons_, device_)};
  }

  void look_on(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    // Asked to stop, wait() still says true while a window is open: an error may end us in one.
    while (wake_.wait(lock, stop, [this] { return watching_; }) && !stop.stop_requested()) {
      const int window = window_;
      lock.unlock();
      const ClockSample sample = look();  // without the lock: the driver may take its time
      lock.lock();
      // A look that began before begin() saw something else.
      if (watching_ && window == window_) samples_.push_back(sample);
      wake_.wait_for(lock, stop, std::chrono::milliseconds(10), [] { return false; });
    }
  }

  Library library_;
  Function<> shut_down_ = nullptr;
  Function<Device, int, unsigned*> clock_ = nullptr;
  Function<Device, int, unsigned*> max_clock_ = nullptr;
  Function<Device, unsigned*> power_ = nullptr;
  Function<Device, int, unsigned*> temperature_ = nullptr;
  Function<Device, unsigned long long*> reasons_ = nullptr;
  Function<char*, unsigned> version_ = nullptr;
  Device device_ = nullptr;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool watching_ = false;
  int window_ = 0;  ///< counts the calls of begin()
  std::vector<ClockSample> samples_;
  std::jthread thread_;  // last: it uses all the others
};

ClockWatch::ClockWatch(const std::string& pci_bus_id) {
  try {
    impl_ = std::make_unique<Impl>(pci_bus_id);
  } catch (const std::exception& error) {
    problem_ = error.what();
  }
}
ClockWatch::~ClockWatch() = default;

std::optional<std::string> ClockWatch::driver_version() const {
  return impl_ ? impl_->driver_version() : std::nullopt;
}
std::optional<unsigned> ClockWatch::max_sm_mhz() const {
  return impl_ ? impl_->max_sm_mhz() : std::nullopt;
}
void ClockWatch::begin() {
  if (impl_) impl_->begin();
}
ClockSummary ClockWatch::end() {
  return impl_ ? impl_->end() : ClockSummary{};
}

}  // namespace course::measure
