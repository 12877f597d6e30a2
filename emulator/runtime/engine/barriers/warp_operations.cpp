/// \file
/// Shuffles, votes, matches, reductions: what a warp operation gives each lane that takes part.

#include "engine/barriers/warp_operations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "engine/engine.hpp"
#include "engine/matrices/matrix_operations.hpp"
#include "events/random_order.hpp"

namespace emulator::engine {
namespace {

using Requests = std::array<WarpRequest*, warp_size>;  // null for lanes that take no part

template <class Function>
void for_each_lane(std::uint32_t mask, Function function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<unsigned>(std::countr_zero(mask)));
}

// The lane whose value a shuffle gives to `lane`. PTX ISA, "shfl.sync": the warp is cut into
// segments of `width` lanes; a source outside the segment leaves the lane its own value. (xor
// alone may reach into lower segments.)
unsigned shuffle_source(const WarpRequest& request, unsigned lane) {
  const int width = std::clamp(request.width, 1, 32);
  const int first = static_cast<int>(lane) & ~(width - 1);
  const int last = first + width - 1;
  const int self = static_cast<int>(lane);
  int source = self;
  switch (request.operation) {
    case WarpOperation::shuffle:
      source = first + (request.source & (width - 1));
      break;
    case WarpOperation::shuffle_up:
      source = self - (request.source & 31);
      if (source < first) source = self;
      break;
    case WarpOperation::shuffle_down:
      source = self + (request.source & 31);
      if (source > last) source = self;
      break;
    case WarpOperation::shuffle_xor:
      source = self ^ (request.source & 31);
      if (source > last) source = self;
      break;
    default:
      break;
  }
  return static_cast<unsigned>(source);
}

bool is_shuffle(WarpOperation operation) {
  return operation == WarpOperation::shuffle || operation == WarpOperation::shuffle_up ||
         operation == WarpOperation::shuffle_down || operation == WarpOperation::shuffle_xor;
}

bool predicate_of(const WarpRequest& request) {
  return request.value != 0;
}

// Values are 32-bit; the upper half of the result is dropped with the rest of the sum.
std::uint64_t combine(WarpOperation operation, std::uint64_t a, std::uint64_t b) {
  const bool less = a < b;
  const bool signed_less = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::add:
      return a + b;
    case WarpOperation::min:
      return less ? a : b;
    case WarpOperation::max:
      return less ? b : a;
    case WarpOperation::signed_min:
      return signed_less ? a : b;
    case WarpOperation::signed_max:
      return signed_less ? b : a;
    case WarpOperation::bit_and:
      return a & b;
    case WarpOperation::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

void perform(const Requests& requests, std::uint32_t taking_part) {
  const WarpOperation operation =
      requests[static_cast<unsigned>(std::countr_zero(taking_part))]->operation;
  switch (operation) {
    case WarpOperation::sync:
      break;
    case WarpOperation::shuffle:
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_xor:
      for_each_lane(taking_part, [&](unsigned lane) {
        const unsigned source = shuffle_source(*requests[lane], lane);
        // A lane that takes no part has no value to give: undefined in CUDA, 0 on an H200 and here.
        const bool gives = (taking_part >> source & 1U) != 0;
        requests[lane]->result = gives ? requests[source]->value : 0;
      });
      break;
    case WarpOperation::ballot:
    case WarpOperation::all:
    case WarpOperation::any: {
      std::uint32_t votes = 0;
      for_each_lane(taking_part, [&](unsigned lane) {
        if (predicate_of(*requests[lane])) votes |= 1U << lane;
      });
      const std::uint64_t result = operation == WarpOperation::ballot ? votes
                                   : operation == WarpOperation::all  ? votes == taking_part
                                                                      : votes != 0;
      for_each_lane(taking_part, [&](unsigned lane) { requests[lane]->result = result; });
      break;
    }
    case WarpOperation::match_any:
    case WarpOperation::match_all:
      for_each_lane(taking_part, [&](unsigned lane) {
        std::uint32_t equal = 0;
        for_each_lane(taking_part, [&](unsigned other) {
          if (requests[other]->value == requests[lane]->value) equal |= 1U << other;
        });
        requests[lane]->all_equal = equal == taking_part;
        const bool none = operation == WarpOperation::match_all && equal != taking_part;
        requests[lane]->result = none ? 0 : equal;
      });
      break;
    case WarpOperation::add:
    case WarpOperation::min:
    case WarpOperation::max:
    case WarpOperation::signed_min:
    case WarpOperation::signed_max:
    case WarpOperation::bit_and:
    case WarpOperation::bit_or:
    case WarpOperation::bit_xor: {
      bool first = true;
      std::uint64_t total = 0;
      for_each_lane(taking_part, [&](unsigned lane) {
        const std::uint64_t value = requests[lane]->value;
        total = first ? value : combine(operation, total, value);
        first = false;
      });
      for_each_lane(taking_part, [&](unsigned lane) { requests[lane]->result = total; });
      break;
    }
    case WarpOperation::matrix: {
      std::array<MatrixRequest*, warp_size> matrices{};
      for_each_lane(taking_part, [&](unsigned lane) { matrices[lane] = requests[lane]->matrix; });
      perform(matrices, taking_part);
      break;
    }
    case WarpOperation::active_mask:
      for_each_lane(taking_part, [&](unsigned lane) { requests[lane]->result = taking_part; });
      break;
  }
}

// Lanes that have ended count as arrived, if they left before this place, but have no value to
// give; those that the warp never had do not, but for __syncwarp(), whose default mask names all.
void check(const RunningBlock& block, const Warp& warp, const Requests& requests,
           std::uint32_t taking_part, std::uint32_t live) {
  const LaunchDetails& details = *block.details();
  const auto first = static_cast<unsigned>(std::countr_zero(taking_part));
  const WarpRequest& request = *requests[first];
  const unsigned number = block.number_in_cluster(warp);
  const std::uint32_t existing = warp.all();
  if (request.operation == WarpOperation::sync) {
    const std::uint32_t lanes = request.mask & existing;
    details.sync.warp_synchronised(number, lanes, lanes == existing);
  }
  if (request.operation == WarpOperation::active_mask) return;
  if (request.operation == WarpOperation::matrix) return;  // which fails without any lane
  if ((request.mask & ~existing) != 0 && request.operation != WarpOperation::sync) {
    char text[160];
    std::snprintf(text, sizeof(text),
                  "the mask 0x%08x names lanes that this warp lacks: it has %u threads",
                  request.mask, warp.size);
    char remedy[64];
    std::snprintf(remedy, sizeof(remedy), "name only lanes that exist: 0x%08x is all of them",
                  existing);
    details.faults.wrong_mask(text, request.site, number * warp_size + first, remedy);
  }
  // Only __syncwarp() lets lanes meet at different places.
  for_each_lane(request.operation == WarpOperation::sync ? 0 : taking_part, [&](unsigned lane) {
    if (requests[lane]->site == request.site) return;
    details.faults.two_warp_operations(request.site, number * warp_size + first,
                                       requests[lane]->site, number * warp_size + lane);
  });
  const std::uint32_t ended = request.mask & existing & ~live;
  std::uint32_t passed_by = 0;
  for_each_lane(ended, [&](unsigned lane) {
    const Lane& absent = warp.lanes[lane];
    const Lane& waiting = warp.lanes[first];
    if (!absent.progress->passed_by(*waiting.progress, waiting.depth, request.site)) return;
    passed_by |= 1U << lane;
    char text[160];
    std::snprintf(text, sizeof(text),
                  "the mask 0x%08x names lane %u, which took another branch and never came here",
                  request.mask, lane);
    details.faults.wrong_mask(text, request.site, number * warp_size + first, {});
  });
  if (!is_shuffle(request.operation)) return;
  for_each_lane(taking_part, [&](unsigned lane) {
    const unsigned source = shuffle_source(*requests[lane], lane);
    if (((ended & ~passed_by) >> source & 1U) == 0) return;
    char text[160];
    std::snprintf(text, sizeof(text),
                  "lane %u asks for the value of lane %u, which has ended and has no value", lane,
                  source);
    details.faults.wrong_mask(
        text, request.site, number * warp_size + lane,
        "let every lane in the mask execute the shuffle: no return before it, and no branch around "
        "it that only some lanes take; put the condition around the loads and stores instead");
  });
}

}  // namespace

bool resolve_warp_operations(const RunningBlock& block, Warp& warp) {
  Requests waiting{};
  std::uint32_t waiting_mask = warp.at(Wait::warp_operation);
  const std::uint32_t live = warp.all() & ~warp.at(Wait::ended);
  for_each_lane(waiting_mask, [&](unsigned i) { waiting[i] = warp.lanes[i].request; });

  const auto release = [&](std::uint32_t taking_part) {
    perform(waiting, taking_part);
    if (block.details() != nullptr) check(block, warp, waiting, taking_part, live);
    warp.move(taking_part, Wait::warp_operation, Wait::nothing);
    waiting_mask &= ~taking_part;
  };

  bool progress = false;
  for (std::uint32_t rest = waiting_mask; rest != 0;) {
    const auto leader = static_cast<unsigned>(std::countr_zero(rest));
    const WarpRequest& request = *waiting[leader];
    rest &= rest - 1;
    if (request.operation == WarpOperation::active_mask) continue;
    // Lanes that have ended count as arrived: the mask may name them.
    std::uint32_t alike = 0;
    for_each_lane(waiting_mask & request.mask & live, [&](unsigned i) {
      if (waiting[i]->operation == request.operation && waiting[i]->mask == request.mask) {
        alike |= 1U << i;
      }
    });
    if (alike != (request.mask & live)) continue;
    release(alike);
    rest &= ~alike;
    progress = true;
  }
  if (progress) return true;

  // Nobody else can come any more: the lanes that are at the same __activemask() are the
  // active ones. The lowest program address goes first, as it does for memory accesses.
  std::uintptr_t lowest = std::numeric_limits<std::uintptr_t>::max();
  for_each_lane(waiting_mask, [&](unsigned i) {
    if (waiting[i]->operation == WarpOperation::active_mask) {
      lowest = std::min(lowest, waiting[i]->site);
    }
  });
  std::uint32_t together = 0;
  for_each_lane(waiting_mask, [&](unsigned i) {
    if (waiting[i]->operation == WarpOperation::active_mask && waiting[i]->site == lowest) {
      together |= 1U << i;
    }
  });
  if (together == 0) return false;
  const bool one_by_one = !events::active_lanes_together.load(std::memory_order_relaxed);
  release(one_by_one ? 0x80000000U >> std::countl_zero(together) : together);
  return true;
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value,
                             int source, int width, bool* all_equal) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return value;  // host code
  const unsigned thread = lane->index.x + blockDim.x * (lane->index.y + blockDim.y * lane->index.z);
  if ((mask >> (thread % warp_size) & 1U) == 0) {
    char text[96];
    std::snprintf(text, sizeof(text),
                  "a warp operation with mask 0x%08x leaves out the lane that calls it", mask);
    lane->worker->fail(cudaErrorLaunchFailure, text, "bad-mask",
                       reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  }
  WarpRequest request{
      operation, mask, source, width, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
      value};
  lane->request = &request;
  lane->worker->wait(*lane, Wait::warp_operation);
  if (all_equal != nullptr) *all_equal = request.all_equal;
  return request.result;
}

}  // namespace emulator::detail
