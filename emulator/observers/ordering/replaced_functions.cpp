/// \file
/// The C library's functions by which host threads begin, end and wait for each other. Nothing in
/// the emulator names them, so that only a program that does gets this file from the linker.

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "observers/ordering/host_threads.hpp"
#include "observers/ordering/ordering.hpp"

namespace emulator::ordering {
namespace {

// The threads that were begun and not joined.
struct Threads {
  std::mutex mutex;
  std::map<pthread_t, std::shared_ptr<Agent>> begun;
};
Threads& threads() {
  static auto& all = *new Threads;
  return all;
}

struct Start {
  void* (*routine)(void*);
  void* argument;
  std::shared_ptr<Agent> agent;
};

void* run_thread(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  become_host_thread(*start->agent);
  return start->routine(start->argument);
}

template <class Function>
Function* real(const char* name, const char* version) {
  return std::bit_cast<Function*>(replaced_function(name, version));
}

// The emulator's own threads run kernels, whose accesses are the launch's.
bool is_of_interest() {
  return order_checks_on && !begins_own_thread && !Ordering::Lock::is_held() &&
         piece_of_this_thread() == nullptr;
}

}  // namespace

}  // namespace emulator::ordering

using namespace emulator::ordering;

// The functions themselves. Each calls the one that it replaces.
// No static object of a function's is made ready here: that calls two of these.
#define EMULATOR_REAL_VERSION(name, version, ...)                        \
  static constinit std::atomic<std::add_pointer_t<__VA_ARGS__>> known{}; \
  auto* function = known.load(std::memory_order_relaxed);                \
  if (function == nullptr) known = function = real<__VA_ARGS__>(#name, version);
#define EMULATOR_REAL(name, ...) EMULATOR_REAL_VERSION(name, nullptr, __VA_ARGS__)

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) noexcept {
  EMULATOR_REAL(pthread_create, int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))
  if (!is_of_interest()) return function(thread, attributes, routine, argument);
  auto start = std::make_unique<Start>(Start{routine, argument, nullptr});
  {
    const Ordering::Lock lock(Ordering::get());
    start->agent = Ordering::get().begin_host_thread();
    note_another_host_thread();
  }
  const std::shared_ptr<Agent> agent = start->agent;
  const std::lock_guard lock(threads().mutex);  // so that nobody joins what is not known yet
  const int error = function(thread, attributes, run_thread, start.get());
  if (error == 0) {
    static_cast<void>(start.release());  // the thread deletes it
    threads().begun[*thread] = agent;
  }
  return error;
}

int pthread_join(pthread_t thread, void** result) {
  EMULATOR_REAL(pthread_join, int(pthread_t, void**))
  const int error = function(thread, result);
  if (error != 0) return error;
  std::shared_ptr<Agent> agent;
  {
    const std::lock_guard lock(threads().mutex);
    const auto found = threads().begun.find(thread);
    if (found == threads().begun.end()) return error;
    agent = std::move(found->second);
    threads().begun.erase(found);
  }
  if (!order_checks_on || Ordering::Lock::is_held()) return error;
  const Ordering::Lock lock(Ordering::get());
  Ordering::get().end_host_thread(*agent);
  return error;
}

#define EMULATOR_LOCKS(name, object)                            \
  int name(object* lock) noexcept {                             \
    EMULATOR_REAL(name, int(object*))                           \
    const int error = function(lock);                           \
    if (error == 0 && is_handing_on()) thread_takes_over(lock); \
    return error;                                               \
  }
#define EMULATOR_UNLOCKS(name, object)          \
  int name(object* lock) noexcept {             \
    EMULATOR_REAL(name, int(object*))           \
    if (is_handing_on()) thread_hands_on(lock); \
    return function(lock);                      \
  }
EMULATOR_LOCKS(pthread_mutex_lock, pthread_mutex_t)
EMULATOR_LOCKS(pthread_mutex_trylock, pthread_mutex_t)
EMULATOR_UNLOCKS(pthread_mutex_unlock, pthread_mutex_t)
EMULATOR_LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t)
EMULATOR_LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t)
EMULATOR_LOCKS(pthread_rwlock_tryrdlock, pthread_rwlock_t)
EMULATOR_LOCKS(pthread_rwlock_trywrlock, pthread_rwlock_t)
EMULATOR_UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t)
EMULATOR_UNLOCKS(sem_post, sem_t)
#undef EMULATOR_LOCKS
#undef EMULATOR_UNLOCKS

int sem_wait(sem_t* semaphore) {
  EMULATOR_REAL(sem_wait, int(sem_t*))
  const int error = function(semaphore);
  if (error == 0 && is_handing_on()) thread_takes_over(semaphore);
  return error;
}

// A thread that comes out of one of these knows all that those that went in knew.
int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  EMULATOR_REAL(pthread_barrier_wait, int(pthread_barrier_t*))
  if (is_handing_on()) thread_hands_on(barrier);
  const int error = function(barrier);
  if (is_handing_on()) thread_takes_over(barrier);
  return error;
}

// The C library keeps an older function of that name for old programs.
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  EMULATOR_REAL_VERSION(pthread_cond_wait, "GLIBC_2.3.2", int(pthread_cond_t*, pthread_mutex_t*))
  if (is_handing_on()) thread_hands_on(mutex);
  const int error = function(condition, mutex);
  if (is_handing_on()) thread_takes_over(mutex);
  return error;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* until) {
  EMULATOR_REAL_VERSION(pthread_cond_timedwait, "GLIBC_2.3.2",
                        int(pthread_cond_t*, pthread_mutex_t*, const timespec*))
  if (is_handing_on()) thread_hands_on(mutex);
  const int error = function(condition, mutex, until);
  if (is_handing_on()) thread_takes_over(mutex);
  return error;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  EMULATOR_REAL(pthread_cond_clockwait,
                int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*))
  if (is_handing_on()) thread_hands_on(mutex);
  const int error = function(condition, mutex, clock, until);
  if (is_handing_on()) thread_takes_over(mutex);
  return error;
}
}
