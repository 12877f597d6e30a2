#pragma once
/// \file
/// Included before everything else in the emulator's own sources: there the names of the locks mean
/// the C library's functions, and not those of host_threads.cpp, which take note. Else two host
/// threads that do no more than call the API would seem to wait for each other.

#ifndef EMULATOR_TAKES_NOTE_OF_LOCKS
#include <sys/types.h>

extern "C" {
int pthread_mutex_lock(pthread_mutex_t*) noexcept __asm__("emulator_own_mutex_lock");
int pthread_mutex_unlock(pthread_mutex_t*) noexcept __asm__("emulator_own_mutex_unlock");
int pthread_rwlock_rdlock(pthread_rwlock_t*) noexcept __asm__("emulator_own_rwlock_rdlock");
int pthread_rwlock_wrlock(pthread_rwlock_t*) noexcept __asm__("emulator_own_rwlock_wrlock");
int pthread_rwlock_unlock(pthread_rwlock_t*) noexcept __asm__("emulator_own_rwlock_unlock");
}
#endif
