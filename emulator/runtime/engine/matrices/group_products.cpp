#include "engine/matrices/group_products.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/device/group_products.h"
#include "emulator/device/matrix_access.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"

namespace emulator::engine {
namespace {

// So many products that a lane has started, and groups of them that it has committed.
struct Progress {
  std::uint64_t started = 0;
  std::uint64_t committed = 0;
  bool operator==(const Progress&) const = default;
};

// What a lane has done so far, and what it found in its accumulators the last time.
struct LaneState : Progress {
  std::uint64_t waits = 0;
  std::array<Progress, 2> when_waiting{};  // a lane may be one wait ahead of another, and no more
  std::uint64_t fences = 0;
  const void* landed = nullptr;  // its first accumulator
  std::uint64_t landed_sum = 0;
  std::uint64_t landed_fences = 0;
};

struct WarpState {
  std::vector<std::unique_ptr<WarpProduct>> pending{};
  std::uint64_t first = 0;       // number of the first of these
  std::vector<Number> groups{};  // of each group, the number of the first product after it
  const void* site = nullptr;    // of the last one
  std::array<LaneState, warp_size> lanes{};
};

struct BlockState {
  std::vector<WarpState> warps{};
  std::vector<std::unique_ptr<WarpProduct>> idle{};
};

BlockState& state() {
  thread_local BlockState block;
  return block;
}

WarpState& warp_state(const Lane& lane) {
  BlockState& block = state();
  const unsigned warp = thread_of(lane) / warp_size;
  if (block.warps.size() <= warp) block.warps.resize(warp + 1);
  return block.warps[warp];
}

// The chunks of 16 bytes that the operand has, one after the other.
void add_pieces(std::vector<TilePiece>& pieces, const OperandLayout& layout, bool is_turned,
                unsigned first_line, unsigned lines, unsigned k, unsigned element) {
  const unsigned at_once = 16 / element;
  const unsigned line_step = is_turned ? at_once : 1;
  const unsigned k_step = is_turned ? 1 : at_once;
  for (unsigned line = 0; line < lines; line += line_step) {
    for (unsigned i = 0; i < k; i += k_step) {
      pieces.push_back({layout.address(first_line + line, i), 0, 16});
    }
  }
}

// Where the operands are. Outside of shared memory there are none. For the checks: from now on the
// product may read them.
void note_operands(Lane& lane, WarpProduct& made, bool for_checks) {
  const GroupProduct& product = *made.product;
  const unsigned element = bits_of(product.part.a) / 8;
  std::vector<TilePiece> pieces;
  if (product.a_is_shared) {
    const MatrixDescriptor descriptor(made.a);
    made.a_start = start_of(lane, descriptor, made.site);
    const OperandLayout layout(descriptor, made.a_start, product.turns_a, element);
    add_pieces(pieces, layout, product.turns_a, first_line_of_a(lane), 16, product.part.k, element);
  }
  const MatrixDescriptor descriptor(made.b);
  made.b_start = start_of(lane, descriptor, made.site);
  const OperandLayout layout(descriptor, made.b_start, product.turns_b, element);
  add_pieces(pieces, layout, product.turns_b, 0, product.part.n, product.part.k, element);
  for (const TilePiece& piece : pieces) {
    if (lane.worker->shared().holds(piece.shared)) continue;
    refuse(lane, made.site, wrong_space, "a wgmma matrix reaches beyond shared memory");
  }
  if (!for_checks) return;
  BlockBarriers& all = block_barriers();
  made.operands = all.copies.size();
  made.has_operands = true;
  BulkCopy copy;
  copy.is_in = false;
  copy.thread = thread_of(lane);
  copy.site = address_of(made.site);
  copy.from = pieces.front().shared;
  copy.bytes = 16 * pieces.size();
  copy.tile.pieces = std::move(pieces);
  copy.is_operand = true;
  all.copies.push_back(std::move(copy));
  record_event(AsyncEvent::reads_operands, made.operands, made.site);
}

std::uint64_t sum_of(const WarpProduct::Part& part, unsigned count) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, part.registers[i], sizeof(bits));
    sum = sum * 0x9E3779B97F4A7C15U + bits;
  }
  return sum;
}

void find(Lane& lane, const void* site, const char* kind, const char* what, const char* remedy) {
  const OutsideKernel outside;
  Finding finding;
  finding.kind = kind;
  finding.what = what;
  finding.remedy = remedy;
  finding.place.event = "started by ";
  report_finding(lane, std::move(finding), address_of(site));
}

// For the checks: what is wrong about a product as it is started.
void check_start(Lane& lane, const LaneState& mine, const WarpProduct& made,
                 const WarpProduct::Part& part) {
  const bool is_changed = mine.landed == part.registers[0] && mine.landed_fences == mine.fences &&
                          made.adds && sum_of(part, made.registers) != mine.landed_sum;
  if (mine.fences == 0 || is_changed) {
    find(lane, made.site, "missing-fence",
         mine.fences == 0 ? "a warp starts its first wgmma without a wgmma.fence before it"
                          : "a thread has changed wgmma accumulators, and starts the next product "
                            "without a wgmma.fence between the two",
         "execute wgmma.fence.sync.aligned after the last access to the registers and before "
         "wgmma.mma_async");
  }
}

// For the checks: a tile that was copied in with another swizzle than the descriptor says.
void check_swizzle(Lane& lane, std::uint64_t bits, std::uintptr_t start, const void* site) {
  const MatrixDescriptor descriptor(bits);
  const std::vector<BulkCopy>& copies = block_barriers().copies;
  for (std::size_t i = copies.size(); i-- > 0;) {
    const BulkCopy& copy = copies[i];
    if (!copy.is_in || copy.tile.pieces.empty() || start - copy.to >= copy.bytes) continue;
    if (copy.swizzle == descriptor.swizzle) return;
    find(lane, site, "misused-barrier",
         "a wgmma matrix descriptor names a different swizzle from the tensor map that copied the "
         "tile",
         "let bits 62 and 63 of the descriptor match the map: 1 for 128 bytes, 2 for 64, 3 for 32, "
         "0 for none");
    return;
  }
}

// The oldest product has landed.
void finish_oldest(Lane& lane, WarpState& warp) {
  std::unique_ptr<WarpProduct> made = std::move(warp.pending.front());
  warp.pending.erase(warp.pending.begin());
  ++warp.first;
  perform(lane, *made);
  if (lane.progress != nullptr) {
    for (unsigned i = 0; i < warp_size; ++i) {
      LaneState& its = warp.lanes[i];
      its.landed = made->lanes[i].registers[0];
      its.landed_sum = sum_of(made->lanes[i], made->registers);
      its.landed_fences = its.fences;
    }
  }
  state().idle.push_back(std::move(made));
}

}  // namespace

// ---------------------------------------------------------------- what kernels call

// ---------------------------------------------------------------- what the engine calls

void clear_group_products() {
  BlockState& block = state();
  for (WarpState& warp : block.warps) {
    for (auto& made : warp.pending) block.idle.push_back(std::move(made));
  }
  block.warps.clear();
}

GroupProblem group_problem() {
  GroupProblem problem;
  const std::vector<WarpState>& warps = state().warps;
  for (std::size_t i = 0; i < warps.size(); ++i) {
    const WarpState& warp = warps[i];
    if (!warp.pending.empty()) {
      const std::uint64_t committed = warp.groups.empty() ? 0 : warp.groups.back().value;
      problem.what = warp.first < committed ? GroupProblem::What::not_awaited
                                            : GroupProblem::What::not_committed;
      problem.site = warp.pending.front()->site;
      problem.thread = static_cast<unsigned>(i) * warp_size;
      return problem;
    }
  }
  const auto started = [&](std::size_t warp) {
    return warp < warps.size() ? warps[warp].lanes[0].started : 0;
  };
  for (std::size_t first = 0; first < warps.size(); first += warps_of_group) {
    for (std::size_t i = first + 1; i < first + warps_of_group; ++i) {
      if (started(i) == started(first)) continue;
      const std::size_t more = started(i) > started(first) ? i : first;
      problem.what = GroupProblem::What::warps_missing;
      problem.site = warps[more].site;
      problem.thread = static_cast<unsigned>(more) * warp_size;
      return problem;
    }
  }
  return problem;
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void start_group_product(const GroupProduct& product, void* const* registers, unsigned count,
                         const unsigned* a, unsigned long a_matrix, unsigned long b_matrix,
                         bool adds, const void* site) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  if (thread_of(*lane) / (warps_of_group * warp_size) >= threads / (warps_of_group * warp_size)) {
    refuse(*lane, site, failed_kernel,
           "wgmma needs the four warps of a warpgroup, which begins at a multiple of 128 threads: "
           "the block has only %u threads",
           threads);
  }
  block_barriers().used = true;
  WarpState& warp = warp_state(*lane);
  const unsigned number = lane->warp->number_of(*lane);
  LaneState& mine = warp.lanes[number];
  const std::uint64_t index = mine.started++ - warp.first;
  const bool is_first = index == warp.pending.size();
  if (is_first) {
    auto& idle = state().idle;
    if (idle.empty()) idle.push_back(std::make_unique<WarpProduct>());
    warp.pending.push_back(std::move(idle.back()));
    idle.pop_back();
    WarpProduct& made = *warp.pending.back();
    made.product = &product;
    made.a = a_matrix;
    made.b = b_matrix;
    made.adds = adds;
    made.site = site;
    made.registers = count;
    made.has_operands = false;
    warp.site = site;
  }
  WarpProduct& made = *warp.pending[index];
  if (made.product != &product || made.site != site || made.a != a_matrix || made.b != b_matrix ||
      made.adds != adds) {
    refuse(*lane, site, failed_kernel,
           "wgmma must be the same instruction in all lanes of the warp, with the same matrices");
  }
  WarpProduct::Part& part = made.lanes[number];
  std::copy_n(registers, count, part.registers.begin());
  if (a != nullptr) std::copy_n(a, part.a.size(), part.a.begin());
  if (is_first) note_operands(*lane, made, lane->progress != nullptr);
  if (lane->progress == nullptr) return;
  check_start(*lane, mine, made, part);
  if (!is_first) return;
  if (product.a_is_shared) check_swizzle(*lane, a_matrix, made.a_start, site);
  check_swizzle(*lane, b_matrix, made.b_start, site);
}

void group_fence() {
  if (current_lane == nullptr) return;
  ++warp_state(*current_lane).lanes[current_lane->warp->number_of(*current_lane)].fences;
}

void group_commit() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  WarpState& warp = warp_state(*lane);
  LaneState& mine = warp.lanes[lane->warp->number_of(*lane)];
  if (mine.committed++ == warp.groups.size()) warp.groups.push_back({mine.started});
}

void group_wait(unsigned newest) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  const unsigned number = lane->warp->number_of(*lane);
  const std::uint64_t turn = warp_state(*lane).lanes[number].waits++ % 2;
  warp_state(*lane).lanes[number].when_waiting[turn] = warp_state(*lane).lanes[number];
  meet_for_matrix("wgmma.wait_group", pc);
  // From here on some lanes may have gone on, and have started what comes next.
  WarpState& warp = warp_state(*lane);
  const Progress mine = warp.lanes[number].when_waiting[turn];
  for (const LaneState& other : warp.lanes) {
    if (other.when_waiting[turn] != mine) {
      refuse(*lane, pc, failed_kernel,
             "the lanes of a warp have not started the same products of wgmma before they wait");
    }
  }
  if (mine.committed <= newest) return;
  const std::uint64_t end = warp.groups[mine.committed - 1 - newest].value;
  while (warp.first < end) {
    const WarpProduct& oldest = *warp.pending.front();
    const bool tells = oldest.has_operands;
    const std::size_t operands = oldest.operands;
    {
      const OutsideKernel outside;
      finish_oldest(*lane, warp);
    }
    if (tells) record_event(AsyncEvent::copy_has_read, operands, pc);
  }
}

}  // namespace emulator::detail
