#pragma once
/// \file
/// A call of the emulator's cuBLAS: the checks that come before any work, in the order in which the
/// functions make them. The first thing that stands against the work decides what is returned, is
/// said on stderr, and makes the checks that follow do nothing.

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>

#include "libraries/common/captured_call.hpp"
#include "libraries/common/device_work.hpp"
#include "libraries/common/elements.hpp"
#include "libraries/common/numbers.hpp"
#include "libraries/common/regions.hpp"
#include "libraries/cublas/logger.hpp"
#include "libraries/cublas/state.hpp"

namespace emulator::cublas {

/// A type of elements in messages.
template <class T>
constexpr const char* plural() {
  if constexpr (std::is_pointer_v<T>) return "pointers";
  if constexpr (std::is_same_v<T, float>) return "floats";
  if constexpr (std::is_same_v<T, double>) return "doubles";
  if constexpr (std::is_same_v<T, std::complex<float>>) return "complex floats";
  if constexpr (std::is_same_v<T, std::complex<double>>) return "complex doubles";
  if constexpr (std::is_same_v<T, std::int8_t>) return "bytes";
  if constexpr (std::is_same_v<T, ComplexInt8>) return "pairs of bytes";
  if constexpr (std::is_same_v<T, std::int32_t>) return "ints";
  if constexpr (std::is_same_v<T, std::int64_t>) return "8-byte ints";
  return "2-byte numbers";
}

class Call {
 public:
  struct Pointer {
    const char* name;
    const void* value;
  };

  /// \param function its name, without what tells the form with sizes of 64 bits
  Call(const char* function, cublasHandle_t handle);
  /// Writes the call's line to the log.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// For functions that have these as arguments: in place of what the handle remembers.
  void use(cudaStream_t stream, cublasPointerMode_t mode) {
    context_->stream = stream;
    context_->pointer_mode = mode;
    host_mode_ = "the description's mode is CUBLASLT_POINTER_MODE_HOST";
  }

  bool ok() const { return status_ == CUBLAS_STATUS_SUCCESS && !is_over_; }
  cublasStatus_t status() const { return status_; }
  /// What the handle remembers. Only for a call that goes on.
  const CublasContext& context() const { return *context_; }

  /// An argument for the log, of which nothing is checked.
  void note(const char* name, const std::string& value);
  void note(const char* name, std::int64_t value) { note(name, std::to_string(value)); }

  // Arguments, which if they make no sense are CUBLAS_STATUS_INVALID_VALUE.
  void at_least(const char* name, std::int64_t value, std::int64_t least);
  void size(const char* name, std::int64_t value) { at_least(name, value, 0); }
  void leading_dimension(const char* name, std::int64_t value, std::int64_t rows) {
    at_least(name, value, std::max<std::int64_t>(rows, 1));
  }
  void increment(const char* name, std::int64_t value);
  void operation(const char* name, cublasOperation_t value);
  void fill_mode(const char* name, cublasFillMode_t value);
  void side(const char* name, cublasSideMode_t value);
  void diagonal(const char* name, cublasDiagType_t value);
  void not_null(std::initializer_list<Pointer> pointers);
  /// Refuses the call for a reason of its own.
  void refuse(cublasStatus_t status, const std::string& reason);

  /// Whether the work can begin: none of these pointers is null, and the device is free.
  bool starts(std::initializer_list<Pointer> pointers);

  /// Reads a factor from where the handle's pointer mode says that it is.
  template <class T>
  T factor(const char* name, const T* pointer) {
    T value{};
    if (is_noting() && context_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return value;
    if (repeats_ && context_->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
      return CapturedCall::here()->kept(pointer);
    }
    if (reaches_numbers(name, pointer, 1, sizeof(T), plural<T>(), false)) {
      __builtin_memcpy(&value, pointer, sizeof(T));
      if (is_noting()) CapturedCall::here()->keep(pointer);
    }
    return value;
  }
  /// A number that is written on the host, whatever the pointer mode.
  void writes_on_host(const char* name, const int* pointer);
  /// A number that is written where factors are. One for the host is copied there: that it points
  /// to device memory a GPU does not mind.
  template <class T>
  bool result(const char* name, T* pointer) {
    if (is_noting() && !notes_numbers()) return false;
    return reaches_numbers(name, pointer, 1, sizeof(T), plural<T>(), true, true);
  }
  /// Numbers that are read and written where factors are: the parameters of rotations.
  template <class T>
  bool results(const char* name, T* pointer, std::uint64_t count = 1) {
    if (is_noting() && !notes_numbers()) return false;
    return reaches_numbers(name, pointer, count, sizeof(T), plural<T>(), true);
  }
  template <class T>
  bool parameters(const char* name, const T* pointer, std::uint64_t count) {
    if (is_noting() && !notes_numbers()) return false;
    return reaches_numbers(name, pointer, count, sizeof(T), plural<T>(), false);
  }

  /// The work reads a region. It has to be in one allocation; if it does not, the device fails as
  /// from a kernel's illegal access. While the checks are on, that nothing has written it is a
  /// finding.
  template <class Region>
  void reads(const std::string& name, const Region& region) {
    if (reaches(name, region)) work_.reads(name, region);
  }

  /// The work writes all of a region, after it has read it or not.
  template <class Region>
  void writes(const std::string& name, const Region& region, bool after_reading = false) {
    if (after_reading) reads(name, region);
    if (reaches(name, region)) work_.writes(region);
  }

 private:
  // Whether the call is to become a node: it ends where it would come to the device's memory.
  bool is_noting() const { return is_noting_; }
  // For numbers of several bytes, or that are written: false, as they end the call, or refuse it.
  bool notes_numbers();

  template <class Region>
  bool reaches(const std::string& name, const Region& region) {
    using Element = std::remove_cv_t<std::remove_pointer_t<decltype(region.data)>>;
    return reaches(name, region.data, region.extent(), sizeof(Element), plural<Element>());
  }
  bool reaches(const std::string& name, const void* lowest, std::uint64_t count, std::size_t bytes,
               const char* elements);
  bool reaches_numbers(const char* name, const void* pointer, std::uint64_t count,
                       std::size_t bytes, const char* elements, bool is_result,
                       bool is_copied = false);

  const char* function_;
  bool is_logged_ = log_is_on(function_);
  std::string arguments_;
  const char* host_mode_ = "the handle's mode is CUBLAS_POINTER_MODE_HOST";
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  std::optional<CublasContext> context_;
  bool repeats_ = false;
  bool is_noting_ = false;
  bool is_over_ = false;
  DeviceWork work_;
};

inline bool is_transposed(cublasOperation_t operation) {
  return operation != CUBLAS_OP_N;
}
inline bool is_conjugated(cublasOperation_t operation) {
  return operation == CUBLAS_OP_C;
}

}  // namespace emulator::cublas
