#include "engine/copies/async_copies.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "emulator/device/async_copies.h"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"

namespace emulator::engine {
namespace {

// Those of threads that have none any more, for the next ones.
thread_local std::vector<std::unique_ptr<AsyncCopies>> idle;

}  // namespace

AsyncCopies& copies_of(Lane& lane) {
  if (lane.copies == nullptr) {
    if (idle.empty()) idle.push_back(std::make_unique<AsyncCopies>());
    lane.copies = idle.back().release();
    idle.pop_back();
  }
  return *lane.copies;
}

namespace {

// Writes what the oldest `count` copies have read.
void finish(AsyncCopies& pending, std::size_t count, const void* pc) {
  const auto end = pending.copies.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto copy = pending.copies.begin(); copy != end; ++copy) {
    std::memcpy(copy->to, copy->value.data(), copy->bytes);
    if (pc != nullptr) record_copy(copy->to, copy->bytes, false, pc);
  }
  pending.copies.erase(pending.copies.begin(), end);
  pending.finished += count;
}

// What is wrong with a copy: it ends the launch, as on a GPU.
void check_copy(Lane& lane, const void* shared, const void* global, std::size_t bytes,
                std::size_t zeros, const void* pc) {
  const auto to = reinterpret_cast<std::uintptr_t>(shared);
  const auto from = reinterpret_cast<std::uintptr_t>(global);
  const bool right_size = bytes == 4 || bytes == 8 || bytes == 16;
  if (!right_size) {
    refuse(lane, pc, failed_kernel, "an asynchronous copy moves 4, 8 or 16 bytes, not %zu", bytes);
  }
  if (zeros > bytes) {
    refuse(lane, pc, failed_kernel,
           "an asynchronous copy moves 4, 8 or 16 bytes, not %zu zeros among %zu", zeros, bytes);
  }
  if (((to | from) & (bytes - 1)) != 0) {
    refuse(lane, pc, misaligned,
           "an asynchronous copy of %zu bytes has an address that is not a multiple of that",
           bytes);
  }
  if (!lane.worker->shared().holds(to)) {
    refuse(lane, pc, wrong_space, "an asynchronous copy writes outside shared memory");
  }
}

}  // namespace

void end_copies(Lane& lane) {
  if (lane.copies == nullptr) return;
  finish(*lane.copies, lane.copies->copies.size(), nullptr);
  lane.copies->batches.clear();
  lane.copies->open = 0;
  lane.copies->finished = 0;
  lane.copies->batched = 0;
  if (lane.copies->out_open != 0) {
    lane.copies->out_groups.push_back({std::exchange(lane.copies->out_open, 0)});
  }
  finish_copies_out(*lane.copies, 0, false, nullptr);
  idle.emplace_back(lane.copies);
  lane.copies = nullptr;
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void start_copy(void* shared, const void* global, std::size_t bytes, std::size_t zeros) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // no kernel runs
  check_copy(*lane, shared, global, bytes, zeros, pc);
  const auto size = static_cast<unsigned>(bytes);
  const auto read = static_cast<unsigned>(bytes - zeros);
  if (read > 0) record_load(global, read, pc);
  record_copy(shared, size, true, pc);
  AsyncCopies& pending = copies_of(*lane);
  LaunchObserver* const observer = lane->worker->grid().observer;
  if (observer != nullptr && read > 0 && pending.finished < pending.batched) {
    observer->copy_runs_ahead();
  }
  AsyncCopies::Copy copy{shared, size, {}};
  std::memcpy(copy.value.data(), global, read);
  pending.copies.push_back(copy);
  ++pending.open;
}

void commit_copies() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  AsyncCopies& pending = copies_of(*lane);
  pending.batches.push_back(pending.open);
  pending.open = 0;
  pending.end_batch();
}

void wait_for_copies(std::size_t newest) {
  Lane* const lane = current_lane;
  if (lane == nullptr || lane->copies == nullptr) return;
  AsyncCopies& pending = *lane->copies;
  if (pending.batches.size() <= newest) return;
  const auto left = pending.batches.end() - static_cast<std::ptrdiff_t>(newest);
  std::size_t count = 0;
  for (auto batch = pending.batches.begin(); batch != left; ++batch) count += *batch;
  pending.batches.erase(pending.batches.begin(), left);
  finish(pending, count, __builtin_return_address(0));
}

}  // namespace emulator::detail
