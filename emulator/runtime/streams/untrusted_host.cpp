#include "streams/untrusted_host.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/device_variables.hpp"
#include "events/program_events.hpp"

namespace emulator::streams {
namespace {

struct Rules {
  bool hold = false;
  std::size_t shared = 0;
  std::vector<std::pair<std::uintptr_t, std::size_t>> arrays;
  void (*at_first_look)() = nullptr;
  std::string look;  // the first one, the beginning of a sentence
  std::string violation;
  std::vector<DeviceCall> calls;
};

Rules& rules() {
  static auto& all = *new Rules;  // never destroyed
  return all;
}

void note_look(const std::string& what) {
  if (!rules().look.empty()) return;
  rules().look = what;
  rules().at_first_look();
}

}  // namespace

// Order checks would note what the host's code does, and that is not to be believed.
void distrust_host() {
  host_distrusted();
  rules().hold = true;
  keep_lower_half_free();
  part_device_variables();
}

void allow_copies_to(const void* array, std::size_t bytes) {
  rules().arrays.emplace_back(reinterpret_cast<std::uintptr_t>(array), bytes);
}

void forget_copies() {
  rules().arrays.clear();
  rules().at_first_look = nullptr;
  rules().look.clear();
}

void allow_looks(void (*action)()) {
  rules().at_first_look = action;
  at_first_look([] { note_look("host code read an array that exists only for copies"); });
}

bool has_looked() {
  return !rules().look.empty();
}

void refuse_look() {
  rules().violation =
      rules().look + ", and results changed after that, but the work is to be done on the device";
}

bool may_copy_to_host(const void* to, std::size_t bytes, bool now) {
  Rules& all = rules();
  if (!all.hold) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  for (const auto& [array, size] : all.arrays) {
    if (begin - array <= size && bytes <= size - (begin - array)) return true;
  }
  const std::string copied = "what is on its way to the device or there was copied to the host, " +
                             std::to_string(bytes) + " bytes";
  if (all.at_first_look != nullptr) {
    if (now) note_look(copied);
    return true;
  }
  all.violation = copied + ", but the work is to be done on the device";
  return false;
}

void share_at_most(std::size_t bytes) {
  rules().shared = bytes;
}

bool may_share(std::size_t bytes, std::size_t live) {
  Rules& all = rules();
  if (!all.hold || (live <= all.shared && bytes <= all.shared - live)) return true;
  all.violation =
      std::to_string(bytes) + " bytes shared by host and device were requested, besides " +
      std::to_string(live) + " that are there, and " + std::to_string(all.shared) + " are allowed";
  return false;
}

bool is_host_distrusted() {
  return rules().hold;
}

void note_device_call(const char* name, const void* to, const void* from, std::size_t bytes) {
  Rules& all = rules();
  if (!all.hold || bytes == 0) return;
  const auto sectors = [bytes](const void* row) {
    const auto begin = reinterpret_cast<std::uintptr_t>(row);
    return (begin + bytes - 1) / 32 - begin / 32 + 1;
  };
  // A warp could do it with four bytes per lane.
  const std::uint64_t requests = (bytes + 127) / 128;
  auto call = std::find_if(all.calls.begin(), all.calls.end(),
                           [&](const DeviceCall& other) { return other.name == name; });
  if (call == all.calls.end()) call = all.calls.insert(call, DeviceCall{name, {}});
  if (from != nullptr) {
    call->traffic.global_load_requests += requests;
    call->traffic.global_load_sectors += sectors(from);
    call->traffic.global_load_bytes += bytes;
  }
  if (to != nullptr) {
    call->traffic.global_store_requests += requests;
    call->traffic.global_store_sectors += sectors(to);
    call->traffic.global_store_bytes += bytes;
  }
}

std::vector<DeviceCall> take_device_calls() {
  return std::exchange(rules().calls, {});
}

std::string violation() {
  return rules().violation;
}

}  // namespace emulator::streams
