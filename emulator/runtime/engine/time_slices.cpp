#include "engine/time_slices.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "engine/engine.hpp"

// The program's machine code, and the runtime's in it (../CMakeLists.txt).
extern char __executable_start[] __attribute__((weak));
extern char etext[] __attribute__((weak));
extern char __start_emulator_text[];
extern char __stop_emulator_text[];

namespace emulator::engine {
namespace {

// Nothing happens by this signal unless somebody asks for it, and debuggers pass it on in silence.
constexpr int tick = SIGURG;
constexpr long nanoseconds_of_a_tick = 2'000'000;
// A thread that has to go on where a tick meets it is looked at some more times before the next.
constexpr long nanoseconds_to_next_look = 50'000;
constexpr int most_looks = 32;

// Sends the host thread that has made it the signal.
class Timer {
 public:
  Timer(clockid_t clock, bool is_look) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick;
    event.sigev_value.sival_int = is_look ? 1 : 0;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    works_ = timer_create(clock, &event, &timer_) == 0;
  }
  ~Timer() {
    if (works_) timer_delete(timer_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // A signal handler may call it.
  void set(long nanoseconds, bool once) const {
    if (!works_) return;
    const itimerspec time{{0, once ? 0 : nanoseconds}, {0, nanoseconds}};
    timer_settime(timer_, 0, &time, nullptr);
  }

 private:
  timer_t timer_{};
  bool works_ = false;
};

constinit thread_local const Lane* met_before = nullptr;
constinit thread_local const Timer* next_look = nullptr;
constinit thread_local int looks = 0;  // since the last tick
constinit thread_local volatile sig_atomic_t slice_ended = 0;
// A handler does, on the stack that has its turn.
constinit thread_local volatile sig_atomic_t is_looking = 0;

struct Place {
  std::uintptr_t code = 0;
  std::uintptr_t stack = 0;
};

Place place_of_interruption(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<std::uintptr_t>(machine.gregs[REG_RIP]),
          static_cast<std::uintptr_t>(machine.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {machine.pc, machine.sp};
#else
  return {};
#endif
}

bool lies_between(const char* begin, const char* end, std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(begin) <
         static_cast<std::uintptr_t>(end - begin);
}

bool is_of_runtime(std::uintptr_t code) {
  return lies_between(__start_emulator_text, __stop_emulator_text, code);
}

// A handler may be at any of them at any time: none is changed or deleted.
struct Module {
  const char* begin;
  const char* end;
  bool instrumented;
  const Module* next;
};
constinit std::atomic<const Module*> modules{nullptr};

const Module* module_of(std::uintptr_t code) {
  const Module* module = modules;
  while (module != nullptr && !lies_between(module->begin, module->end, code)) {
    module = module->next;
  }
  return module;
}

bool is_of_kernels(std::uintptr_t code) {
  return lies_between(__executable_start, etext, code) ? !is_of_runtime(code)
                                                       : module_of(code) != nullptr;
}

struct Search {
  std::uintptr_t interrupted;  // its end of the stack
  bool has_found = false;
};

// Of the functions that have been called and have not returned, one after the other. The handler
// also has some, further down the stack.
_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* memory) {
  Search& search = *static_cast<Search*>(memory);
  if (_Unwind_GetCFA(frame) < search.interrupted) return _URC_NO_REASON;
  const std::uintptr_t begin = _Unwind_GetRegionStart(frame);
  // The kernel's caller.
  if (begin == reinterpret_cast<std::uintptr_t>(&Worker::thread_main)) return _URC_NORMAL_STOP;
  search.has_found = is_of_runtime(begin);
  return search.has_found ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

// Whether the interrupted code does something for a function of the runtime's, without being part
// of it: the linker has one copy of each of the C++ library's templates for all of the program.
bool serves_runtime(const Place& place) {
  Search search{place.stack};
  _Unwind_Backtrace(look_at, &search);
  return search.has_found;
}

// In a library, the C library say, a thread may hold a lock. So it may in the runtime, and there it
// may have begun to change what all threads of the host thread share.
bool may_lose_turn(const Lane& lane, const Place& place) {
  return is_of_kernels(place.code) && !is_switching && lane.fiber->holds(place.stack) &&
         !serves_runtime(place);
}

// Runs on the stack of the thread that it interrupts, and leaves its frame there until the thread
// has its turn again.
void on_tick(int, siginfo_t* info, void* context) {
  // A signal that meets a handler has nothing to find out. If it also looked around, another one
  // could come before it has done, and so on, until the stack is full.
  if (is_looking != 0) return;
  Lane* const lane = current_lane;
  if (lane == nullptr || std::exchange(met_before, lane) != lane) return;
  is_looking = 1;
  const int error = errno;
  const bool is_look = info->si_code == SI_TIMER && info->si_value.sival_int != 0;
  looks = is_look ? looks + 1 : 0;
  const Place place = place_of_interruption(context);
  if (may_lose_turn(*lane, place)) {
    slice_ended = 1;
    left_at = place.code + 1;
    is_looking = 0;
    lane->worker->suspend(*lane);
  } else {
    if (looks < most_looks && next_look != nullptr) next_look->set(nanoseconds_to_next_look, true);
    is_looking = 0;
  }
  errno = error;
}

// Not where the program wants the signal for itself.
bool install_handler() {
  struct sigaction before {};
  sigaction(tick, nullptr, &before);
  if (before.sa_handler != SIG_DFL) return false;
  struct sigaction ours {};
  ours.sa_sigaction = on_tick;
  // Never blocked: the thread that takes over while a handler waits also needs the signal.
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  return sigaction(tick, &ours, nullptr) == 0;
}

// A host thread's. Ticks count the time that the thread computes, so that they stand still in a
// debugger; but they are not to be had more often than every few milliseconds.
struct Timers {
  Timer ticks{CLOCK_THREAD_CPUTIME_ID, false};
  Timer look{CLOCK_MONOTONIC, true};
};

Timers* timers() {
  static const bool installed = install_handler();
  if (!installed) return nullptr;
  thread_local Timers of_this_thread;
  return &of_this_thread;
}

}  // namespace

TimeSlices::TimeSlices(bool wanted) : wanted_(wanted && timers() != nullptr) {
  if (!wanted_) return;
  next_look = &timers()->look;
  timers()->ticks.set(nanoseconds_of_a_tick, false);
}

TimeSlices::~TimeSlices() {
  if (wanted_) timers()->ticks.set(0, false);
}

void add_module(const char* begin, const char* end, bool instrumented) {
  modules = new Module{begin, end, instrumented, modules};
}

bool is_in_fast_module(std::uintptr_t code) {
  const Module* const module = module_of(code);
  return module != nullptr && !module->instrumented;
}

bool slice_has_ended() {
  if (slice_ended == 0) return false;
  slice_ended = 0;
  return true;
}

void end_slice() {
  slice_ended = 1;
}

}  // namespace emulator::engine
