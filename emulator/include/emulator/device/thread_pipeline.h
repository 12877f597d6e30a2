#pragma once
#pragma GCC system_header
/// \file
/// `cuda::pipeline` of one thread, `cuda::make_pipeline()`, and `cuda::memcpy_async` through it:
/// what cuda/pipeline has, but for pipelines that threads share (block_pipeline.h).

#include <cstddef>

#include "emulator/device/async_copies.h"
#include "emulator/device/thread_scope.h"

namespace cuda {

template <thread_scope Scope>
class pipeline;

/// The batches of the running thread.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  pipeline(pipeline&&) = default;

  /// A thread of its own never has to wait for a free stage.
  EMULATOR_INLINE void producer_acquire() noexcept {}
  /// Ends a batch.
  EMULATOR_INLINE void producer_commit() {
    ::emulator::detail::commit_copies();
    ++batches_;
  }
  /// Waits for the oldest batch that has not been waited for.
  EMULATOR_INLINE void consumer_wait() {
    if (batches_ == 0) return;
    ::emulator::detail::wait_for_copies(--batches_);
  }
  EMULATOR_INLINE void consumer_release() noexcept {}
  EMULATOR_INLINE bool quit() noexcept { return true; }

 private:
  friend pipeline<thread_scope_thread> make_pipeline();
  template <unsigned char Prior>
  friend void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe);
  pipeline() = default;
  std::size_t batches_ = 0;  // committed, and not waited for
};

EMULATOR_INLINE pipeline<thread_scope_thread> make_pipeline() {
  return {};
}

/// Waits for all batches but the newest `Prior`.
template <unsigned char Prior>
EMULATOR_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe) {
  ::emulator::detail::wait_for_copies(Prior);
  pipe.batches_ = pipe.batches_ < Prior ? pipe.batches_ : Prior;
}

/// Starts to copy `size` bytes. What no asynchronous copy can move, since an address or the size is
/// not a multiple of 4, is copied at once, and counted as loads and stores of a byte.
template <thread_scope Scope>
EMULATOR_INLINE void memcpy_async(void* destination, const void* source, std::size_t size,
                                  pipeline<Scope>&) {
  ::emulator::detail::copy_in_pieces(destination, source, size);
}
template <std::size_t Alignment, thread_scope Scope>
EMULATOR_INLINE void memcpy_async(void* destination, const void* source,
                                  aligned_size_t<Alignment> size, pipeline<Scope>&) {
  ::emulator::detail::copy_in_pieces(destination, source, size.value);
}

/// The same for a group of threads that share the work, neighbouring pieces for neighbouring
/// threads.
template <class Group, thread_scope Scope>
EMULATOR_INLINE void memcpy_async(const Group& group, void* destination, const void* source,
                                  std::size_t size, pipeline<Scope>&) {
  ::emulator::detail::copy_in_pieces(destination, source, size, group.thread_rank(), group.size());
}
template <class Group, std::size_t Alignment, thread_scope Scope>
EMULATOR_INLINE void memcpy_async(const Group& group, void* destination, const void* source,
                                  aligned_size_t<Alignment> size, pipeline<Scope>&) {
  ::emulator::detail::copy_in_pieces(destination, source, size.value, group.thread_rank(),
                                     group.size());
}

}  // namespace cuda
