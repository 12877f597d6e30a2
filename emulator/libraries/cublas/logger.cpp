/// \file
/// Where the lines of cuBLAS's log go.

#include "libraries/cublas/logger.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "cublasLt.h"

namespace emulator::cublas {
namespace {

class Logger {
 public:
  static Logger& get() {
    static auto& logger = *new Logger;  // never destroyed, for static objects' destructors
    return logger;
  }

  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }

  cublasStatus_t configure(bool is_on, bool to_stdout, bool to_stderr, const char* file_name) {
    const std::lock_guard lock(mutex_);
    if (!open(file_name)) return CUBLAS_STATUS_INVALID_VALUE;
    to_stdout_ = to_stdout;
    to_stderr_ = to_stderr;
    is_on_ = is_on;
    return CUBLAS_STATUS_SUCCESS;
  }

  void set_callback(cublasLogCallback wanted) {
    const std::lock_guard lock(mutex_);
    callback_ = wanted;
    if (wanted != nullptr) is_on_ = true;
  }

  cublasLogCallback callback() {
    const std::lock_guard lock(mutex_);
    return callback_;
  }

  void write(const std::string& line) {
    cublasLogCallback told = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (!is_on_) return;
      if (to_stdout_) put(stdout, line);
      if (to_stderr_) put(stderr, line);
      if (file_ != nullptr) put(file_, line);
      told = callback_;
    }
    // Without the lock: the program's function may ask the library for something.
    if (told != nullptr) told(line.c_str());
  }

 private:
  Logger() {
    const char* const wanted = std::getenv("CUBLAS_LOGINFO_DBG");
    if (wanted == nullptr || std::string_view(wanted) != "1") return;
    const char* const where = std::getenv("CUBLAS_LOGDEST_DBG");
    const std::string_view place = where == nullptr ? "" : where;
    to_stdout_ = place == "stdout";
    to_stderr_ = place == "stderr";
    if (!to_stdout_ && !to_stderr_ && !place.empty()) open(where);
    is_on_ = true;
  }

  // In place of the file that was open; without a name, none is.
  bool open(const char* file_name) {
    std::FILE* file = nullptr;
    if (file_name != nullptr && *file_name != '\0') {
      file = std::fopen(file_name, "w");
      if (file == nullptr) {
        std::fprintf(stderr, "emulator: cannot write cuBLAS's log to %s\n", file_name);
        return false;
      }
    }
    if (file_ != nullptr) std::fclose(file_);
    file_ = file;
    return true;
  }

  // At once, so that the line is there even if the next call crashes.
  static void put(std::FILE* file, const std::string& line) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fflush(file);
  }

  std::mutex mutex_;
  std::atomic<bool> is_on_ = false;
  bool to_stdout_ = false;
  bool to_stderr_ = false;
  std::FILE* file_ = nullptr;
  cublasLogCallback callback_ = nullptr;
};

// cuBLASLt's own log.
class LtLogger {
 public:
  static LtLogger& get() {
    static auto& logger = *new LtLogger;
    return logger;
  }

  bool is_on() const { return mask_.load(std::memory_order_relaxed) != 0; }

  void set_mask(int mask) {
    const std::lock_guard lock(mutex_);
    if (!is_disabled_) mask_ = mask;
  }
  void disable() {
    const std::lock_guard lock(mutex_);
    is_disabled_ = true;
    mask_ = 0;
  }
  void set_file(std::FILE* file) {
    const std::lock_guard lock(mutex_);
    file_ = file;
  }
  bool open(const char* file_name) {
    std::FILE* const file = file_name == nullptr ? nullptr : std::fopen(file_name, "w");
    if (file == nullptr) return false;
    set_file(file);
    return true;
  }
  void set_callback(cublasLtLoggerCallback_t wanted) {
    const std::lock_guard lock(mutex_);
    callback_ = wanted;
  }

  void write(const char* function, const std::string& arguments, cublasStatus_t status) {
    const bool failed = status != CUBLAS_STATUS_SUCCESS;
    const int level = failed ? errors : calls;
    cublasLtLoggerCallback_t told = nullptr;
    const std::string message =
        arguments + (arguments.empty() ? "" : ": ") + cublasGetStatusName(status);
    {
      const std::lock_guard lock(mutex_);
      if ((mask_ & (failed ? errors_mask | calls_mask : calls_mask)) == 0) return;
      std::FILE* const file = file_ == nullptr ? stdout : file_;
      std::fprintf(file, "[cublasLt][%s][%s] %s\n", failed ? "Error" : "Api", function,
                   message.c_str());
      std::fflush(file);
      told = callback_;
    }
    if (told != nullptr) told(level, function, message.c_str());
  }

  // The levels of cublasLtLoggerSetLevel() that come up here, and their bits in the mask.
  static constexpr int errors = 1;
  static constexpr int calls = 5;
  static constexpr int errors_mask = 1;
  static constexpr int calls_mask = 16;
  // A level has all that is below it.
  static int mask_of(int level) { return level <= 0 ? 0 : (1 << level) - 1; }

 private:
  LtLogger() {
    if (const char* const level = std::getenv("CUBLASLT_LOG_LEVEL")) {
      mask_ = mask_of(std::atoi(level));
    }
    if (const char* const file = std::getenv("CUBLASLT_LOG_FILE")) open(file);
  }

  std::mutex mutex_;
  std::atomic<int> mask_ = 0;
  bool is_disabled_ = false;
  std::FILE* file_ = nullptr;
  cublasLtLoggerCallback_t callback_ = nullptr;
};

bool is_of_lt(const char* function) {
  return std::string_view(function).starts_with("cublasLt");
}

}  // namespace

bool log_is_on(const char* function) {
  return is_of_lt(function) ? LtLogger::get().is_on() : Logger::get().is_on();
}

void log_call(const char* function, const std::string& arguments, cublasStatus_t status) {
  if (!log_is_on(function)) return;
  if (is_of_lt(function)) return LtLogger::get().write(function, arguments, status);
  // Begins like the library's own, which goes on over several lines: types, addresses, the time.
  Logger::get().write("I! cuBLAS (v" + std::to_string(CUBLAS_VER_MAJOR) + "." +
                      std::to_string(CUBLAS_VER_MINOR) + ") function " + function + "(" +
                      arguments + ") called: " + cublasGetStatusName(status));
}

}  // namespace emulator::cublas

using emulator::cublas::Logger;
using emulator::cublas::LtLogger;

cublasStatus_t cublasLoggerConfigure(int log_is_on, int log_to_stdout, int log_to_stderr,
                                     const char* file_name) {
  return Logger::get().configure(log_is_on != 0, log_to_stdout != 0, log_to_stderr != 0, file_name);
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  Logger::get().set_callback(callback);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = Logger::get().callback();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
  LtLogger::get().set_callback(callback);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetFile(std::FILE* file) {
  LtLogger::get().set_file(file);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerOpenFile(const char* file_name) {
  return LtLogger::get().open(file_name) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtLoggerSetLevel(int level) {
  if (level < 0 || level > LtLogger::calls) return CUBLAS_STATUS_INVALID_VALUE;
  LtLogger::get().set_mask(LtLogger::mask_of(level));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetMask(int mask) {
  LtLogger::get().set_mask(mask);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerForceDisable() {
  LtLogger::get().disable();
  return CUBLAS_STATUS_SUCCESS;
}
