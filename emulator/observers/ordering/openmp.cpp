/// \file
/// OpenMP's parallel regions, barriers, critical sections and locks, as far as g++ makes calls of
/// them. In a program without OpenMP the linker leaves this file out.

#include <pthread.h>

#include <atomic>
#include <bit>
#include <type_traits>

#include "observers/ordering/host_threads.hpp"

using namespace emulator::ordering;

namespace {

// OpenMP's threads begin by this, in replaced_functions.cpp.
[[gnu::used]] const auto begins_by = &pthread_create;

constinit char barriers = 0;  // one for all of them: more is taken for ordered than is
constinit char critical = 0;
constinit char atomics = 0;

void meet_at(const void* object) {
  thread_hands_on(object);
  thread_takes_over(object);
}

// A region's body, and for whom it is called.
struct ParallelRegion {
  void (*body)(void*);
  void* data;
  Team* team;
};

void run_region(void* argument) {
  const ParallelRegion& region = *static_cast<const ParallelRegion*>(argument);
  enter_team(region.team);
  region.body(region.data);
  leave_team(region.team);
}

}  // namespace

#define EMULATOR_REAL(name, ...)                                                    \
  static constinit std::atomic<std::add_pointer_t<__VA_ARGS__>> known{};            \
  auto* function = known.load(std::memory_order_relaxed);                           \
  if (function == nullptr) {                                                        \
    known = function = std::bit_cast<decltype(function)>(replaced_function(#name)); \
  }

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): GCC's names
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  EMULATOR_REAL(GOMP_parallel, void(void (*)(void*), void*, unsigned, unsigned))
  ParallelRegion region{body, data, begin_team()};
  function(run_region, &region, threads, flags);
  end_team(region.team);
}

void GOMP_parallel_sections(void (*body)(void*), void* data, unsigned threads, unsigned count,
                            unsigned flags) {
  EMULATOR_REAL(GOMP_parallel_sections, void(void (*)(void*), void*, unsigned, unsigned, unsigned))
  ParallelRegion region{body, data, begin_team()};
  function(run_region, &region, threads, count, flags);
  end_team(region.team);
}

#define EMULATOR_LOOP_IN_CHUNKS(name)                                                             \
  void name(void (*body)(void*), void* data, unsigned threads, long begin, long end, long step,   \
            long chunk, unsigned flags) {                                                         \
    EMULATOR_REAL(name, void(void (*)(void*), void*, unsigned, long, long, long, long, unsigned)) \
    ParallelRegion region{body, data, begin_team()};                                              \
    function(run_region, &region, threads, begin, end, step, chunk, flags);                       \
    end_team(region.team);                                                                        \
  }
EMULATOR_LOOP_IN_CHUNKS(GOMP_parallel_loop_static)
EMULATOR_LOOP_IN_CHUNKS(GOMP_parallel_loop_dynamic)
EMULATOR_LOOP_IN_CHUNKS(GOMP_parallel_loop_guided)
EMULATOR_LOOP_IN_CHUNKS(GOMP_parallel_loop_nonmonotonic_dynamic)
EMULATOR_LOOP_IN_CHUNKS(GOMP_parallel_loop_nonmonotonic_guided)

#define EMULATOR_LOOP(name)                                                                     \
  void name(void (*body)(void*), void* data, unsigned threads, long begin, long end, long step, \
            unsigned flags) {                                                                   \
    EMULATOR_REAL(name, void(void (*)(void*), void*, unsigned, long, long, long, unsigned))     \
    ParallelRegion region{body, data, begin_team()};                                            \
    function(run_region, &region, threads, begin, end, step, flags);                            \
    end_team(region.team);                                                                      \
  }
EMULATOR_LOOP(GOMP_parallel_loop_runtime)
EMULATOR_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
EMULATOR_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// A thread that comes out knows all that the arriving ones knew.
#define EMULATOR_BARRIER(name)    \
  void name() {                   \
    EMULATOR_REAL(name, void())   \
    thread_hands_on(&barriers);   \
    function();                   \
    thread_takes_over(&barriers); \
  }
EMULATOR_BARRIER(GOMP_barrier)
EMULATOR_BARRIER(GOMP_loop_end)
EMULATOR_BARRIER(GOMP_sections_end)

#define EMULATOR_BEGIN(name, object) \
  void name() {                      \
    EMULATOR_REAL(name, void())      \
    function();                      \
    thread_takes_over(&(object));    \
  }
#define EMULATOR_END(name, object) \
  void name() {                    \
    EMULATOR_REAL(name, void())    \
    thread_hands_on(&(object));    \
    function();                    \
  }
EMULATOR_BEGIN(GOMP_critical_start, critical)
EMULATOR_END(GOMP_critical_end, critical)
EMULATOR_BEGIN(GOMP_atomic_start, atomics)
EMULATOR_END(GOMP_atomic_end, atomics)

#define EMULATOR_LOCK(name)          \
  void name(void* lock) {            \
    EMULATOR_REAL(name, void(void*)) \
    function(lock);                  \
    thread_takes_over(lock);         \
  }
#define EMULATOR_UNLOCK(name)        \
  void name(void* lock) {            \
    EMULATOR_REAL(name, void(void*)) \
    thread_hands_on(lock);           \
    function(lock);                  \
  }
EMULATOR_LOCK(GOMP_critical_name_start)
EMULATOR_UNLOCK(GOMP_critical_name_end)
EMULATOR_LOCK(omp_set_lock)
EMULATOR_UNLOCK(omp_unset_lock)
EMULATOR_LOCK(omp_set_nest_lock)
EMULATOR_UNLOCK(omp_unset_nest_lock)

int omp_test_lock(void* lock) {
  EMULATOR_REAL(omp_test_lock, int(void*))
  const int is_taken = function(lock);
  if (is_taken != 0) thread_takes_over(lock);
  return is_taken;
}

// The first thread of a `single` hands its values to the others.
void* GOMP_single_copy_start() {
  EMULATOR_REAL(GOMP_single_copy_start, void*())
  void* const copy = function();
  if (copy != nullptr) meet_at(&barriers);
  return copy;
}
void GOMP_single_copy_end(void* data) {
  EMULATOR_REAL(GOMP_single_copy_end, void(void*))
  thread_hands_on(&barriers);
  function(data);
}

// Which thread does a task, and which one waits for it, is not followed.
void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
               long alignment, bool condition, unsigned flags, void** depends, int priority,
               void* detach) {
  EMULATOR_REAL(GOMP_task, void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool,
                                unsigned, void**, int, void*))
  stop_telling_host_threads_apart();
  function(body, data, copy, size, alignment, condition, flags, depends, priority, detach);
}
void GOMP_taskloop(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
                   long alignment, unsigned flags, unsigned long tasks, int priority, long begin,
                   long end, long step) {
  EMULATOR_REAL(GOMP_taskloop, void(void (*)(void*), void*, void (*)(void*, void*), long, long,
                                    unsigned, unsigned long, int, long, long, long))
  stop_telling_host_threads_apart();
  function(body, data, copy, size, alignment, flags, tasks, priority, begin, end, step);
}
// NOLINTEND(readability-identifier-naming)
}
