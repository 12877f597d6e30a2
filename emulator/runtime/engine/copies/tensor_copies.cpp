/// \file
/// Bulk copies of boxes of tensors, between their start and their end: what kernels call, and how
/// bytes get where the tensor map wants them.

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/device/clusters.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"

namespace emulator::engine {
namespace {

constexpr std::uintptr_t map_alignment = 64;
constexpr std::uintptr_t tile_alignment = 128;

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are what was kept
void* memory_at(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);
}
// NOLINTEND(performance-no-int-to-ptr)

// The map as it is now: a later change of it changes nothing of this copy.
TensorMap map_at(Lane& lane, const void* pointer, unsigned rank, const void* pc) {
  if (address_of(pointer) % map_alignment != 0) {
    refuse(lane, pc, misaligned,
           "a tensor map's address is not a multiple of 64: as a parameter of the kernel it must "
           "be const __grid_constant__ CUtensorMap");
  }
  if (lane.worker->is_shared_of_cluster(address_of(pointer))) {
    refuse(lane, pc, wrong_space, "a tensor map is in shared memory");
  }
  touch(pointer, sizeof(TensorMap));
  TensorMap map;
  std::memcpy(&map, pointer, sizeof(map));
  if (map.magic != TensorMap::magic_number) {
    refuse(lane, pc, failed_kernel,
           "a copy names a tensor map that cuTensorMapEncodeTiled() has not made: it must be in "
           "device memory or a parameter of the kernel");
  }
  if (rank != 0 && map.rank != rank) {
    refuse(lane, pc, failed_kernel,
           "the tensor map has %u dimensions, and the instruction is for %u", map.rank, rank);
  }
  return map;
}

std::array<int, 5> corner_of(const BoxCorner& corner) {
  std::array<int, 5> at{};
  std::copy_n(corner.at, corner.rank, at.begin());
  return at;
}

// The tile, if all about it is right.
TensorTile checked_tile(Lane& lane, const TensorMap& map, const BoxCorner& corner,
                        const void* shared, const void* pc) {
  if (address_of(shared) % tile_alignment != 0) {
    refuse(lane, pc, misaligned,
           "a copy of a tensor has a shared memory address that is not a multiple of 128");
  }
  // An H200 ends with this error.
  const int begin = corner.at[0] * static_cast<int>(element_bytes(map.type));
  if (begin % 16 != 0) {
    refuse(lane, pc, {"misaligned", cudaErrorIllegalInstruction},
           "a box of a tensor begins %d bytes into a row: that must be a multiple of 16", begin);
  }
  TensorTile tile = tile_of(map, corner_of(corner), address_of(shared));
  if (!lane.worker->is_shared_of_cluster(address_of(shared)) ||
      !lane.worker->is_shared_of_cluster(address_of(shared) + tile.bytes - 1)) {
    refuse(lane, pc, wrong_space, "a bulk copy's shared side is not in shared memory");
  }
  return tile;
}

// Once the copy has been recorded: what is wrong with its memory is then found at its line.
void touch_tensor(const TensorTile& tile) {
  for (const TilePiece& piece : tile.pieces) {
    if (piece.global != 0) touch(memory_at(piece.global), piece.bytes);
  }
}

void fill(const TilePiece& piece, std::uint32_t with) {
  auto* const to = static_cast<unsigned char*>(memory_at(piece.shared));
  const std::array<unsigned char, 4> bytes{
      static_cast<unsigned char>(with), static_cast<unsigned char>(with >> 8),
      static_cast<unsigned char>(with >> 16), static_cast<unsigned char>(with >> 24)};
  for (std::uint32_t i = 0; i < piece.bytes; ++i) to[i] = bytes[(piece.shared + i) % 4];
}

void start_copy_in(Lane& lane, void* shared, const void* pointer, const BoxCorner& corner, void* at,
                   const void* pc, bool is_repeated = false) {
  const TensorMap map = map_at(lane, pointer, corner.rank, pc);
  TensorTile tile = checked_tile(lane, map, corner, shared, pc);
  Mbarrier& barrier = barrier_at(lane, at, pc);
  BlockBarriers& all = block_barriers();
  const std::size_t number = all.copies.size();
  const std::size_t bytes = tile.bytes;
  all.copies.push_back({.to = address_of(shared),
                        .from = map.address,
                        .bytes = bytes,
                        .is_in = true,
                        .thread = thread_of(lane),
                        .site = address_of(pc),
                        .barrier = barrier.address,
                        .barrier_number = barrier.number,
                        .tile = std::move(tile),
                        .swizzle = map.swizzle,
                        .is_repeated = is_repeated});
  barrier.copies.push_back({number});
  record_bulk_copy(number, true, pc);
  touch_tensor(all.copies[number].tile);
}

}  // namespace

// ---------------------------------------------------------------- the bytes

void write_shared(const BulkCopy& copy) {
  if (copy.is_store) {
    write_store(copy);
    return;
  }
  copy.for_each_piece([&](const TilePiece& piece) {
    if (piece.global == 0) {
      fill(piece, copy.tile.fill);
    } else {
      std::memcpy(memory_at(piece.shared), memory_at(piece.global), piece.bytes);
    }
  });
}

void read_shared(BulkCopy& copy) {
  copy.value.resize(copy.bytes);
  std::size_t at = 0;
  copy.for_each_piece([&](const TilePiece& piece) {
    std::memcpy(copy.value.data() + at, memory_at(piece.shared), piece.bytes);
    at += piece.bytes;
  });
}

void write_global(const BulkCopy& copy) {
  std::size_t at = 0;
  copy.for_each_piece([&](const TilePiece& piece) {
    std::memcpy(memory_at(piece.global), copy.value.data() + at, piece.bytes);
    at += piece.bytes;
  });
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void tensor_copy_in(void* shared, const void* map, BoxCorner corner, void* barrier) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane != nullptr) start_copy_in(*lane, shared, map, corner, barrier, pc);
}

void tensor_copy_in_multicast(void* shared, const void* map, BoxCorner corner, void* barrier,
                              unsigned blocks) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  bool is_repeated = false;
  for (unsigned rest = checked_blocks(*lane, blocks, pc); rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<unsigned>(std::countr_zero(rest));
    start_copy_in(*lane, shared_of_block(shared, rank), map, corner, shared_of_block(barrier, rank),
                  pc, is_repeated);
    is_repeated = true;
  }
}

void tensor_copy_out(const void* pointer, BoxCorner corner, const void* shared) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  const TensorMap map = map_at(*lane, pointer, corner.rank, pc);
  TensorTile tile = checked_tile(*lane, map, corner, shared, pc);
  // What is outside the tensor is not read, as nothing is written there.
  std::erase_if(tile.pieces, [](const TilePiece& piece) { return piece.global == 0; });
  BlockBarriers& all = block_barriers();
  all.used = true;
  const std::size_t number = all.copies.size();
  const std::size_t bytes = tile.bytes_inside;
  all.copies.push_back({.to = map.address,
                        .from = address_of(shared),
                        .bytes = bytes,
                        .is_in = false,
                        .thread = thread_of(*lane),
                        .site = address_of(pc),
                        .tile = std::move(tile),
                        .swizzle = map.swizzle});
  AsyncCopies& pending = copies_of(*lane);
  pending.out.push_back({number});
  ++pending.out_open;
  record_bulk_copy(number, false, pc);
  touch_tensor(all.copies[number].tile);
}

void tensor_prefetch(const void* map, BoxCorner corner) {
  const void* const pc = __builtin_return_address(0);
  if (current_lane != nullptr) map_at(*current_lane, map, corner.rank, pc);
}

void tensor_map_prefetch(const void* map) {
  const void* const pc = __builtin_return_address(0);
  if (current_lane != nullptr) map_at(*current_lane, map, 0, pc);
}

}  // namespace emulator::detail
