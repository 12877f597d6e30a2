/// \file
/// Bulk copies: between global memory and a block's shared memory, and between blocks of a cluster.

#include <cstddef>
#include <utility>
#include <vector>

#include "emulator/ptx/ptx.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"

namespace emulator::engine {
namespace {

constexpr std::size_t bulk_unit = 16;  // sizes and addresses of bulk copies are multiples of it

// What is wrong with a bulk copy: it ends the launch, as on a GPU.
void check_bulk(Lane& lane, const void* shared, const void* global, std::size_t bytes,
                bool is_from_shared, const void* pc) {
  if (bytes % bulk_unit != 0) {
    refuse(lane, pc, failed_kernel, "a bulk copy moves a multiple of 16 bytes, not %zu", bytes);
  }
  if ((address_of(shared) | address_of(global)) % bulk_unit != 0) {
    refuse(lane, pc, misaligned, "a bulk copy has an address that is not a multiple of 16");
  }
  if (!lane.worker->is_shared_of_cluster(address_of(shared)) ||
      (bytes > 0 && !lane.worker->is_shared_of_cluster(address_of(shared) + bytes - 1))) {
    refuse(lane, pc, wrong_space, "a bulk copy's shared side is not in shared memory");
  }
  if (lane.worker->is_shared_of_cluster(address_of(global)) != is_from_shared) {
    refuse(lane, pc, wrong_space,
           is_from_shared ? "a bulk copy's source is not in shared memory"
                          : "a bulk copy's global side is in shared memory");
  }
}

}  // namespace

void touch(const void* memory, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const auto* const first = static_cast<const volatile char*>(memory);
  for (std::size_t at = 0; at < bytes; at += page) static_cast<void>(first[at]);
  if (bytes > 0) static_cast<void>(first[bytes - 1]);
}

std::size_t add_copy_in(Lane& lane, BulkCopy&& copy, Mbarrier& barrier, const void* pc) {
  BlockBarriers& all = block_barriers();
  const std::size_t number = all.copies.size();
  copy.thread = thread_of(lane);
  copy.site = address_of(pc);
  copy.barrier = barrier.address;
  copy.barrier_number = barrier.number;
  all.copies.push_back(std::move(copy));
  barrier.copies.push_back({number});
  return number;
}

void start_bulk_copy(Lane& lane, BulkCopy copy, void* shared, const void* from, std::size_t bytes,
                     void* pointer, const void* pc) {
  check_bulk(lane, shared, from, bytes, copy.is_from_shared, pc);
  Mbarrier& barrier = barrier_at(lane, pointer, pc);
  copy.to = address_of(shared);
  copy.from = address_of(from);
  copy.bytes = bytes;
  const std::size_t number = add_copy_in(lane, std::move(copy), barrier, pc);
  record_bulk_copy(number, true, pc);
  touch(from, bytes);  // now that it is recorded: what is wrong is then found at its line
}

// The copies of the oldest groups read their sources, and unless that is all, write.
void finish_copies_out(AsyncCopies& pending, std::size_t newest, bool only_read, const void* pc) {
  if (pending.out_groups.size() <= newest) return;
  const auto left = pending.out_groups.end() - static_cast<std::ptrdiff_t>(newest);
  std::size_t count = 0;
  for (auto group = pending.out_groups.begin(); group != left; ++group) count += group->value;
  std::vector<BulkCopy>& copies = block_barriers().copies;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = pending.out[i].value;
    if (copies[number].value.empty() && copies[number].bytes > 0) {
      read_shared(copies[number]);
      if (pc != nullptr) record_event(AsyncEvent::copy_has_read, number, pc);
    }
    if (only_read) continue;
    write_global(copies[number]);
    if (pc != nullptr) record_event(AsyncEvent::copy_has_written, number, pc);
  }
  if (only_read) return;
  pending.out.erase(pending.out.begin(), pending.out.begin() + static_cast<std::ptrdiff_t>(count));
  pending.out_groups.erase(pending.out_groups.begin(), left);
}

}  // namespace emulator::engine

namespace emulator::events {

using namespace engine;

const BulkCopy& bulk_copy(std::uint64_t number) {
  return block_barriers().copies[number];
}

}  // namespace emulator::events

// What programs call.
namespace emulator::detail {

using namespace engine;

void bulk_copy_in(void* shared, const void* global, std::size_t bytes, void* pointer) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane != nullptr) start_bulk_copy(*lane, {}, shared, global, bytes, pointer, pc);
}

void bulk_copy_out(void* global, const void* shared, std::size_t bytes) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  check_bulk(*lane, shared, global, bytes, false, pc);
  BlockBarriers& all = block_barriers();
  all.used = true;
  const std::size_t number = all.copies.size();
  all.copies.push_back({.to = address_of(global),
                        .from = address_of(shared),
                        .bytes = bytes,
                        .is_in = false,
                        .thread = thread_of(*lane),
                        .site = address_of(pc)});
  AsyncCopies& pending = copies_of(*lane);
  pending.out.push_back({number});
  ++pending.out_open;
  record_bulk_copy(number, false, pc);
  touch(global, bytes);
}

void bulk_commit() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  AsyncCopies& pending = copies_of(*lane);
  pending.out_groups.push_back({std::exchange(pending.out_open, 0)});
}

void bulk_wait(unsigned newest, bool only_read) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr || lane->copies == nullptr) return;
  finish_copies_out(*lane->copies, newest, only_read, pc);
}

}  // namespace emulator::detail
