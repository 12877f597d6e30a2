#pragma once
#pragma GCC system_header
/// \file
/// Barriers in shared memory (mbarriers), and bulk copies, which count their bytes on them: what
/// `<cuda/ptx>` and `<cuda/barrier>` are made of.
///
/// A bulk copy does its work at the latest legal moment: when threads wait for the phase that it
/// belongs to, and nothing else is missing. A thread that reads the tile without that finds what
/// was there before. The barrier's state is the emulator's own; the eight bytes in shared memory
/// only name it.

#include <cstddef>

#include "emulator/inline.h"

namespace emulator::detail {

/// How an operation on an mbarrier is meant; bits.
enum MbarrierUse : unsigned {
  mbarrier_plain = 0,
  mbarrier_relaxed = 1,    ///< it orders nothing
  mbarrier_drop = 2,       ///< arrives, and is not expected any more
  mbarrier_by_parity = 4,  ///< waits for a phase of that parity, not for that of a token
  mbarrier_test = 8,       ///< does not wait: the phase is complete, or it is not
};

/// Makes a barrier of the eight bytes, which expects `count` arrivals a phase.
/// \param is_fenced whether the asynchronous proxy sees it without a fence
void mbarrier_init(void* barrier, unsigned count, bool is_fenced);
void mbarrier_end(void* barrier);

/// One of `threads` threads has no more use for the barrier.
/// \return whether it is the last one
bool mbarrier_leave(void* barrier, unsigned threads);

/// Expects `bytes` more bytes in the running phase, then arrives `count` times (which may be 0).
/// \return the phase, as a token
unsigned long mbarrier_arrive(void* barrier, unsigned count, unsigned bytes, unsigned use);

/// Arrives when the copies (cp.async) that the running thread has started are done.
/// \param counts whether that is one of the arrivals that the barrier expects
void mbarrier_arrive_after_copies(void* barrier, bool counts);

/// Whether the phase is complete that `phase` means: a token, or a parity. A thread that asks for
/// the second time waits until it is, unless it only tests.
bool mbarrier_wait(void* barrier, unsigned long phase, unsigned use);

/// Arrivals that the running phase still waits for.
unsigned mbarrier_pending(unsigned long token);

/// Starts to copy `bytes` bytes from global to shared memory, or back: then as a part of the
/// running thread's group that is not committed yet.
void bulk_copy_in(void* shared, const void* global, std::size_t bytes, void* barrier);
void bulk_copy_out(void* global, const void* shared, std::size_t bytes);
/// The first one to all blocks of the cluster whose bits are set: to the same address in each, and
/// its bytes count on the barrier at the same address. The second one from the block's own shared
/// memory to that of another block, whose barrier it counts on.
void bulk_copy_in_multicast(void* shared, const void* global, std::size_t bytes, void* barrier,
                            unsigned blocks);
void bulk_copy_to_block(void* to, const void* from, std::size_t bytes, void* barrier);

/// What an asynchronous operation of a thread does to the word that it goes to.
enum class AsyncOperation : unsigned char {
  store,
  add,
  min,
  max,
  signed_min,
  signed_max,
  inc,
  dec,
  bits_and,
  bits_or,
  bits_xor
};
/// A store of 4, 8 or 16 bytes to shared memory of a block of the cluster (st.async), or a
/// reduction of 4 or 8 (red.async): its bytes count on that block's barrier, and until then it is
/// not done.
void async_store(void* to, const void* value, unsigned bytes, void* barrier);
void async_reduce(void* to, const void* value, unsigned bytes, void* barrier,
                  AsyncOperation operation);
template <class T>
EMULATOR_INLINE void async_store(void* to, const T& value, void* barrier) {
  async_store(to, &value, sizeof(T), barrier);
}
template <class T>
EMULATOR_INLINE void async_reduce(void* to, const T& value, void* barrier,
                                  AsyncOperation operation) {
  async_reduce(to, &value, sizeof(T), barrier, operation);
}

void bulk_commit();
/// Waits for all committed groups but the newest `newest`: until their sources may be overwritten
/// (`only_read`), or until all is done.
void bulk_wait(unsigned newest, bool only_read);

/// What the thread has done to memory is seen by bulk copies from now on; or only which mbarriers
/// it has initialised.
void proxy_fence(bool only_barriers);

/// The barrier of that number in the block, for `threads` threads, or for all if that is 0.
void named_barrier(unsigned number, unsigned threads, bool only_arrives);

}  // namespace emulator::detail
