/// \file
/// cuTENSOR's log.

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <mutex>

#include "libraries/cutensor/call.hpp"

namespace emulator::cutensor {
namespace {

struct Log {
  std::mutex mutex;
  int mask = 0;
  bool is_disabled = false;
  cutensorLoggerCallback_t callback = nullptr;
  std::FILE* file = nullptr;
  bool opened_file = false;

  static Log& get() {
    static auto& log = *new Log;
    return log;
  }
  // The file that cutensorLoggerOpenFile() has opened is closed with it.
  void set_file(std::FILE* next, bool opened) {
    const std::lock_guard lock(mutex);
    if (opened_file) std::fclose(file);
    file = next;
    opened_file = opened;
  }
};

}  // namespace

void log_tensor_call(LogBit bit, const char* function, const std::string& message) {
  Log& log = Log::get();
  cutensorLoggerCallback_t callback = nullptr;
  {
    const std::lock_guard lock(log.mutex);
    if (log.is_disabled || (log.mask & static_cast<int>(bit)) == 0) return;
    const char* kind = bit == LogBit::error ? "Error" : "Api";
    if (log.callback != nullptr) {
      callback = log.callback;
    }
    if (log.file != nullptr || callback == nullptr) {
      std::FILE* file = log.file == nullptr ? stdout : log.file;
      const std::time_t now = std::time(nullptr);
      std::tm parts{};
      localtime_r(&now, &parts);
      char date[32];
      std::strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &parts);
      std::fprintf(file, "[%s][cuTENSOR][%d][%s][%s] %s\n", date, static_cast<int>(getpid()), kind,
                   function, message.c_str());
      std::fflush(file);
    }
  }
  // Not under the lock: it may call the library.
  if (callback != nullptr) callback(bit == LogBit::error ? 1 : 5, function, message.c_str());
}

}  // namespace emulator::cutensor

using emulator::cutensor::Log;

cutensorStatus_t cutensorLoggerSetCallback(cutensorLoggerCallback_t callback) {
  const std::lock_guard lock(Log::get().mutex);
  Log::get().callback = callback;
  return CUTENSOR_STATUS_SUCCESS;
}

cutensorStatus_t cutensorLoggerSetFile(std::FILE* file) {
  Log::get().set_file(file, false);
  return CUTENSOR_STATUS_SUCCESS;
}

cutensorStatus_t cutensorLoggerOpenFile(const char* path) {
  if (path == nullptr) return cutensorLoggerSetFile(nullptr);
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return CUTENSOR_STATUS_INVALID_VALUE;
  Log::get().set_file(file, true);
  return CUTENSOR_STATUS_SUCCESS;
}

cutensorStatus_t cutensorLoggerSetLevel(std::int32_t level) {
  if (level < 0) return CUTENSOR_STATUS_INVALID_VALUE;
  return cutensorLoggerSetMask((1 << std::min(level, 5)) - 1);
}

cutensorStatus_t cutensorLoggerSetMask(std::int32_t mask) {
  const std::lock_guard lock(Log::get().mutex);
  Log::get().mask = mask;
  return CUTENSOR_STATUS_SUCCESS;
}

cutensorStatus_t cutensorLoggerForceDisable() {
  const std::lock_guard lock(Log::get().mutex);
  Log::get().is_disabled = true;
  return CUTENSOR_STATUS_SUCCESS;
}
