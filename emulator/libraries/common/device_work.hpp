#pragma once
/// \file
/// What a call of a library, cuBLAS or cuTENSOR, has the device do: where it runs, and the memory
/// that it reads and writes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "events/findings.hpp"
#include "events/memory_events.hpp"
#include "events/unwritten_bytes.hpp"
#include "libraries/common/runtime.hpp"
#include "streams/work_queue.hpp"

namespace emulator::libraries {

/// While one lives, this thread's last error is not the program's: the library's own calls of the
/// runtime leave no trace.
class QuietErrors {
 public:
  QuietErrors() : before_(cudaGetLastError()) {}
  ~QuietErrors() {
    cudaGetLastError();
    set_error(before_);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  cudaError_t before_;
};

/// Whether this is memory of the device alone, which a GPU's host cannot read.
bool is_device_memory(const void* pointer);

/// What is wrong with elements as the target of a kernel's loads and stores, if anything. The
/// device then fails as from a kernel's illegal access. \param lowest  the element at the lowest
/// address, from which on there are `count`
std::string fault_of_elements(const void* lowest, std::uint64_t count, std::size_t bytes,
                              const char* elements);

/// The device's work reads these bytes, or writes them: what a call says of them that has no
/// region.
void announce_read(const void* data, std::size_t bytes);
void announce_write(const void* data, std::size_t bytes);

/// A call's work on the device, from its start to its end.
class DeviceWork {
 public:
  /// \param function  the name of the library's function
  explicit DeviceWork(const char* function) : function_(function) {}

  enum class Start {
    began,
    is_captured,  ///< which is not modelled
    is_noted,     ///< it becomes a node: nothing is to be done now
    cannot_run
  };
  /// From here on, until the object is gone, this thread does the stream's work.
  Start start(cudaStream_t stream);

  /// The call has a result for the host, and returns only when the work is done.
  void host_waits() {
    if (in_place_) in_place_->host_waits();
  }

  /// The result for the host is to be written to the device's memory: a GPU does it, by unified
  /// addressing. While the checks are on, a warning.
  /// \param mode  what says that it is for the host
  void warn_of_device_result(const char* name, const char* mode) const;

  /// Ends before the object does: what follows is the program's again.
  void end() {
    window_.reset();
    in_place_.reset();
  }

  /// The work reads a region: pieces of elements, which for_pieces() calls a function with. While
  /// the checks are on, that nothing has written them is a finding.
  template <class Region>
  void reads(const std::string& name, const Region& region) const {
    if (!details_wanted()) return;
    UnwrittenBytes unwritten;
    region.for_pieces([&](const auto* first, std::int64_t count) {
      work_reads(first, static_cast<std::size_t>(count) * sizeof(*first));
      unwritten.add(first, static_cast<std::size_t>(count) * sizeof(*first));
    });
    unwritten.report(std::string(function_) + " reads as " + name + " ");
  }

  /// The work writes all of a region.
  template <class Region>
  void writes(const Region& region) const {
    if (!details_wanted()) return;
    region.for_pieces([](const auto* first, std::int64_t count) {
      work_writes(first, static_cast<std::size_t>(count) * sizeof(*first));
      memory_written(first, static_cast<std::size_t>(count) * sizeof(*first));
    });
  }

 private:
  const char* function_;
  std::optional<InPlace> in_place_;
  std::optional<DeviceWindow> window_;
};

/// A number of elements that no memory holds.
inline constexpr std::uint64_t too_many = ~std::uint64_t{0};

}  // namespace emulator::libraries
