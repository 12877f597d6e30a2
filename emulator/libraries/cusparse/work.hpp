#pragma once
/// \file
/// A call of the emulator's cuSPARSE that works on the device's memory: what stands against it, and
/// what it reads and writes.

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>

#include "base/host_state.hpp"
#include "libraries/common/captured_call.hpp"
#include "libraries/common/device_work.hpp"
#include "libraries/cusparse/entries.hpp"

namespace emulator::cusparse {

using namespace libraries;

/// Elements that follow each other, with gaps between runs of them.
template <class T>
struct Strips {
  T* data;
  std::int64_t length;
  std::int64_t count = 1;
  std::int64_t distance = 0;

  std::uint64_t extent() const {
    return count == 0 || length == 0 ? 0
                                     : static_cast<std::uint64_t>((count - 1) * distance + length);
  }
  template <class Use>
  void for_pieces(Use use) const {
    if (length == 0) return;
    for (std::int64_t i = 0; i < count; ++i) use(data + i * distance, length);
  }
};

/// Calls `use` with a 0 of the type of values; false if it is not modelled.
template <class Use>
bool use_type(cudaDataType type, Use use) {
  switch (type) {
    case CUDA_R_32F:
      use(float{});
      return true;
    case CUDA_R_64F:
      use(double{});
      return true;
    case CUDA_C_32F:
      use(std::complex<float>{});
      return true;
    case CUDA_C_64F:
      use(std::complex<double>{});
      return true;
    default:
      return false;
  }
}

/// The first thing that stands against the work decides what is returned, and makes all that
/// follows do nothing.
class Work {
 public:
  Work(const char* function, cusparseHandle_t handle) : function_(function), work_(function) {
    const CapturedCall* const captured = CapturedCall::here();
    repeats_ = captured != nullptr && captured->repeats();
    if (repeats_) {
      context_ = *static_cast<const cusparseContext*>(captured->context());
    } else if (is_live(handle)) {
      context_ = *handle;
    } else {
      refuse(CUSPARSE_STATUS_NOT_INITIALIZED, "the handle is not live");
    }
  }

  bool ok() const { return status_ == CUSPARSE_STATUS_SUCCESS && !is_over_; }
  cusparseStatus_t status() const { return status_; }
  void refuse(cusparseStatus_t status, const std::string& why) {
    if (!ok()) return;
    status_ = status;
    std::fprintf(stderr, "emulator: %s: %s\n", function_, why.c_str());
  }
  void require(bool holds, const std::string& why) {
    if (!holds) refuse(CUSPARSE_STATUS_INVALID_VALUE, why);
  }
  void live(const char* name, const void* descriptor) {
    require(repeats_ || is_live(descriptor), std::string(name) + " is not a live descriptor");
  }
  /// All values of a call, and what is computed, are of one type.
  void same_type(cudaDataType type, cudaDataType other, const char* what) {
    if (ok() && type != other) {
      refuse(CUSPARSE_STATUS_NOT_SUPPORTED, std::string(what) +
                                                " is of another type of values, "
                                                "which the emulator does not mix");
    }
  }

  /// Whether the work can begin.
  bool starts() {
    if (!ok()) return false;
    const auto start = work_.start(context_.stream);
    if (start == DeviceWork::Start::is_captured) status_ = CUSPARSE_STATUS_NOT_SUPPORTED;
    if (start == DeviceWork::Start::is_noted) {
      is_noting_ = true;
      CapturedCall::here()->keep_context(std::make_shared<cusparseContext>(context_));
    }
    if (start == DeviceWork::Start::cannot_run) status_ = CUSPARSE_STATUS_EXECUTION_FAILED;
    return ok();
  }

  /// A factor, from where the pointer mode says that it is.
  template <class T>
  T factor(const char* name, const void* pointer) {
    require(pointer != nullptr, std::string(name) + " is a null pointer");
    if (!ok()) return T{};
    const Strips<const T> region{static_cast<const T*>(pointer), 1};
    if (context_.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
      if (is_noting_) return T{};
      reads(name, region);
    } else if (repeats_) {
      return CapturedCall::here()->kept(region.data);
    } else if (is_device_memory(pointer)) {
      refuse(CUSPARSE_STATUS_INVALID_VALUE,
             std::string(name) +
                 " points to device memory, the handle's mode is "
                 "CUSPARSE_POINTER_MODE_HOST: a GPU's host would crash");
    }
    T value{};
    if (ok()) __builtin_memcpy(static_cast<void*>(&value), pointer, sizeof(T));
    if (ok() && is_noting_) CapturedCall::here()->keep(region.data);
    return value;
  }
  template <class T>
  void result(T* pointer, T value) {
    if (context_.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
      writes("result", Strips<T>{pointer, 1});
    } else {
      work_.host_waits();
      if (is_device_memory(pointer)) {
        work_.warn_of_device_result("result", "the handle's mode is CUSPARSE_POINTER_MODE_HOST");
        writes("result", Strips<T>{pointer, 1});
      }
    }
    if (ok()) *pointer = value;
  }

  template <class T>
  void reads(const std::string& name, const Strips<T>& region) {
    if (reaches(name, region)) work_.reads(name, region);
  }
  template <class T>
  void writes(const std::string& name, const Strips<T>& region) {
    if (reaches(name, region)) work_.writes(region);
  }
  void reads(const std::string& name, const Indices& indices, std::int64_t count) {
    for_width(indices, count, [&](const auto& region) { reads(name, region); });
  }
  void writes(const std::string& name, const Indices& indices, std::int64_t count) {
    for_width(indices, count, [&](const auto& region) { writes(name, region); });
  }

  /// Reads a sparse matrix: its arrays, and whether their indices make sense.
  template <class T>
  void reads_matrix(const std::string& name, const cusparseSpMatDescr& m) {
    reads_pattern(name, m);
    reads(name + "'s values", Strips<T>{static_cast<T*>(m.values), m.nnz});
  }
  /// The same without its values.
  void reads_pattern(const std::string& name, const cusparseSpMatDescr& m);

 private:
  template <class T>
  bool reaches(const std::string& name, const Strips<T>& region) {
    if (is_noting_) is_over_ = true;  // the device's memory is for the launches of the graph
    if (!ok() || region.extent() == 0) return false;
    const std::string fault =
        fault_of_elements(region.data, region.extent(), sizeof(T), "elements");
    if (!fault.empty()) refuse(CUSPARSE_STATUS_EXECUTION_FAILED, name + fault);
    return ok();
  }
  template <class Use>
  void for_width(const Indices& indices, std::int64_t count, Use use) {
    if (indices.type == CUSPARSE_INDEX_32I) {
      use(Strips<std::int32_t>{static_cast<std::int32_t*>(indices.data), count});
    } else {
      use(Strips<std::int64_t>{static_cast<std::int64_t*>(indices.data), count});
    }
  }

  const char* function_;
  cusparseContext context_{};
  cusparseStatus_t status_ = CUSPARSE_STATUS_SUCCESS;
  bool repeats_ = false;  // a call that was captured into a graph
  bool is_noting_ = false;
  bool is_over_ = false;
  DeviceWork work_;
};

inline void Work::reads_pattern(const std::string& name, const cusparseSpMatDescr& m) {
  reads(name + "'s " + (m.format == CUSPARSE_FORMAT_COO ? "row indices" : "offsets"), outer_of(m),
        outer_count(m));
  reads(name + "'s indices", inner_of(m), inner_count(m));
  if (!ok()) return;
  const auto fails = [&](const std::string& why) {
    refuse(CUSPARSE_STATUS_EXECUTION_FAILED, name + why);
  };
  if (m.format != CUSPARSE_FORMAT_COO && m.format != CUSPARSE_FORMAT_BLOCKED_ELL) {
    const Indices offsets = outer_of(m);
    const std::int64_t last = outer_count(m) - 1;
    const std::int64_t end = inner_count(m);
    for (std::int64_t i = 0; i <= last; ++i) {
      const std::int64_t least = i == 0 ? 0 : offsets[i - 1];
      if (offsets[i] >= least && offsets[i] <= end && (i > 0 || offsets[i] == 0) &&
          (i < last || offsets[i] == end)) {
        continue;
      }
      return fails("'s offset " + std::to_string(i) + " is " +
                   std::to_string(offsets[i] + offsets.base) +
                   ": offsets must ascend from the index base to the number of elements, " +
                   std::to_string(end) + ", above it");
    }
  }
  for_entries(m, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    if (ok() && (i < 0 || i >= m.rows || j < 0 || j >= m.columns)) {
      fails("'s element " + std::to_string(k) + " lies in row " + std::to_string(i) +
            " and column " + std::to_string(j) + " (from 0), outside the matrix of " +
            std::to_string(m.rows) + " x " + std::to_string(m.columns));
    }
  });
}

/// A dense matrix whose elements have rows and columns, turned over or not.
template <class T>
struct Dense {
  T* data;
  std::int64_t row_step;
  std::int64_t column_step;

  explicit Dense(const cusparseDnMatDescr& m, bool is_turned = false)
      : data(static_cast<T*>(m.values)),
        row_step((m.order == CUSPARSE_ORDER_ROW) != is_turned ? m.ld : 1),
        column_step((m.order == CUSPARSE_ORDER_ROW) != is_turned ? 1 : m.ld) {}
  T& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_step + j * column_step];
  }
};
template <class T>
Strips<T> strips_of(const cusparseDnMatDescr& m) {
  const bool by_rows = m.order == CUSPARSE_ORDER_ROW;
  return {static_cast<T*>(m.values), by_rows ? m.columns : m.rows, by_rows ? m.rows : m.columns,
          m.ld};
}

template <class T>
T conjugated(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return std::conj(value);
  }
}

}  // namespace emulator::cusparse
