/// @file
/// Hopper's own instructions, as functions: barriers in shared memory that count bytes, copies of
/// tiles by tensor maps, and what products of warpgroups need; the products are in products.hpp.
///
/// wgmma exists only in machine code for sm_90a. In code for any other architecture these functions
/// do not exist, and kernels are empty: COURSE_WITHOUT_WGMMA is defined there.
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define COURSE_WITHOUT_WGMMA
#endif

namespace hopper {

/// A barrier in shared memory. A *phase* of it ends after the number of arrivals given to init()
/// and the number of bytes given to expect(). Phases are numbered 0, 1, 0, 1, ... by their parity.
using Barrier = std::uint64_t;

#ifndef COURSE_WITHOUT_WGMMA

/// An address for instructions that only access shared memory: 32 bits.
inline __device__ std::uint32_t address_of(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

// ---------------------------------------------------------------- barriers

inline __device__ void init(Barrier& barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&barrier)), "r"(arrivals)
               : "memory");
}

/// After the last init(), and before the __syncthreads() that makes the barriers known: another
/// unit does the copies, and must also see the barriers.
inline __device__ void fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// One arrival, and this many bytes to wait for.
inline __device__ void expect(Barrier& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
               "r"(bytes)
               : "memory");
}

/// One arrival at the same barrier of the block with that rank in the cluster.
inline __device__ void arrive_at(Barrier& barrier, int rank) {
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
      "}" ::"r"(address_of(&barrier)),
      "r"(rank)
      : "memory");
}

/// One arrival.
inline __device__ void arrive(Barrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(&barrier)) : "memory");
}

/// Waits until the phase of this parity has ended. For a barrier that has not been used yet, phase
/// 1 counts as ended.
inline __device__ void wait(Barrier& barrier, unsigned parity) {
  std::uint32_t ended = 0;
#ifdef COURSE_BOUND_WAITS  // for debugging a hang
  for (int tries = 0; ended == 0; ++tries) {
    if (tries == 1 << 22) __trap();
#else
  while (ended == 0) {
#endif
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(ended)
        : "r"(address_of(&barrier)), "r"(parity)
        : "memory");
  }
}

// ---------------------------------------------------------------- copies by tensor maps

/// The map will soon be used: it is fetched meanwhile.
inline __device__ void prefetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<std::uint64_t>(&map)) : "memory");
}

/// Starts the copy of a box to shared memory: the box of the map whose first element is in this
/// column and row. Its bytes count for `full`. One thread calls it for the whole block.
inline __device__ void copy_in(void* to, const CUtensorMap& map, int column, int row,
                               Barrier& full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(address_of(to)),
      "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row), "r"(address_of(&full))
      : "memory");
}

/// The same to all blocks of the cluster whose bits are set, to the same address in each, and
/// counted by the same barrier in each.
inline __device__ void copy_in_multicast(void* to, const CUtensorMap& map, int column, int row,
                                         Barrier& full, int blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address_of(to)),
      "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row), "r"(address_of(&full)),
      "h"(static_cast<std::uint16_t>(blocks))
      : "memory");
}

/// Starts the copy of a box from shared memory. What is out of bounds is not written.
inline __device__ void copy_out(const CUtensorMap& map, int column, int row, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                   reinterpret_cast<std::uint64_t>(&map)),
               "r"(column), "r"(row), "r"(address_of(from))
               : "memory");
}

/// Ends a group of copies out: all that this thread has started since the previous group.
inline __device__ void commit_copies_out() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until all but the newest `but` groups have read shared memory.
template <int but>
__device__ void wait_until_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(but) : "memory");
}

/// After this, copies out may read what this thread has written to shared memory.
inline __device__ void fence_for_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Four matrices of 8 x 8 numbers of 2 bytes, from the lanes' registers to shared memory. Lane l
/// gives the address of row l % 8 of matrix l / 8; of each matrix it has two numbers of row l / 4,
/// or, `transposed`, of column l / 4.
template <bool transposed>
__device__ void store_matrices(void* row, const std::uint32_t (&from)[4]) {
  if constexpr (transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     address_of(row)),
                 "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
                 : "memory");
  } else {
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address_of(row)),
        "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
        : "memory");
  }
}

// ---------------------------------------------------------------- blocks and warpgroups

/// This block's number in its cluster.
inline __device__ int rank_in_cluster() {
  std::uint32_t rank = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return static_cast<int>(rank);
}

/// The number of blocks in this cluster.
inline __device__ int blocks_in_cluster() {
  std::uint32_t blocks = 0;
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  return static_cast<int>(blocks);
}

/// Four numbers from the same place in the shared memory of the block with that rank.
inline __device__ float4 load_from(const float4* shared, int rank) {
  float4 four;
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %4, %5;\n"
      "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [there];\n"
      "}"
      : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
      : "r"(address_of(shared)), "r"(rank)
      : "memory");
  return four;
}

/// A __syncthreads() of all blocks of the cluster.
inline __device__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/// The same without a fence: what threads have written need not be known to the others.
inline __device__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
}

/// After this a thread of this warpgroup has this many registers: fewer than before ...
template <int registers>
__device__ void setmaxnreg_dec() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
/// ... or more. It waits until enough are free.
template <int registers>
__device__ void setmaxnreg_inc() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// ---------------------------------------------------------------- products of warpgroups

/// Before the first of a series of products: they use registers and shared memory as the thread
/// left them.
inline __device__ void fence_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// Ends a group of products.
inline __device__ void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until all but the newest `but` groups are done: their tiles are read, their sums written.
template <int but>
__device__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(but) : "memory");
}

/// The descriptor of a tile of A: rows of 128 bytes (64 numbers along k), swizzled, in groups of
/// eight rows. A step of 16 along k is 32 bytes: 2, in the descriptor's units of 16 bytes.
inline __device__ std::uint64_t describe_A(const void* tile) {
  constexpr std::uint64_t eight_rows = 1024 / 16;
  constexpr std::uint64_t swizzle_128 = 1;
  return (address_of(tile) & 0x3FFFFU) >> 4 | eight_rows << 32 | swizzle_128 << 62;
}

/// The descriptor of a tile of B: slabs of 64 columns, in each of which a row of 128 bytes is one
/// of B. A step of 16 along k is 16 rows, 2,048 bytes.
/// @param slab bytes from one slab to the next
inline __device__ std::uint64_t describe_B(const void* tile, std::uint64_t slab) {
  constexpr std::uint64_t eight_rows = 1024 / 16;
  constexpr std::uint64_t swizzle_128 = 1;
  return (address_of(tile) & 0x3FFFFU) >> 4 | slab / 16 << 16 | eight_rows << 32 |
         swizzle_128 << 62;
}

#endif

}  // namespace hopper
