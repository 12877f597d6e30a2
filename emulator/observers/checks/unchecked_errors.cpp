#include "observers/checks/unchecked_errors.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/call_site.hpp"
#include "base/host_state.hpp"
#include "emulator/discarded.h"
#include "emulator/host/host_api.h"
#include "events/error_events.hpp"
#include "events/findings.hpp"

namespace emulator::checks {
namespace {

struct Unchecked {
  cudaError_t error = cudaSuccess;
  std::string name;  // of the function or the kernel
  bool is_launch = false;
  CallStack stack;
};

struct UncheckedErrors {
  std::mutex mutex;
  std::map<int, Unchecked> of_threads;  // by number of the host thread: its last error
  bool kernel_failed = false;
  CallStack kernel_stack;
  long told = 0;  // calls that returned the failed kernel's error to somebody
};

// Never destroyed: destructors of the program's static objects may still call the API.
UncheckedErrors& unchecked_errors() {
  static auto& all = *new UncheckedErrors;
  return all;
}

int thread_number() {
  static std::atomic<int> threads{0};
  thread_local const int number = ++threads;
  return number;
}

std::string failed_with(cudaError_t error) {
  return std::string(" failed with ") + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) +
         "), and this was never checked";
}

Finding finding_of(const Unchecked& unchecked) {
  Finding finding;
  finding.kind = "unchecked-error";
  if (unchecked.is_launch) {
    finding.kernel = unchecked.name;
    finding.what = "the launch" + failed_with(unchecked.error);
    finding.remedy =
        "call cudaGetLastError() after the launch and compare its result with cudaSuccess";
  } else {
    finding.what = unchecked.name + "()" + failed_with(unchecked.error);
    finding.remedy = "compare what " + unchecked.name + "() returns with cudaSuccess";
  }
  set_place(finding, unchecked.stack, unchecked.is_launch ? "launched here" : "called here");
  return finding;
}

void add_failed_kernel(const CallStack& stack) {
  Finding finding;
  finding.kind = "unchecked-error";
  finding.what = "a kernel failed while it ran, and this was never checked";
  finding.remedy =
      "call cudaDeviceSynchronize() after the launch and compare its result with cudaSuccess";
  set_place(finding, stack, "launched here");
  add_finding(std::move(finding));
}

// The result went nowhere. The error of a failed kernel, which every call returns, is kept apart.
void discard(Unchecked unchecked) {
  UncheckedErrors& all = unchecked_errors();
  const std::lock_guard lock(all.mutex);
  if (all.kernel_failed && unchecked.error == sticky_error()) {
    if (all.told > 0) --all.told;
    return;
  }
  all.of_threads.emplace(thread_number(), std::move(unchecked));  // the first of several stays
}

}  // namespace

void find_unchecked_errors() {
  UncheckedErrors& all = unchecked_errors();
  std::map<int, Unchecked> left;
  {
    const std::lock_guard lock(all.mutex);
    left.swap(all.of_threads);
  }
  for (const auto& [thread, unchecked] : left) add_finding(finding_of(unchecked));
  failed_kernel_forgotten();
}

}  // namespace emulator::checks

namespace emulator::events {

using namespace checks;

void error_replaced(cudaError_t error) {
  if (!details_wanted()) return;
  Unchecked lost;
  {
    UncheckedErrors& all = unchecked_errors();
    const std::lock_guard lock(all.mutex);
    const auto last = all.of_threads.find(thread_number());
    // An error of the same kind stands for both: a program that looks at one knows.
    if (last == all.of_threads.end() || last->second.error == error) return;
    lost = std::move(last->second);
    all.of_threads.erase(last);
  }
  add_finding(finding_of(lost));
  print_new_findings();
}

void error_looked_at(cudaError_t error) {
  if (!details_wanted()) return;
  UncheckedErrors& all = unchecked_errors();
  const std::lock_guard lock(all.mutex);
  all.of_threads.erase(thread_number());
  if (all.kernel_failed && error != cudaSuccess && error == sticky_error()) ++all.told;
}

void kernel_failed() {
  if (!details_wanted()) return;
  UncheckedErrors& all = unchecked_errors();
  const std::lock_guard lock(all.mutex);
  if (std::exchange(all.kernel_failed, true)) return;
  all.kernel_stack = call_stack();
  all.told = 0;
}

void failed_kernel_reported() {
  if (!details_wanted()) return;
  UncheckedErrors& all = unchecked_errors();
  const std::lock_guard lock(all.mutex);
  ++all.told;
}

void failed_kernel_forgotten() {
  UncheckedErrors& all = unchecked_errors();
  CallStack stack;
  {
    const std::lock_guard lock(all.mutex);
    if (!std::exchange(all.kernel_failed, false) || all.told > 0) return;
    stack = all.kernel_stack;
  }
  if (details_wanted()) add_failed_kernel(stack);
}

}  // namespace emulator::events

// What programs call.
namespace emulator::detail {

using namespace checks;

void discarded_error(cudaError_t error, const char* function) {
  if (!details_wanted() || error == cudaErrorNotReady) return;
  const std::string_view name = function;
  // To call these is to look, or to say that one does not want to.
  if (name == "cudaGetLastError" || name == "cudaPeekAtLastError") return;
  discard({error, function, false, call_stack()});
}

void discarded_status(int status, const char* function) {
  if (!details_wanted()) return;
  // Nobody can ask for this one later.
  Finding finding;
  finding.kind = "unchecked-error";
  finding.what = std::string(function) + "() failed with status " + std::to_string(status) +
                 ", and this was never checked";
  finding.remedy = std::string("compare what ") + function + "() returns with success";
  set_place(finding, call_stack(), "called here");
  add_finding(std::move(finding));
  print_new_findings();
}

void discarded_launch(cudaError_t error, const char* kernel) {
  if (details_wanted()) discard({error, kernel, true, call_stack()});
}

}  // namespace emulator::detail
