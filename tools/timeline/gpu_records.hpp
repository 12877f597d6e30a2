/// @file
/// What a GPU was seen to do, and the timeline of it: in the form that the emulator writes, but in
/// microseconds. It knows nothing of CUPTI, so that it can be tested without a GPU.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace course::timeline {

/// Nanoseconds of one clock for all records.
using Nanoseconds = std::uint64_t;

/// A call of CUDA's and what it made the GPU do have the same number; later calls have higher ones.
using Correlation = std::uint32_t;

/// A kernel, a copy, or memory that was set.
struct Work {
  const char* category;  ///< one of emulator/observers/timeline/trace_file.hpp
  std::string name;
  Nanoseconds begin;
  Nanoseconds end;
  std::uint32_t stream;
  Correlation correlation;
  nlohmann::ordered_json arguments = nullptr;
};

/// A call of the runtime's API.
struct Call {
  std::string name;
  Nanoseconds begin;
  Nanoseconds end;
  std::uint32_t thread;
  Correlation correlation;
};

/// An event was recorded. `record` is never that of another recording.
struct EventRecord {
  std::uint64_t record;
  std::uint32_t stream;
  std::uint32_t event;
  Correlation correlation;
};

/// Somebody waits.
struct Wait {
  enum class Target {
    event,              ///< the host, for an event
    event_in_a_stream,  ///< cudaStreamWaitEvent(): the stream, for an event
    stream,             ///< the host
    everything          ///< the host
  };
  Target target;
  Nanoseconds begin;
  Nanoseconds end;
  std::uint32_t stream;
  std::uint64_t record;  ///< of the event, if it is about one
  Correlation correlation;
};

struct Stream {
  enum class Kind { is_default, blocking, non_blocking };
  std::uint32_t id;
  Kind kind;
};

struct GpuRecords {
  std::vector<Work> work;
  std::vector<Call> calls;
  std::vector<EventRecord> recordings;
  std::vector<Wait> waits;
  std::vector<Stream> streams;
  std::uint64_t left_out = 0;  ///< pieces of work that were too many
};

/// A kernel's name as in the source, with template arguments and without parameters.
std::string kernel_name(const char* mangled);

/// The timeline's file.
std::string timeline_of(GpuRecords records, const std::string& program);

}  // namespace course::timeline
