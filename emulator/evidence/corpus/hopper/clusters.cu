// Clusters: each other's shared memory, and their barrier.
#include <cooperative_groups.h>

#include "fixture.cuh"

namespace cg = cooperative_groups;

// Two blocks of 128 threads are a cluster. Each writes its numbers to the other one's memory.
static constexpr unsigned threads = 128;

static void wants_pair(Fixture& t) {
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
static void both_begin_and_end_together(Fixture& t) {
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
static void partner_may_not_have_begun(Fixture& t) {
  exchanges_at_once<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: partner_may_have_ended
// bug: race
// where: out[blockIdx.x * threads + threadIdx.x] = there[threadIdx.x]
// mend: after the last use
// A block reads the other one's memory, which ends when its own reads are done.
__global__ void __cluster_dims__(2) reads_and_ends(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  box[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  const float* const there = cluster.map_shared_rank(box, 1 - cluster.block_rank());
  out[blockIdx.x * threads + threadIdx.x] = there[threadIdx.x];
}
static void partner_may_have_ended(Fixture& t) {
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
static void barrier_of_the_block_only(Fixture& t) {
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
static void relaxed_arrival(Fixture& t) {
  arrives_relaxed<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: rank_of_an_absent_block
// bug: failed-kernel
// where: cluster.map_shared_rank(box, cluster.block_rank() + 1)
// The last block asks for its neighbour's shared memory, and there is no neighbour.
__global__ void __cluster_dims__(2) asks_the_neighbour(float* out) {
  __shared__ float box[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  box[threadIdx.x] = static_cast<float>(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  const float* const there = cluster.map_shared_rank(box, cluster.block_rank() + 1);
  out[blockIdx.x * threads + threadIdx.x] = there[threadIdx.x];
  cluster.sync();
}
static void rank_of_an_absent_block(Fixture& t) {
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
static void one_thread_syncs_the_cluster(Fixture& t) {
  syncs_one_thread<<<2, threads>>>(t.out);
  wants_pair(t);
}

// case: arrives_twice
// bug: misused-barrier
// where: cg::this_cluster().sync()
// A thread that has arrived must wait before it arrives again: cluster.sync() also arrives.
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
static void arrives_twice(Fixture& t) {
  arrives_and_syncs<<<2, threads>>>(t.out);
  wants_pair(t);
}
int main(int argc, char** argv) {
  const Program programs[] = {PROGRAM(both_begin_and_end_together),
                              PROGRAM(partner_may_not_have_begun),
                              PROGRAM(partner_may_have_ended),
                              PROGRAM(barrier_of_the_block_only),
                              PROGRAM(relaxed_arrival),
                              PROGRAM(rank_of_an_absent_block),
                              PROGRAM(one_thread_syncs_the_cluster),
                              PROGRAM(arrives_twice)};
  return run(argc, argv, programs);
}
