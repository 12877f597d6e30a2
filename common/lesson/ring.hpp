/// @file
/// A ring of stages in shared memory, between warps that copy and warps that multiply (chapters 20
/// and 21), and the registers of both.
#pragma once

#include <cuda/ptx>

#include <cstdint>

namespace course {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define COURSE_OLDER_THAN_HOPPER  // no barrier of these
#endif
/// From here on a thread of this group of four warps has so many registers: fewer than before ...
/// (Only code for sm_90a can say so.)
template <int registers>
__device__ void setmaxnreg_dec() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
/// ... or more. It waits until there are enough.
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
  std::uint64_t empty[T::stages];  ///< all threads that multiply have read it
  bool answer[2];                  ///< of thread 0 to all threads that multiply
};

/// A place in the ring, and whether it is an odd or an even time that it is used.
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

/// This thread is here. (One lane for its warp, after a __syncwarp(), is no faster, and racecheck
/// does not follow it.)
inline __device__ void arrive(std::uint64_t& barrier) {
  cuda::ptx::mbarrier_arrive(&barrier);
}
#endif

/// What thread 0 finds out, all threads get to know that multiply. They wait for each other: a
/// __syncthreads() of theirs, at a barrier with a number of its own.
template <class T>
class ConsumerBroadcast {
 public:
  explicit __device__ ConsumerBroadcast(Ring<T>& ring) : ring_(ring) {}

  /// @param query called by thread 0
  template <class Query>
  __device__ bool operator()(Query query) {
    if (threadIdx.x == 0) ring_.answer[now_] = query();
    asm volatile("bar.sync 1, %0;" ::"n"(T::threads) : "memory");
    const bool answer = ring_.answer[now_];
    now_ ^= 1;  // the next answer lies elsewhere: some may not have read this one yet
    return answer;
  }

 private:
  Ring<T>& ring_;
  unsigned now_ = 0;
};

}  // namespace course
