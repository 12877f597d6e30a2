// Products of warpgroups (wgmma): their operands in shared memory, their sums in registers, and
// when both may be touched.
#include "fixture.cuh"

// ---------------------------------------------------------------- in which order

// case: one_product
// correct
__global__ void multiplies(const __grid_constant__ CUtensorMap a,
                           const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void one_product(Fixture& t) {
  multiplies<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: tile_not_waited_for
// bug: race
// where: MULTIPLY(
// The product begins before the copies have brought its tiles.
__global__ void multiplies_at_once(const __grid_constant__ CUtensorMap a,
                                   const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  __syncthreads();
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  commit_products();
  wait_for_products<0>();
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  write_sums(out, d);
}
static void tile_not_waited_for(Fixture& t) {
  multiplies_at_once<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: no_fence_before_the_first
// bug: missing-fence
// where: MULTIPLY(
// mend: wgmma.fence
// Without wgmma.fence nothing orders what the thread did to its registers before the product.
__global__ void multiplies_unfenced(const __grid_constant__ CUtensorMap a,
                                    const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4] = {1, 1, 1, 1};
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, true);
  commit_products();
  wait_for_products<0>();
  for (float& one : d) one -= 1;
  write_sums(out, d);
}
static void no_fence_before_the_first(Fixture& t) {
  multiplies_unfenced<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: sums_scaled_between_two
// correct
__global__ void scales_fenced(const __grid_constant__ CUtensorMap a,
                              const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      for (float& one : d) one += static_cast<float>(i);
    }
    fence_products();
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
    commit_products();
    wait_for_products<0>();
  }
  for (float& one : d) one -= 6;
  write_sums(out, d);
}
static void sums_scaled_between_two(Fixture& t) {
  scales_fenced<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: sums_changed_without_a_fence
// bug: missing-fence
// where: MULTIPLY(
// mend: wgmma.fence
// Between two products the thread changes the sums, and no fence says so.
__global__ void scales_unfenced(const __grid_constant__ CUtensorMap a,
                                const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4] = {};
  fence_products();
  for (int i = 0; i < 4; ++i) {
    for (float& one : d) one += static_cast<float>(i);
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, true);
    commit_products();
    wait_for_products<0>();
  }
  for (float& one : d) one -= 6;
  write_sums(out, d);
}
static void sums_changed_without_a_fence(Fixture& t) {
  scales_unfenced<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: no_commit
// bug: misused-barrier
// where: MULTIPLY(
// mend: wgmma.commit_group
// The products are in no group: the wait is for none.
__global__ void commits_nothing(const __grid_constant__ CUtensorMap a,
                                const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  wait_for_products<0>();
  write_sums(out, d);
}
static void no_commit(Fixture& t) {
  commits_nothing<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: no_wait
// bug: misused-barrier
// where: MULTIPLY(
// mend: wgmma.wait_group
// The sums are read while they are being computed.
__global__ void waits_never(const __grid_constant__ CUtensorMap a,
                            const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  commit_products();
  write_sums(out, d);
}
static void no_wait(Fixture& t) {
  waits_never<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: wait_for_all_but_one
// bug: misused-barrier
// where: MULTIPLY(
// mend: wgmma.wait_group
// The wait leaves out the newest group, whose sums are read.
__global__ void waits_for_older(const __grid_constant__ CUtensorMap a,
                                const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
    commit_products();
  }
  wait_for_products<1>();
  write_sums(out, d);
}
static void wait_for_all_but_one(Fixture& t) {
  waits_for_older<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: one_warp_of_four
// bug: misused-barrier
// where: MULTIPLY(
// mend: warpgroup
// Only the first warp of the warpgroup comes to the product.
__global__ void one_warp_multiplies(const __grid_constant__ CUtensorMap a,
                                    const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  if (threadIdx.x >= 32) return;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void one_warp_of_four(Fixture& t) {
  one_warp_multiplies<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.compare(128, [](int i) { return Fixture::sum(i, 0, 64); });
}

// case: block_of_two_warps
// bug: failed-kernel
// where: MULTIPLY(
// The block is too small for a warpgroup.
__global__ void two_warps_multiply(const __grid_constant__ CUtensorMap a,
                                   const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i)
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void block_of_two_warps(Fixture& t) {
  two_warps_multiply<<<1, 64>>>(t.map_a(), t.map_b(), t.out);
  t.compare(256, [](int i) { return Fixture::sum(i, 0, 64); });
}

int main(int argc, char** argv) {
  const Program programs[] = {PROGRAM(one_product),
                              PROGRAM(tile_not_waited_for),
                              PROGRAM(no_fence_before_the_first),
                              PROGRAM(sums_scaled_between_two),
                              PROGRAM(sums_changed_without_a_fence),
                              PROGRAM(no_commit),
                              PROGRAM(no_wait),
                              PROGRAM(wait_for_all_but_one),
                              PROGRAM(one_warp_of_four),
                              PROGRAM(block_of_two_warps)};
  return run(argc, argv, programs);
}
