#pragma once
/// \file
/// A call of the emulator's cuSOLVER: what stands against it, what it reads and writes, and how it
/// becomes a node of a graph.

#include <algorithm>
#include <complex>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/host_state.hpp"
#include "libraries/common/captured_call.hpp"
#include "libraries/common/device_work.hpp"
#include "libraries/common/regions.hpp"
#include "libraries/cusolver/dense/matrix.hpp"
#include "libraries/cusolver/handles.hpp"

namespace emulator::cusolver {

/// Memory that a call is given to work in.
struct WorkMemory {
  const void* data;
  std::int64_t bytes;
};

/// The first thing that stands against the work decides what is returned, and makes all that
/// follows do nothing. `info_value` is what the library writes of it also in the memory of the
/// device: for the argument number i, which is counted without the handle, that is -i.
class Work {
 public:
  /// \param handle  may be null for a call that has none
  Work(const char* function, const Context* handle, bool has_handle = true)
      : function_(function), work_(function) {
    const CapturedCall* const captured = CapturedCall::here();
    if (captured != nullptr && captured->repeats()) {
      context_ = *static_cast<const Context*>(captured->context());
    } else if (has_handle && !is_live(handle)) {
      refuse(CUSOLVER_STATUS_NOT_INITIALIZED, "the handle is not live");
    } else if (has_handle) {
      context_ = *handle;
    }
  }

  bool ok() const { return status_ == CUSOLVER_STATUS_SUCCESS && !is_over_; }
  cusolverStatus_t status() const { return status_; }
  void refuse(cusolverStatus_t status, const std::string& why, std::optional<int> info_value = {}) {
    if (!ok()) return;
    status_ = status;
    info_value_ = info_value;
    std::fprintf(stderr, "emulator: %s: %s\n", function_, why.c_str());
  }
  void require(bool holds, const std::string& why, std::optional<int> info_value = {}) {
    if (!holds) refuse(CUSOLVER_STATUS_INVALID_VALUE, why, info_value);
  }
  void size(const char* name, std::int64_t value, std::optional<int> info_value = {}) {
    require(value >= 0, std::string(name) + " is negative", info_value);
  }
  void leading_dimension(const char* name, std::int64_t value, std::int64_t rows,
                         std::optional<int> info_value = {}) {
    require(value >= std::max<std::int64_t>(rows, 1),
            std::string(name) + " is " + std::to_string(value) + ", less than the rows, " +
                std::to_string(rows) + ", or than 1",
            info_value);
  }
  void fill_mode(cublasFillMode_t uplo, std::optional<int> info_value = {}) {
    require(uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER,
            "uplo is not a fill mode", info_value);
  }
  void operation(cublasOperation_t trans) {
    require(trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C,
            "trans is not an operation");
  }
  void side(cublasSideMode_t side, std::optional<int> info_value = {}) {
    require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "side is not a side",
            info_value);
  }
  void eigen_mode(cusolverEigMode_t mode) {
    require(mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR,
            "jobz is not a mode");
  }
  void space(const WorkMemory& space, std::int64_t bytes) {
    require(space.bytes >= bytes, "the work has " + std::to_string(space.bytes) + " bytes of " +
                                      std::to_string(bytes) + " that it needs");
  }

  /// Whether the work can begin. What waits for a result on the host cannot be part of a graph.
  bool starts() {
    if (!ok()) return false;
    switch (work_.start(context_.stream)) {
      case DeviceWork::Start::is_captured:
        status_ = CUSOLVER_STATUS_NOT_SUPPORTED;
        break;
      case DeviceWork::Start::is_noted:
        is_over_ = true;
        CapturedCall::here()->keep_context(std::make_shared<Context>(context_));
        break;
      case DeviceWork::Start::cannot_run:
        status_ = CUSOLVER_STATUS_EXECUTION_FAILED;
        break;
      case DeviceWork::Start::began:
        break;
    }
    return ok();
  }
  /// What was refused, to the program's devInfo.
  void tell(int* info) {
    if (!info_value_ || info == nullptr) return;
    const cusolverStatus_t refused = std::exchange(status_, CUSOLVER_STATUS_SUCCESS);
    if (starts()) writes("devInfo", info, 1);
    if (ok()) *info = *info_value_;
    status_ = refused;
  }
  void host_waits() { work_.host_waits(); }
  /// What follows is the program's again: results go to its own memory.
  void end() { work_.end(); }
  /// A pointer to a result on the host.
  void on_host(const char* name, const void* pointer) {
    require(pointer != nullptr, std::string(name) + " is a null pointer");
    require(!is_device_memory(pointer),
            std::string(name) + " points to device memory: a GPU's host would crash");
  }

  template <class T>
  void reads(const std::string& name, const Matrix<T>& a) {
    if (a.rows > 0 && a.columns > 0) touches(name, rectangle(a), true, false);
  }
  template <class T>
  void writes(const std::string& name, const Matrix<T>& a) {
    if (a.rows > 0 && a.columns > 0) touches(name, rectangle(a), false, true);
  }
  template <class T>
  void changes(const std::string& name, const Matrix<T>& a) {
    if (a.rows > 0 && a.columns > 0) touches(name, rectangle(a), true, true);
  }
  template <class T>
  void reads(const std::string& name, const T* data, std::int64_t count) {
    if (count > 0) touches(name, Line<const T>{data, count}, true, false);
  }
  template <class T>
  void writes(const std::string& name, T* data, std::int64_t count) {
    if (count > 0) touches(name, Line<T>{data, count}, false, true);
  }
  /// One triangle.
  template <class T>
  void reads(const std::string& name, const Matrix<T>& a, cublasFillMode_t uplo) {
    if (a.columns > 0) touches(name, triangle(a, uplo), true, false);
  }
  template <class T>
  void changes(const std::string& name, const Matrix<T>& a, cublasFillMode_t uplo) {
    if (a.columns > 0) touches(name, triangle(a, uplo), true, true);
  }
  void uses(const WorkMemory& space, std::int64_t bytes) {
    if (bytes == 0) return;
    const auto* const data = static_cast<const char*>(space.data);
    touches("the work", Line<char>{const_cast<char*>(data), bytes}, false, true);
  }

 private:
  template <class T>
  static Rectangle<T> rectangle(const Matrix<T>& a) {
    return {a.data, a.rows, a.columns, a.ld};
  }
  template <class T>
  static Triangle<T> triangle(const Matrix<T>& a, cublasFillMode_t uplo) {
    return {a.data, a.columns, uplo == CUBLAS_FILL_MODE_UPPER, Storage::full, a.ld, a.columns - 1};
  }
  template <class Region>
  void touches(const std::string& name, const Region& region, bool reads, bool writes) {
    if (!ok()) return;
    const std::string fault =
        fault_of_elements(region.data, region.extent(), sizeof(*region.data), "elements");
    if (!fault.empty()) return refuse(CUSOLVER_STATUS_EXECUTION_FAILED, name + fault);
    if (reads) work_.reads(name, region);
    if (writes) work_.writes(region);
  }

  const char* function_;
  Context context_{};
  cusolverStatus_t status_ = CUSOLVER_STATUS_SUCCESS;
  bool is_over_ = false;
  std::optional<int> info_value_;
  DeviceWork work_;
};

/// Checks, starts, and does the work now. \param info  where refusals are written, if they are
template <class Check, class Body>
cusolverStatus_t call_now(const char* function, const Context* handle, const Check& check,
                          const Body& body, int* info = nullptr) {
  const QuietErrors quiet;
  Work work(function, handle);
  check(work);
  if (work.starts()) {
    try {
      body(work);
    } catch (const std::length_error& error) {
      work.refuse(CUSOLVER_STATUS_NOT_SUPPORTED, error.what());
    }
  } else {
    work.tell(info);
  }
  return work.status();
}
/// The same, or a node that does it. Both functions hold what they need by value.
template <class Check, class Body>
cusolverStatus_t call(const char* function, const Context* handle, Check check, Body body,
                      int* info = nullptr) {
  return capturable(
      CUSOLVER_STATUS_EXECUTION_FAILED,
      [&] { return call_now(function, handle, check, body, info); },
      [&] { return [=] { call_now(function, handle, check, body, info); }; });
}
/// Only checks, and says how large a work is.
template <class Check, class Size>
cusolverStatus_t size_call(const char* function, const Context* handle, const Check& check,
                           Size* size, std::int64_t value) {
  Work work(function, handle);
  check(work);
  work.require(size != nullptr, "the pointer to the size of the work is null");
  if (work.ok()) *size = static_cast<Size>(value);
  return work.status();
}

/// How many elements a work has. None is needed here, but a program that gives less than bufferSize
/// returned has a mistake.
inline std::int64_t work_elements(std::int64_t m, std::int64_t n = 0) {
  return 32 * std::max({m, n, std::int64_t{1}});
}
template <class T>
std::int64_t work_bytes(std::int64_t m, std::int64_t n = 0) {
  return work_elements(m, n) * static_cast<std::int64_t>(sizeof(T));
}
/// What a program gives: elements, or bytes.
template <class T>
WorkMemory space_of(const void* data, std::int64_t elements) {
  return {data, elements * static_cast<std::int64_t>(sizeof(T))};
}
inline WorkMemory bytes_at(const void* data, std::size_t bytes) {
  return {data, static_cast<std::int64_t>(bytes)};
}

/// A program's pointer, with C++'s complex numbers in place of CUDA's.
template <class T>
T* as(const void* pointer) {
  return static_cast<T*>(const_cast<void*>(pointer));
}
template <class T>
Matrix<T> square_at(const void* pointer, std::int64_t n, std::int64_t ld) {
  return {as<T>(pointer), n, n, ld};
}

/// Calls `use` with a 0 of the type. \param refused  what is returned for another type
template <class Use>
cusolverStatus_t with_type(const char* function, const Context* handle, cudaDataType type,
                           cudaDataType compute_type, Use use,
                           cusolverStatus_t refused = CUSOLVER_STATUS_NOT_SUPPORTED) {
  if (type == compute_type) {
    if (type == CUDA_R_32F) return use(float{});
    if (type == CUDA_R_64F) return use(double{});
    if (type == CUDA_C_32F) return use(std::complex<float>{});
    if (type == CUDA_C_64F) return use(std::complex<double>{});
  }
  Work work(function, handle);
  work.refuse(refused, "numbers of this type are not modelled");
  return work.status();
}
inline cudaDataType real_type(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

}  // namespace emulator::cusolver

// The lists of parameters are the header's: not all of them are needed.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-local-typedefs"

/// The functions of one name. The last argument calls what they do, with T for the type that the
/// emulator computes with.
#define CUSOLVER_ONE(name, Parameters, Type, ...) \
  cusolverStatus_t name Parameters {              \
    using T = Type;                               \
    return __VA_ARGS__;                           \
  }
#define CUSOLVER_REAL(name, PARAMETERS, ...)                                    \
  CUSOLVER_ONE(cusolverDnS##name, PARAMETERS(float, float), float, __VA_ARGS__) \
  CUSOLVER_ONE(cusolverDnD##name, PARAMETERS(double, double), double, __VA_ARGS__)
#define CUSOLVER_COMPLEX(name, PARAMETERS, ...)                                                   \
  CUSOLVER_ONE(cusolverDnC##name, PARAMETERS(cuComplex, float), std::complex<float>, __VA_ARGS__) \
  CUSOLVER_ONE(cusolverDnZ##name, PARAMETERS(cuDoubleComplex, double), std::complex<double>,      \
               __VA_ARGS__)
#define CUSOLVER_ALL(name, PARAMETERS, ...)    \
  CUSOLVER_REAL(name, PARAMETERS, __VA_ARGS__) \
  CUSOLVER_COMPLEX(name, PARAMETERS, __VA_ARGS__)
