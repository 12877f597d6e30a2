// Copies to several blocks of a cluster, and stages that they share.
#include <cooperative_groups.h>

#include "fixture.cuh"

namespace cg = cooperative_groups;

// Two blocks of 128 threads are a cluster.
static constexpr unsigned threads = 128;

// ---------------------------------------------------------------- copies to several blocks

// case: multicast_to_both
// correct
__global__ void __cluster_dims__(2)
    copies_to_both(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) expect(&full, sizeof(tile));
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full, 3);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[blockIdx.x * threads + threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void wants_both(Fixture& t) {
  t.compare(256, [](int i) { return static_cast<float>(127 - i % 128); });
}
static void multicast_to_both(Fixture& t) {
  copies_to_both<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  wants_both(t);
}

// case: mask_of_an_absent_block
// bug: failed-kernel
// where: cp_async_bulk_tensor(
// The mask has the bits of blocks 0 and 2, and the cluster has blocks 0 and 1.
__global__ void __cluster_dims__(2)
    copies_to_absent(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) expect(&full, sizeof(tile));
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full, 5);
  }
  while (blockIdx.x == 0 && !mbarrier_try_wait_parity(&full, 0)) continue;
  if (blockIdx.x == 0) out[threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void mask_of_an_absent_block(Fixture& t) {
  copies_to_absent<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  t.wants_turned(128, 128);
}

// case: mask_without_the_partner
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(
// mend: bytes
// The mask leaves out block 1, which waits.
__global__ void __cluster_dims__(2)
    copies_to_one(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) expect(&full, sizeof(tile));
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full, 1);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[blockIdx.x * threads + threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void mask_without_the_partner(Fixture& t) {
  copies_to_one<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  wants_both(t);
}

// case: partner_expects_nothing
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(
// Only the block that copies says how many bytes come; each barrier must be told.
__global__ void __cluster_dims__(2)
    expects_in_one(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0 && blockIdx.x == 0) expect(&full, sizeof(tile));
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full, 3);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[blockIdx.x * threads + threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void partner_expects_nothing(Fixture& t) {
  expects_in_one<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  wants_both(t);
}

// case: halves_for_both
// correct
__global__ void __cluster_dims__(2)
    copies_a_half(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) expect(&full, sizeof(tile));
  cg::this_cluster().sync();
  const int rank = static_cast<int>(cg::this_cluster().block_rank());
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile + 64 * rank, &map, {0, 2 * rank}, &full,
                         3);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[blockIdx.x * threads + threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void halves_for_both(Fixture& t) {
  copies_a_half<<<2, threads>>>(t.rows_of(t.in, 2), t.out);
  wants_both(t);
}

// case: only_its_own_half_expected
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(
// mend: bytes
// Each block expects its own half, but two come, one from each.
__global__ void __cluster_dims__(2)
    expects_its_half(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) expect(&full, sizeof(tile) / 2);
  cg::this_cluster().sync();
  const int rank = static_cast<int>(cg::this_cluster().block_rank());
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile + 64 * rank, &map, {0, 2 * rank}, &full,
                         3);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[blockIdx.x * threads + threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void only_its_own_half_expected(Fixture& t) {
  expects_its_half<<<2, threads>>>(t.rows_of(t.in, 2), t.out);
  wants_both(t);
}

// case: barrier_not_made_yet
// bug: misused-barrier
// where: cp_async_bulk_tensor(
// The copy may come to a block that has not made its barrier: only this block's threads have met.
__global__ void __cluster_dims__(2)
    copies_too_early(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) expect(&full, sizeof(tile));
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full, 3);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[blockIdx.x * threads + threadIdx.x] = tile[127 - threadIdx.x];
  cg::this_cluster().sync();
}
static void barrier_not_made_yet(Fixture& t) {
  copies_too_early<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  wants_both(t);
}

// ---------------------------------------------------------------- a stage of both blocks

// case: both_give_back
// correct
__global__ void __cluster_dims__(2)
    waits_for_both(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full, empty;
  make(&full, 1);
  make(&empty, 2 * threads);
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  for (int step = 0; step < 2; ++step) {
    if (threadIdx.x == 0) expect(&full, sizeof(tile));
    cluster.sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      while (step > 0 && !mbarrier_try_wait_parity(&empty, 0)) continue;
      cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 4 * step}, &full, 3);
    }
    while (!mbarrier_try_wait_parity(&full, step)) continue;
    out[(2 * step + blockIdx.x) * threads + threadIdx.x] = tile[127 - threadIdx.x];
    mbarrier_arrive(sem_release, scope_cluster, space_cluster, cluster.map_shared_rank(&empty, 0));
  }
  cluster.sync();
}
static void both_give_back(Fixture& t) {
  waits_for_both<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  t.compare(512, [](int i) { return static_cast<float>(i / 256 * 128 + 127 - i % 128); });
}

// case: partner_still_reads
// bug: race
// where: cp_async_bulk_tensor(
// The copy goes to both blocks, and only the own threads have given the stage back.
__global__ void __cluster_dims__(2)
    waits_for_its_own(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[threads];
  __shared__ alignas(8) Barrier full, empty;
  make(&full, 1);
  make(&empty, threads);
  for (int step = 0; step < 2; ++step) {
    if (threadIdx.x == 0) expect(&full, sizeof(tile));
    if (step == 0) cg::this_cluster().sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      while (step > 0 && !mbarrier_try_wait_parity(&empty, 0)) continue;
      cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 4 * step}, &full, 3);
    }
    while (!mbarrier_try_wait_parity(&full, step)) continue;
    out[(2 * step + blockIdx.x) * threads + threadIdx.x] = tile[127 - threadIdx.x];
    mbarrier_arrive(&empty);
  }
  cg::this_cluster().sync();
}
static void partner_still_reads(Fixture& t) {
  waits_for_its_own<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  t.compare(512, [](int i) { return static_cast<float>(i / 256 * 128 + 127 - i % 128); });
}
int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(multicast_to_both),        PROGRAM(mask_of_an_absent_block),
      PROGRAM(mask_without_the_partner), PROGRAM(partner_expects_nothing),
      PROGRAM(halves_for_both),          PROGRAM(only_its_own_half_expected),
      PROGRAM(barrier_not_made_yet),     PROGRAM(both_give_back),
      PROGRAM(partner_still_reads)};
  return run(argc, argv, programs);
}
