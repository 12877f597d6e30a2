/// @file
/// A library that CUDA loads into a program (CUDA_INJECTION64_PATH names it): it notes what CUPTI
/// reports of the GPU's work, and as the program ends writes a timeline to the file that
/// COURSE_TIMELINE names.

#include <cupti.h>
#include <errno.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "gpu_records.hpp"
#include "observers/timeline/trace_file.hpp"

#if CUPTI_API_VERSION < 130000
#error "the timeline's recorder wants the CUPTI of CUDA 13"
#endif

namespace course::timeline {
namespace {

namespace category = emulator::timeline::category;

// Of a program that does more, the file would be too large for any viewer.
constexpr std::size_t most_work = 100'000;
constexpr std::size_t buffer_bytes = std::size_t{8} << 20;

struct RecorderState {
  std::mutex mutex;  // CUPTI hands over buffers in a thread of its own
  GpuRecords records;
  std::string path;
};

// Never destroyed: CUPTI may call while the program ends.
RecorderState& state() {
  static auto& all = *new RecorderState;
  return all;
}

bool is_well(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return true;
  const char* why = "unknown error";
  cuptiGetResultString(result, &why);
  std::fprintf(stderr, "timeline: error: %s: %s\n", what, why);
  return false;
}

// What had not ended when the program did has no times.
void add(GpuRecords& records, Work work) {
  if (work.begin == 0 || work.end < work.begin) return;
  if (records.work.size() == most_work) {
    ++records.left_out;
  } else {
    records.work.push_back(std::move(work));
  }
}

void note(GpuRecords& records, const CUpti_ActivityKernel10& kernel) {
  const auto extent = [](std::int32_t x, std::int32_t y, std::int32_t z) {
    return nlohmann::ordered_json{x, y, z};
  };
  add(records, {category::kernel,
                kernel_name(kernel.name),
                kernel.start,
                kernel.end,
                kernel.streamId,
                kernel.correlationId,
                {{"grid", extent(kernel.gridX, kernel.gridY, kernel.gridZ)},
                 {"block", extent(kernel.blockX, kernel.blockY, kernel.blockZ)}}});
}

void note(GpuRecords& records, const CUpti_ActivityMemcpy6& copy) {
  const char* what = category::other_copy;
  if (copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD) what = category::to_device;
  if (copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH) what = category::to_host;
  add(records, {what,
                what + (" " + emulator::timeline::size_text(copy.bytes)),
                copy.start,
                copy.end,
                copy.streamId,
                copy.correlationId,
                {{"bytes", copy.bytes}}});
}

void note(GpuRecords& records, const CUpti_ActivityMemset4& set) {
  add(records, {category::set,
                "set " + emulator::timeline::size_text(set.bytes),
                set.start,
                set.end,
                set.streamId,
                set.correlationId,
                {{"bytes", set.bytes}}});
}

void note(GpuRecords& records, const CUpti_ActivityAPI& call) {
  const char* name = "a call";
  cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, call.cbid, &name);
  // Names end with the version in which the call came to be: cudaLaunchKernel_v7000.
  std::string plain = name;
  if (const std::size_t version = plain.rfind("_v"); version != std::string::npos) {
    plain.erase(version);
  }
  records.calls.push_back({plain, call.start, call.end, call.threadId, call.correlationId});
}

void note(GpuRecords& records, const CUpti_ActivitySynchronization2& wait) {
  if (wait.returnValue != 0) return;  // a query that found the work unfinished is not a wait
  Wait::Target target = Wait::Target::everything;
  switch (wait.type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      target = Wait::Target::event;
      break;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      target = Wait::Target::event_in_a_stream;
      break;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      target = Wait::Target::stream;
      break;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      break;
    default:
      return;
  }
  records.waits.push_back(
      {target, wait.start, wait.end, wait.streamId, wait.cudaEventSyncId, wait.correlationId});
}

void note(GpuRecords& records, const CUpti_ActivityCudaEvent2& event) {
  records.recordings.push_back(
      {event.cudaEventSyncId, event.streamId, event.eventId, event.correlationId});
}

void note(GpuRecords& records, const CUpti_ActivityStream& stream) {
  Stream::Kind kind = Stream::Kind::blocking;
  if (stream.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL) kind = Stream::Kind::is_default;
  if (stream.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING) {
    kind = Stream::Kind::non_blocking;
  }
  records.streams.push_back({stream.streamId, kind});
}

// A record begins with its kind, which says what it is.
template <class Record>
const Record& as(const CUpti_Activity* record) {
  return *reinterpret_cast<const Record*>(record);
}

void note(GpuRecords& records, const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return note(records, as<CUpti_ActivityKernel10>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return note(records, as<CUpti_ActivityMemcpy6>(record));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return note(records, as<CUpti_ActivityMemset4>(record));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return note(records, as<CUpti_ActivityAPI>(record));
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return note(records, as<CUpti_ActivitySynchronization2>(record));
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return note(records, as<CUpti_ActivityCudaEvent2>(record));
    case CUPTI_ACTIVITY_KIND_STREAM:
      return note(records, as<CUpti_ActivityStream>(record));
    default:
      return;
  }
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t filled) {
  RecorderState& all = state();
  {
    const std::lock_guard lock(all.mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, filled, &record) == CUPTI_SUCCESS) {
      note(all.records, record);
    }
  }
  std::free(buffer);
}

void write_at_exit() {
  is_well(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  RecorderState& all = state();
  const std::lock_guard lock(all.mutex);
  const std::string text = timeline_of(all.records, program_invocation_short_name);
  std::FILE* const file = std::fopen(all.path.c_str(), "we");
  bool written = file != nullptr && std::fputs(text.c_str(), file) >= 0;
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (!written) {
    std::fprintf(stderr, "timeline: error: cannot write COURSE_TIMELINE=%s: %s\n", all.path.c_str(),
                 std::strerror(errno));
  }
}

bool begin() {
  if (!is_well(cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
               "cuptiActivityRegisterCallbacks") ||
      !is_well(cuptiActivityEnableAllSyncRecords(0), "cuptiActivityEnableAllSyncRecords")) {
    return false;
  }
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_CUDA_EVENT,
        CUPTI_ACTIVITY_KIND_STREAM}) {
    if (!is_well(cuptiActivityEnable(kind), "cuptiActivityEnable")) return false;
  }
  return true;
}

}  // namespace
}  // namespace course::timeline

/// What CUDA calls as it starts.
/// @return 1: the program may go on, recorded or not
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace course::timeline;
  const char* const path = std::getenv("COURSE_TIMELINE");
  if (path == nullptr || *path == '\0') return 1;
  state().path = path;
  if (begin()) std::atexit(write_at_exit);
  return 1;
}
