/// \file
/// Kernels that go wrong: invalid addresses, failed assertions, traps. The launch ends with one
/// line that says where, and the program lives on with CUDA's sticky error.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/host_state.hpp"
#include "engine/engine.hpp"
#include "engine/fault_address.hpp"
#include "engine/lane_findings.hpp"
#include "events/findings.hpp"
#include "events/memory_events.hpp"

namespace emulator::engine {
namespace {

constexpr std::array<int, 3> faults = {SIGSEGV, SIGBUS, SIGFPE};
std::array<struct sigaction, faults.size()> previous;

struct sigaction& previous_of(int signal) {
  return previous[static_cast<std::size_t>(std::find(faults.begin(), faults.end(), signal) -
                                           faults.begin())];
}

// Ends the launch for an access that the host cannot do.
[[noreturn]] void fail_by_access(const Lane& lane, int signal, const siginfo_t& info,
                                 const void* context) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  bool is_known = address != 0;
  bool is_misaligned = signal == SIGBUS && info.si_code == BUS_ADRALN;
  if (signal == SIGSEGV && info.si_code == SI_KERNEL) {  // it keeps the address to itself
    const std::optional<std::uintptr_t> operand = address_of_operand(context);
    is_known = operand.has_value();
    address = operand.value_or(0);
    // Half of all addresses are the host kernel's, and the middle ones nobody's.
    constexpr std::uintptr_t end_of_memory = std::uintptr_t{1} << 47U;
    is_misaligned = is_known && address % 16 != 0 && address < end_of_memory;
  }
  char text[128];
  if (is_misaligned) {
    std::snprintf(text, sizeof(text), "misaligned address 0x%zx",
                  static_cast<std::size_t>(address));
    lane.worker->fail(cudaErrorMisalignedAddress, text, "misaligned");
  }
  if (is_known) {
    std::snprintf(text, sizeof(text), "illegal address 0x%zx", static_cast<std::size_t>(address));
  } else {
    std::snprintf(text, sizeof(text),
                  "an access through a null pointer, or at an address that no memory can have");
  }
  lane.worker->fail(cudaErrorIllegalAddress, text, "out-of-bounds");
}

// Makes room on the thread's stack, if the address is where it may grow.
bool grows_stack(const Lane& lane, const void* address) {
  return lane.fiber != nullptr && lane.fiber->grow(address);
}

// The thread divides an integer by zero and goes on, as on a GPU. With the checks that is a
// finding.
void report_division(const Lane& lane, std::uintptr_t next) {
  if (lane.worker->block().details() == nullptr) return;
  const OutsideKernel outside;
  Finding finding;
  finding.kind = "division";
  finding.what =
      "an integer is divided by zero: a GPU goes on with a number that CUDA does not define";
  finding.remedy = "divide only if the divisor is not 0";
  finding.place.event = "divided by ";
  report_finding(lane, std::move(finding), next);
}

// Runs on the signal stack of a thread that was inside a kernel, so the fault is synchronous and
// ordinary functions may be called: the interrupted code is the kernel's, which holds no lock of
// ours or (except inside printf) of the C library's.
void on_fault(int signal, siginfo_t* info, void* context) {
  Lane* const lane = current_lane;
  // A thread with large local arrays gets a larger stack, and does it again.
  if (lane != nullptr && signal == SIGSEGV && grows_stack(*lane, info->si_addr)) return;
  if (lane == nullptr) {
    if (signal != SIGFPE && details_wanted() && in_arena(info->si_addr)) {
      host_faulted(info->si_addr);
      end_with_findings();
    }
    if (signal != SIGFPE && is_guarded(info->si_addr)) {
      if (signal == SIGSEGV && was_read(context) && host_looks()) return;
      std::fprintf(stderr,
                   "emulator: host code touched an array that exists only for copies to and from "
                   "the device\n");
      end_with_findings();
    }
    // Host code: its fault is its own. Hand over to the handler that was there before.
    sigaction(signal, &previous_of(signal), nullptr);
    return;
  }
  if (signal == SIGFPE) {
    if (const std::optional<PassedDivision> division = pass_over_division(context)) {
      if (division->by_zero) report_division(*lane, division->next);
      return;
    }
  }
  sigset_t unblock;
  sigemptyset(&unblock);
  sigaddset(&unblock, signal);
  pthread_sigmask(SIG_UNBLOCK, &unblock, nullptr);

  if (signal == SIGFPE) lane->worker->fail(cudaErrorLaunchFailure, "an arithmetic error");
  if (lane->fiber != nullptr && lane->fiber->overflowed(info->si_addr)) {
    lane->worker->fail(cudaErrorLaunchFailure,
                       "the thread's stack overflowed (endless recursion, or local arrays beyond "
                       "512 KB)");
  }
  fail_by_access(*lane, signal, *info, context);
}

void install(int signal) {
  struct sigaction current {};
  sigaction(signal, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_fault) return;
  previous_of(signal) = current;
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
}

}  // namespace

void install_fault_handler() {
  // A stack overflow leaves no stack to handle the signal on; each host thread brings a spare. It
  // is large enough to look up a line of the source on it.
  thread_local std::unique_ptr<std::array<char, 256 * 1024>> signal_stack;
  if (signal_stack == nullptr) {
    signal_stack = std::make_unique<std::array<char, 256 * 1024>>();
    stack_t stack{};
    stack.ss_sp = signal_stack->data();
    stack.ss_size = signal_stack->size();
    sigaltstack(&stack, nullptr);
  }
  // Asked at every launch: a test framework may have put its own handler in place of ours.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  for (const int signal : faults) install(signal);
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void trap() {
  if (current_lane == nullptr) std::abort();
  current_lane->worker->fail(cudaErrorLaunchFailure, "__trap()", "failed-kernel",
                             reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

}  // namespace emulator::detail

// The C library's, replaced: what a failed assert() calls. In a kernel it prints CUDA's line.
extern "C" [[noreturn]] void __assert_fail(const char* assertion, const char* file,
                                           unsigned int line, const char* function) noexcept {
  using emulator::engine::current_lane;
  std::fflush(stdout);
  if (current_lane == nullptr) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
    std::abort();
  }
  const uint3 thread = current_lane->index;
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
               file, line, function, blockIdx.x, blockIdx.y, blockIdx.z, thread.x, thread.y,
               thread.z, assertion);
  current_lane->worker->abandon(cudaErrorAssert);
}
