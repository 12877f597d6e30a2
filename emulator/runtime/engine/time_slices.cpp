#include "engine/time_slices.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <utility>

#include "engine/engine.hpp"

// The program's machine code.
extern char __executable_start[] __attribute__((weak));
extern char etext[] __attribute__((weak));

namespace emulator::detail {
namespace {

// Nothing happens by this signal unless somebody asks for it, and debuggers pass it on in silence.
constexpr int tick = SIGURG;
constexpr long nanoseconds_of_a_tick = 2'000'000;

constinit thread_local const Lane* met_before = nullptr;
constinit thread_local volatile sig_atomic_t slice_ended = 0;
constinit thread_local volatile sig_atomic_t keeps_turn = 0;

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

// Runs on the stack of the thread that it interrupts, and leaves its frame there until the thread
// has its turn again. In a library, the C library say, the thread may hold a lock: it goes on.
void on_tick(int, siginfo_t*, void* context) {
  Lane* const lane = current_lane;
  if (keeps_turn != 0) return;
  if (lane == nullptr || std::exchange(met_before, lane) != lane) return;
  const Place place = place_of_interruption(context);
  const auto begin = reinterpret_cast<std::uintptr_t>(__executable_start);
  const auto end = reinterpret_cast<std::uintptr_t>(etext);
  if (place.code < begin || place.code >= end) return;
  if (is_switching || !lane->fiber->holds(place.stack)) return;
  const int error = errno;
  slice_ended = 1;
  left_at = place.code + 1;
  lane->worker->suspend(*lane);
  errno = error;
}

// Not where the program wants the signal for itself.
bool install_handler() {
  struct sigaction before {};
  sigaction(tick, nullptr, &before);
  if (before.sa_handler != SIG_DFL) return false;
  struct sigaction ours {};
  ours.sa_sigaction = on_tick;
  // Never blocked: who takes over while a handler stands still needs the signal, too.
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  return sigaction(tick, &ours, nullptr) == 0;
}

// A host thread's timer. It counts the time that the thread computes, so that it stands still in a
// debugger.
class Timer {
 public:
  Timer() {
    static const bool installed = install_handler();
    if (!installed) return;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    works_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
  }
  ~Timer() {
    if (works_) timer_delete(timer_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void set(long nanoseconds) {
    if (!works_) return;
    const itimerspec time{{0, nanoseconds}, {0, nanoseconds}};
    timer_settime(timer_, 0, &time, nullptr);
  }

 private:
  timer_t timer_{};
  bool works_ = false;
};

Timer& timer() {
  thread_local Timer of_this_thread;
  return of_this_thread;
}

}  // namespace

TimeSlices::TimeSlices(bool wanted) : wanted_(wanted) {
  keeps_turn = 0;  // who kept it may have been abandoned
  if (wanted_) timer().set(nanoseconds_of_a_tick);
}

TimeSlices::~TimeSlices() {
  if (wanted_) timer().set(0);
}

KeepTurn::KeepTurn() {
  keeps_turn = keeps_turn + 1;
}

KeepTurn::~KeepTurn() {
  keeps_turn = keeps_turn - 1;
}

bool slice_has_ended() {
  if (slice_ended == 0) return false;
  slice_ended = 0;
  return true;
}

}  // namespace emulator::detail
