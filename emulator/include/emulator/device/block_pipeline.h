#pragma once
#pragma GCC system_header
/// \file
/// `cuda::pipeline` that the threads of a block share: `make_pipeline()` with a group and a
/// `pipeline_shared_state`, and the roles of producers and consumers. It is there for
/// thread_scope_block. Waiting for some time only (`consumer_wait_for`) is not modelled.
///
/// Each stage has two mbarriers: one for what the producers have filled, and one for what the
/// consumers have released. So all that the checks find around mbarriers they also find here: a
/// tile that is read before consumer_wait() or filled before producer_acquire(), and threads that
/// wait forever because others have not committed or released.

#include <cstddef>
#include <cstdint>

#include "emulator/device/async_copies.h"
#include "emulator/device/mbarriers.h"
#include "emulator/device/thread_pipeline.h"
#include "emulator/device/thread_scope.h"

namespace cuda {

/// What a thread does in a pipeline whose threads have different parts.
enum class pipeline_role { producer, consumer };

/// What the threads of a pipeline share, in shared memory.
template <thread_scope Scope, std::uint8_t Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

 private:
  template <thread_scope>
  friend class pipeline;
  struct Stage {
    std::uint64_t filled;
    std::uint64_t released;
  };
  alignas(8) Stage stages_[Stages];
  [[maybe_unused]] std::uint32_t threads_;  // the emulator counts them itself, but not in here
};

/// The stages of a group of threads, as one of these threads sees them.
template <thread_scope Scope>
class pipeline {
  static_assert(Scope == thread_scope_block,
                "pipelines of other scopes than thread_scope_block and thread_scope_thread are not "
                "modelled");

 public:
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  EMULATOR_INLINE pipeline(pipeline&& other) noexcept
      : stages_(other.stages_),
        threads_(other.threads_),
        count_(other.count_),
        head_(other.head_),
        tail_(other.tail_),
        head_parity_(other.head_parity_),
        tail_parity_(other.tail_parity_),
        is_active_(other.is_active_) {
    other.is_active_ = false;
  }
  EMULATOR_INLINE ~pipeline() {
    if (is_active_) quit();
  }

  /// Waits until the consumers have released the next stage, which of a new pipeline they have.
  EMULATOR_INLINE void producer_acquire() { wait(&stages_[head_].released, head_parity_); }
  /// Arrives at the stage, once what the thread has started to copy is there.
  EMULATOR_INLINE void producer_commit() {
    ::emulator::detail::mbarrier_arrive_after_copies(&stages_[head_].filled, false);
    ::emulator::detail::mbarrier_arrive(&stages_[head_].filled, 1, 0, 0);
    if (++head_ == count_) {
      head_ = 0;
      head_parity_ ^= 1U;
    }
  }
  /// Waits until the producers have committed the oldest stage that is not released, and all that
  /// they have copied for it is there.
  EMULATOR_INLINE void consumer_wait() { wait(&stages_[tail_].filled, tail_parity_); }
  /// The thread has used the stage.
  EMULATOR_INLINE void consumer_release() {
    ::emulator::detail::mbarrier_arrive(&stages_[tail_].released, 1, 0, 0);
    if (++tail_ == count_) {
      tail_ = 0;
      tail_parity_ ^= 1U;
    }
  }
  /// The thread takes no further part.
  /// \return whether it is the last one that does so, and the shared state is free again
  EMULATOR_INLINE bool quit() {
    is_active_ = false;
    if (!::emulator::detail::mbarrier_leave(&stages_[0].filled, threads_)) return false;
    for (std::uint8_t stage = 0; stage < count_; ++stage) {
      ::emulator::detail::mbarrier_end(&stages_[stage].filled);
      ::emulator::detail::mbarrier_end(&stages_[stage].released);
    }
    return true;
  }

  // For make_pipeline().
  struct Unseen {};
  template <std::uint8_t Stages>
  EMULATOR_INLINE pipeline(Unseen, pipeline_shared_state<Scope, Stages>& state,
                           std::uint32_t threads)
      : stages_(reinterpret_cast<Stage*>(state.stages_)), threads_(threads), count_(Stages) {}
  template <std::uint8_t Stages>
  EMULATOR_INLINE static void begin(pipeline_shared_state<Scope, Stages>& state,
                                    std::uint32_t producers, std::uint32_t consumers) {
    for (auto& stage : state.stages_) {
      ::emulator::detail::mbarrier_init(&stage.filled, producers, true);
      ::emulator::detail::mbarrier_init(&stage.released, consumers, true);
    }
  }
  /// How many of a group's threads are producers. All of them call it; the first one is announced.
  template <class Group, std::uint8_t Stages>
  EMULATOR_INLINE static std::uint32_t producers_of(const Group& group,
                                                    pipeline_shared_state<Scope, Stages>& state,
                                                    bool is_producer) {
    // They arrive at a barrier whose phase never ends: one more is expected than there are.
    const auto size = static_cast<std::uint32_t>(group.size());
    void* const barrier = &state.stages_[0].filled;
    if (group.thread_rank() == 0) ::emulator::detail::mbarrier_init(barrier, size + 1, true);
    group.sync();
    if (is_producer) ::emulator::detail::mbarrier_arrive(barrier, 1, 0, 0);
    group.sync();
    if (group.thread_rank() != 0) return 0;
    const auto token = ::emulator::detail::mbarrier_arrive(barrier, 0, 0, 0);
    ::emulator::detail::mbarrier_end(barrier);
    return size + 1 - ::emulator::detail::mbarrier_pending(token);
  }

 private:
  struct Stage {
    std::uint64_t filled;
    std::uint64_t released;
  };

  EMULATOR_INLINE static void wait(std::uint64_t* barrier, unsigned parity) {
    while (!::emulator::detail::mbarrier_wait(barrier, parity,
                                              ::emulator::detail::mbarrier_by_parity)) {
    }
  }
  Stage* stages_;
  std::uint32_t threads_;  // that have to quit
  std::uint8_t count_;
  std::uint8_t head_ = 0;         // the stage that this thread fills next
  std::uint8_t tail_ = 0;         // and the one that it uses next
  std::uint8_t head_parity_ = 1;  // of the phase that ended before the barrier began
  std::uint8_t tail_parity_ = 0;
  bool is_active_ = true;
};

/// A pipeline of a group's threads, all of which fill and use each stage. All of them call it.
template <class Group, thread_scope Scope, std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline(const Group& group,
                                              pipeline_shared_state<Scope, Stages>* state) {
  using Pipeline = pipeline<Scope>;
  const auto size = static_cast<std::uint32_t>(group.size());
  if (group.thread_rank() == 0) Pipeline::begin(*state, size, size);
  group.sync();
  return Pipeline(typename Pipeline::Unseen{}, *state, size);
}

/// The same where `producers` of the threads fill the stages and the others use them.
template <class Group, thread_scope Scope, std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline(const Group& group,
                                              pipeline_shared_state<Scope, Stages>* state,
                                              std::size_t producers) {
  using Pipeline = pipeline<Scope>;
  const auto size = static_cast<std::uint32_t>(group.size());
  if (group.thread_rank() == 0) {
    const auto count = static_cast<std::uint32_t>(producers);
    Pipeline::begin(*state, count, size - count);
  }
  group.sync();
  return Pipeline(typename Pipeline::Unseen{}, *state, size);
}

/// The same where each thread says what it is.
template <class Group, thread_scope Scope, std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline(const Group& group,
                                              pipeline_shared_state<Scope, Stages>* state,
                                              pipeline_role role) {
  using Pipeline = pipeline<Scope>;
  const auto size = static_cast<std::uint32_t>(group.size());
  const std::uint32_t producers =
      Pipeline::producers_of(group, *state, role == pipeline_role::producer);
  if (group.thread_rank() == 0) Pipeline::begin(*state, producers, size - producers);
  group.sync();
  return Pipeline(typename Pipeline::Unseen{}, *state, size);
}

}  // namespace cuda
