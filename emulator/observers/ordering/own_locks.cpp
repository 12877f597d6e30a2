/// \file
/// The emulator's own locks (own_locks.h).

#include <pthread.h>

#include <atomic>
#include <bit>

#include "observers/ordering/host_threads.hpp"

using namespace emulator::ordering;

// No static object of a function's is made ready here: that would lock.
#define EMULATOR_REAL(name, ...)                                                      \
  static constinit std::atomic<int (*)(__VA_ARGS__)> known{};                         \
  auto* function = known.load(std::memory_order_relaxed);                             \
  if (function == nullptr) {                                                          \
    known = function = std::bit_cast<int (*)(__VA_ARGS__)>(replaced_function(#name)); \
  }

extern "C" {

#define EMULATOR_OWN(name, real_name, object) \
  int name(object* lock) noexcept {           \
    EMULATOR_REAL(real_name, object*)         \
    return function(lock);                    \
  }
EMULATOR_OWN(emulator_own_mutex_lock, pthread_mutex_lock, pthread_mutex_t)
EMULATOR_OWN(emulator_own_mutex_unlock, pthread_mutex_unlock, pthread_mutex_t)
EMULATOR_OWN(emulator_own_rwlock_rdlock, pthread_rwlock_rdlock, pthread_rwlock_t)
EMULATOR_OWN(emulator_own_rwlock_wrlock, pthread_rwlock_wrlock, pthread_rwlock_t)
EMULATOR_OWN(emulator_own_rwlock_unlock, pthread_rwlock_unlock, pthread_rwlock_t)
#undef EMULATOR_OWN
}
