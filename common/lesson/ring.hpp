/// @file
/// A ring of stages in shared memory, between producer and consumer warps (chapters 20, 21 and 22),
/// and the registers of both.
#pragma once

#include <cuda/ptx>

#include <cstdint>

namespace course {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define COURSE_OLDER_THAN_HOPPER  // without these barriers
#endif
/// After this a thread of this warpgroup has this many registers: fewer than before ... (Only code
/// for sm_90a can do that.)
template <int registers>
__device__ void setmaxnreg_dec() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
/// ... or more. It waits until enough are free.
template <int registers>
__device__ void setmaxnreg_inc() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}

/// The barriers of a ring of stages, in shared memory.
template <class T>
struct Ring {
  std::uint64_t full[T::stages];   ///< the stage has arrived
  std::uint64_t empty[T::stages];  ///< all consumer threads have read it
  bool answer[2];                  ///< of thread 0 to all consumer threads
};

/// A stage of the ring, and whether this is an odd or an even pass over the ring.
template <class T>
struct PipelineState {
  int stage = 0;
  unsigned parity = 0;
  __device__ void next() {
    if (++stage == T::stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

#ifndef COURSE_OLDER_THAN_HOPPER
inline __device__ void wait(std::uint64_t& barrier, unsigned parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, parity)) {
  }
}

/// This thread has arrived. (One lane for its warp, after a __syncwarp(), is no faster, and
/// racecheck does not support it.)
inline __device__ void arrive(std::uint64_t& barrier) {
  cuda::ptx::mbarrier_arrive(&barrier);
}
#endif

/// All consumer threads wait for each other: a __syncthreads() of theirs, at a barrier with its own
/// number.
template <class T>
__device__ void sync_consumers() {
  asm volatile("bar.sync 1, %0;" ::"n"(T::threads) : "memory");
}

/// Broadcasts what thread 0 finds out to all consumer threads. They wait for each other.
template <class T>
class ConsumerBroadcast {
 public:
  /// @param answer in shared memory: a place for two answers
  explicit __device__ ConsumerBroadcast(bool (&answer)[2]) : answer_(answer) {}

  /// @param query called by thread 0
  template <class Query>
  __device__ bool operator()(Query query) {
    if (threadIdx.x == 0) answer_[now_] = query();
    sync_consumers<T>();
    const bool answer = answer_[now_];
    now_ ^= 1;  // the next answer uses the other slot: some may not have read this one yet
    return answer;
  }

 private:
  bool (&answer_)[2];
  unsigned now_ = 0;
};

}  // namespace course
