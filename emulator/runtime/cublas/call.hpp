#pragma once
/// \file
/// A call of the emulator's cuBLAS: the checks that come before any work, in the order in which the
/// functions make them. The first thing that stands against the work decides what is returned, is
/// told on stderr, and makes the checks that follow do nothing.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>

#include "cublas/regions.hpp"
#include "cublas/state.hpp"
#include "libraries/device_work.hpp"

namespace emulator::detail {

/// A type of elements in messages.
template <class T>
constexpr const char* plural() {
  if constexpr (std::is_pointer_v<T>) return "pointers";
  if constexpr (std::is_same_v<T, float>) return "floats";
  if constexpr (std::is_same_v<T, double>) return "doubles";
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

  bool goes_on() const { return status_ == CUBLAS_STATUS_SUCCESS; }
  cublasStatus_t status() const { return status_; }
  /// What the handle remembers. Only for a call that goes on.
  const CublasContext& context() const { return *context_; }

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

  /// Whether the work can begin: these pointers are none of them null, and the device is free.
  bool starts(std::initializer_list<Pointer> pointers);

  /// Reads a factor from where the handle's pointer mode says that it is.
  template <class T>
  T factor(const char* name, const T* pointer) {
    T value{};
    if (reaches_numbers(name, pointer, 1, sizeof(T), plural<T>(), false)) {
      __builtin_memcpy(&value, pointer, sizeof(T));
    }
    return value;
  }
  /// Numbers that are read and written where factors are: results, and the parameters of rotations.
  template <class T>
  bool results(const char* name, T* pointer, std::uint64_t count = 1) {
    return reaches_numbers(name, pointer, count, sizeof(T), plural<T>(), true);
  }
  template <class T>
  bool parameters(const char* name, const T* pointer, std::uint64_t count) {
    return reaches_numbers(name, pointer, count, sizeof(T), plural<T>(), false);
  }

  /// The work reads a region. It has to lie in one allocation; if it does not, the device fails as
  /// from a kernel's illegal access. While the checks are on, that nobody has written it is a
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
  template <class Region>
  bool reaches(const std::string& name, const Region& region) {
    using Element = std::remove_cv_t<std::remove_pointer_t<decltype(region.data)>>;
    return reaches(name, region.data, region.extent(), sizeof(Element), plural<Element>());
  }
  bool reaches(const std::string& name, const void* lowest, std::uint64_t count, std::size_t bytes,
               const char* elements);
  bool reaches_numbers(const char* name, const void* pointer, std::uint64_t count,
                       std::size_t bytes, const char* elements, bool is_result);

  const char* function_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  std::optional<CublasContext> context_;
  DeviceWork work_;
};

inline bool is_transposed(cublasOperation_t operation) {
  return operation != CUBLAS_OP_N;
}

}  // namespace emulator::detail
