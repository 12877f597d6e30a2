// Clusters: each other's shared memory, barriers in it, and copies to several blocks.
#include <cooperative_groups.h>

#include "things.cuh"

namespace cg = cooperative_groups;

// Two blocks of 128 threads are a cluster. Each writes its numbers to the other one's memory.
static constexpr unsigned threads = 128;

static void wants_pair(Things& t) {
  t.compare(256, [](int i) { return static_cast<float>((i + 128) % 256); });
}

// ---------------------------------------------------------------- each other's shared memory

// case: both_begin_and_end_together
// correct
__global__ void __cluster_dims__(2) exchanges(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  there[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
}
static void both_begin_and_end_together(Things& t) {
  exchanges<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: partner_may_not_have_begun
// bug: race
// where: there[threadIdx.x] = static_cast<float>(
// mend: before the first use
// Nobody knows that the other block runs already.
__global__ void __cluster_dims__(2) exchanges_at_once(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  there[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
}
static void partner_may_not_have_begun(Things& t) {
  exchanges_at_once<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: partner_may_have_ended
// bug: race
// where: out[blockIdx.x * threads + threadIdx.x] = there[threadIdx.x]
// mend: behind the last use
// A block reads the other one's memory, which ends when its own reads are done.
__global__ void __cluster_dims__(2) reads_and_ends(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  box[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  const float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  out[blockIdx.x * threads + threadIdx.x] = there[threadIdx.x];
}
static void partner_may_have_ended(Things& t) {
  reads_and_ends<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: barrier_of_the_block_only
// bug: race
// where: there[threadIdx.x] = static_cast<float>(
// where: out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x]
// __syncthreads() waits for this block's threads; those that write here are the other one's.
__global__ void __cluster_dims__(2) syncs_the_block(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  there[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
  cluster.sync();
}
static void barrier_of_the_block_only(Things& t) {
  syncs_the_block<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: relaxed_arrival
// bug: race
// where: there[threadIdx.x] = static_cast<float>(
// where: out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x]
// An arrival that is relaxed hands over nothing that was written before.
__global__ void __cluster_dims__(2) arrives_relaxed(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  there[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;" ::
                   : "memory");
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
}
static void relaxed_arrival(Things& t) {
  arrives_relaxed<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: rank_of_an_absent_block
// bug: failed-kernel
// where: cluster.map_shared_rank(box, cluster.block_rank() + 1)
// The last block's neighbour is asked for, and there is none.
__global__ void __cluster_dims__(2) asks_the_neighbour(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  box[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  const float* const there = cluster.map_shared_rank(box, cluster.block_rank() + 1);
  out[blockIdx.x * threads + threadIdx.x] = there[threadIdx.x];
  cluster.sync();
}
static void rank_of_an_absent_block(Things& t) {
  asks_the_neighbour<<<2, threads>>>(t.out);
  t.compare(128, [](int i) { return static_cast<float>(i + 128); });
}

// case: one_thread_syncs_the_cluster
// bug: divergent-barrier
// where: if (threadIdx.x == 0) cluster.sync()
// One thread comes to the barrier of the cluster, which is for all threads of all its blocks.
__global__ void __cluster_dims__(2) syncs_one_thread(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  there[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  if (threadIdx.x == 0) cluster.sync();
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
}
static void one_thread_syncs_the_cluster(Things& t) {
  syncs_one_thread<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: arrives_twice
// bug: misused-barrier
// where: cg::this_cluster().sync()
// A thread that has arrived must wait before it arrives anew: cluster.sync() arrives, too.
__global__ void __cluster_dims__(2) arrives_and_syncs(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  there[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  cg::this_cluster().sync();
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
}
static void arrives_twice(Things& t) {
  arrives_and_syncs<<<2, threads>>>(t.out);
  wants_pair(t);
}

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
static void wants_both(Things& t) {
  t.compare(256, [](int i) { return static_cast<float>(127 - i % 128); });
}
static void multicast_to_both(Things& t) {
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
static void mask_of_an_absent_block(Things& t) {
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
static void mask_without_the_partner(Things& t) {
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
static void partner_expects_nothing(Things& t) {
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
static void halves_for_both(Things& t) {
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
static void only_its_own_half_expected(Things& t) {
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
static void barrier_not_made_yet(Things& t) {
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
static void both_give_back(Things& t) {
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
static void partner_still_reads(Things& t) {
  waits_for_its_own<<<2, threads>>>(t.rows_of(t.in, 4), t.out);
  t.compare(512, [](int i) { return static_cast<float>(i / 256 * 128 + 127 - i % 128); });
}

int main(int argc, char** argv) {
  const Program programs[] = {PROGRAM(both_begin_and_end_together),
                              PROGRAM(partner_may_not_have_begun),
                              PROGRAM(partner_may_have_ended),
                              PROGRAM(barrier_of_the_block_only),
                              PROGRAM(relaxed_arrival),
                              PROGRAM(rank_of_an_absent_block),
                              PROGRAM(one_thread_syncs_the_cluster),
                              PROGRAM(arrives_twice),
                              PROGRAM(multicast_to_both),
                              PROGRAM(mask_of_an_absent_block),
                              PROGRAM(mask_without_the_partner),
                              PROGRAM(partner_expects_nothing),
                              PROGRAM(halves_for_both),
                              PROGRAM(only_its_own_half_expected),
                              PROGRAM(barrier_not_made_yet),
                              PROGRAM(both_give_back),
                              PROGRAM(partner_still_reads)};
  return run(argc, argv, programs);
}
