#include "libraries/common/device_work.hpp"

#include "base/arena.hpp"
#include "graphs/capture.hpp"
#include "libraries/common/captured_call.hpp"
#include "streams/untrusted_host.hpp"

namespace emulator::libraries {

bool is_device_memory(const void* pointer) {
  const auto memory = lookup(pointer);
  return memory && (memory->kind == MemoryKind::device || memory->kind == MemoryKind::symbol);
}

std::string fault_of_elements(const void* lowest, std::uint64_t count, std::size_t bytes,
                              const char* elements) {
  const auto address = reinterpret_cast<std::uintptr_t>(lowest);
  const auto fault = [](const std::string& text, cudaError_t error) {
    set_sticky_error(error);
    return text + (error == cudaErrorIllegalAddress ? ": illegal address" : ": misaligned address");
  };
  if (lowest == nullptr) return fault(" is a null pointer", cudaErrorIllegalAddress);
  const auto memory = lookup(lowest);
  if (!memory) {
    return fault(" is not in memory that the device can reach", cudaErrorIllegalAddress);
  }
  const std::size_t held = (memory->size - (address - memory->base)) / bytes;
  if (held < count) {
    const std::string needed = count == too_many ? "more " : std::to_string(count) + " ";
    return fault(" needs " + needed + elements +
                     (count == too_many ? " than any memory holds" : "") +
                     ", its allocation holds " + std::to_string(held) + " from there",
                 cudaErrorIllegalAddress);
  }
  if (address % bytes != 0) {
    return fault(" is not aligned to " + std::to_string(bytes) + " bytes",
                 cudaErrorMisalignedAddress);
  }
  return "";
}

void announce_read(const void* data, std::size_t bytes) {
  work_reads(data, bytes);
}

void announce_write(const void* data, std::size_t bytes) {
  if (lookup(data).has_value()) memory_written(data, bytes);
  work_writes(data, bytes);
}

void DeviceWork::warn_of_device_result(const char* name, const char* mode) const {
  if (!details_wanted()) return;
  Finding finding;
  finding.severity = Severity::warning;
  finding.kind = "device-pointer";
  finding.what = std::string(function_) + ": " + name + " points to device memory, " + mode +
                 ": it is written there, and the host waits for it";
  finding.remedy = "set the pointer mode that says where results are, and the host need not wait";
  set_place(finding, call_stack(), "called here");
  add_finding(std::move(finding));
  print_new_findings();
}

DeviceWork::Start DeviceWork::start(cudaStream_t stream) {
  CapturedCall* const call = CapturedCall::here();
  if (call != nullptr && call->repeats()) {  // the launch of its graph has the stream's turn
    if (device_state() != cudaSuccess) return Start::cannot_run;
    window_.emplace();
    return Start::began;
  }
  bool can_run = check_stream(stream) == cudaSuccess;
  if (can_run && call != nullptr && is_captured(stream)) {
    call->note(stream, function_);
    return Start::is_noted;
  }
  if (can_run && refuse_captured_call(stream, function_) != cudaSuccess) return Start::is_captured;
  if (can_run) {
    in_place_.emplace(stream, function_);  // early, but legal
    can_run = device_state() == cudaSuccess;
  }
  if (!can_run) return Start::cannot_run;
  window_.emplace();
  return Start::began;
}

}  // namespace emulator::libraries
