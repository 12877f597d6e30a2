// The operands of products of warpgroups (wgmma) in shared memory: which threads may write them
// when, and what their descriptors say.
#include "fixture.cuh"

// ---------------------------------------------------------------- a stage, filled again

// case: stage_free_after_the_wait
// correct
__global__ void refills_after_the_wait(const __grid_constant__ CUtensorMap a,
                                       const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  float d[4];
  for (int step = 0; step < 2; ++step) {
    while (!mbarrier_try_wait_parity(&full, step)) continue;
    fence_products();
    for (int i = 0; i < 4; ++i) {
      MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, step + i > 0);
    }
    commit_products();
    wait_for_products<0>();
    __syncthreads();
    if (step == 0 && threadIdx.x == 0) fill(tiles, &a, &b, 64, &full);
  }
  write_sums(out, d);
}
static void stage_free_after_the_wait(Fixture& t) {
  refills_after_the_wait<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product(0, 128);
}

// case: stage_filled_before_the_wait
// bug: race
// where: MULTIPLY(
// where: cp_async_bulk_tensor(space_cluster, space_global, tiles.a, &a, {64, 0}, &full)
// The next tiles are asked for while the products may still read these.
__global__ void refills_before_the_wait(const __grid_constant__ CUtensorMap a,
                                        const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  float d[4];
  for (int step = 0; step < 2; ++step) {
    while (!mbarrier_try_wait_parity(&full, step)) continue;
    fence_products();
    for (int i = 0; i < 4; ++i) {
      MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, step + i > 0);
    }
    commit_products();
    __syncthreads();
    if (step == 0 && threadIdx.x == 0) {
      expect(&full, sizeof(Tiles));
      cp_async_bulk_tensor(space_cluster, space_global, tiles.a, &a, {64, 0}, &full);
      cp_async_bulk_tensor(space_cluster, space_global, tiles.b, &b, {64, 0}, &full);
    }
    wait_for_products<0>();
  }
  write_sums(out, d);
}
static void stage_filled_before_the_wait(Fixture& t) {
  refills_before_the_wait<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product(0, 128);
}

// case: stage_given_back_before_the_wait
// bug: race
// where: MULTIPLY(
// where: cp_async_bulk_tensor(space_cluster, space_global, tiles.a, &a, {64, 0}, &full)
// A warpgroup says that the stage is empty, and has not waited for its own products.
__global__ void gives_back_before_the_wait(const __grid_constant__ CUtensorMap a,
                                           const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full, empty;
  make(&full, 1);
  make(&empty, 128);
  if (threadIdx.x >= 128) {
    if (threadIdx.x > 128) return;
    fill(tiles, &a, &b, 0, &full);
    while (!mbarrier_try_wait_parity(&empty, 0)) continue;
    expect(&full, sizeof(Tiles));
    cp_async_bulk_tensor(space_cluster, space_global, tiles.a, &a, {64, 0}, &full);
    cp_async_bulk_tensor(space_cluster, space_global, tiles.b, &b, {64, 0}, &full);
    return;
  }
  float d[4];
  for (int step = 0; step < 2; ++step) {
    while (!mbarrier_try_wait_parity(&full, step)) continue;
    fence_products();
    for (int i = 0; i < 4; ++i) {
      MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, step + i > 0);
    }
    commit_products();
    mbarrier_arrive(&empty);
    wait_for_products<0>();
  }
  write_sums(out, d);
}
static void stage_given_back_before_the_wait(Fixture& t) {
  gives_back_before_the_wait<<<1, 160>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product(0, 128);
}

// case: tile_written_before_the_wait
// bug: race
// where: MULTIPLY(
// where: tiles.a[i] = Bf16(0)
// Threads clear the tile, and the products may still read it.
__global__ void clears_before_the_wait(const __grid_constant__ CUtensorMap a,
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
  }
  commit_products();
  for (int i = threadIdx.x; i < 64 * 64; i += 128) tiles.a[i] = Bf16(0);
  wait_for_products<0>();
  write_sums(out, d);
}
static void tile_written_before_the_wait(Fixture& t) {
  clears_before_the_wait<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// ---------------------------------------------------------------- written by threads

// case: tiles_stored_and_fenced
// correct
__global__ void stores_and_fences(const Bf16* a, const Bf16* b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  store_swizzled(tiles.a, a, 64);
  store_swizzled(tiles.b, b, 8);
  fence_proxy_async(space_shared);
  __syncthreads();
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void tiles_stored_and_fenced(Fixture& t) {
  stores_and_fences<<<1, 128>>>(t.a, t.b, t.out);
  t.wants_product();
}

// case: tiles_stored_without_a_fence
// bug: missing-fence
// where: MULTIPLY(
// mend: fence_proxy_async
// No fence after the stores: wgmma reads shared memory by the way of the copies.
__global__ void stores_unfenced(const Bf16* a, const Bf16* b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  store_swizzled(tiles.a, a, 64);
  store_swizzled(tiles.b, b, 8);
  __syncthreads();
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void tiles_stored_without_a_fence(Fixture& t) {
  stores_unfenced<<<1, 128>>>(t.a, t.b, t.out);
  t.wants_product();
}

// ---------------------------------------------------------------- descriptors

// case: swizzle_missing_in_the_descriptor
// bug: misused-barrier
// where: MULTIPLY(
// mend: 62 and 63
// The map swizzles 128 bytes, and the descriptor says that nothing is swizzled.
__global__ void describes_no_swizzle(const __grid_constant__ CUtensorMap a,
                                     const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a, 1024, no_swizzle) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void swizzle_missing_in_the_descriptor(Fixture& t) {
  describes_no_swizzle<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: swizzle_missing_in_the_map
// bug: misused-barrier
// where: MULTIPLY(
// mend: 62 and 63
// The descriptor says 128 bytes, and the map was made with 64: half a row a box.
__global__ void copies_other_swizzle(const __grid_constant__ CUtensorMap a,
                                     const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(Tiles));
    cp_async_bulk_tensor(space_cluster, space_global, tiles.a, &a, {0, 0}, &full);
    cp_async_bulk_tensor(space_cluster, space_global, tiles.a + 2048, &a, {32, 0}, &full);
    cp_async_bulk_tensor(space_cluster, space_global, tiles.b, &b, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void swizzle_missing_in_the_map(Fixture& t) {
  copies_other_swizzle<<<1, 128>>>(t.map_a(CU_TENSOR_MAP_SWIZZLE_64B, 32), t.map_b(), t.out);
  t.wants_product();
}

// case: stride_of_two_tiles
// bug: uninitialised
// where: MULTIPLY(
// From one group of eight rows to the next are 1,024 bytes; these are twice as many.
__global__ void describes_a_long_stride(const __grid_constant__ CUtensorMap a,
                                        const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles[2];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles[0], &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles[0].a, 2048) + 2 * i, describe(tiles[0].b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void stride_of_two_tiles(Fixture& t) {
  describes_a_long_stride<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: matrix_beyond_shared_memory
// bug: out-of-bounds
// where: MULTIPLY(
// The descriptor has an address past the block's shared memory.
__global__ void describes_elsewhere(const __grid_constant__ CUtensorMap a,
                                    const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a) + 2 * i + (240 * 1024 >> 4), describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void matrix_beyond_shared_memory(Fixture& t) {
  describes_elsewhere<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: descriptor_of_each_thread
// bug: failed-kernel
// where: MULTIPLY(
// Each thread makes a descriptor of its own, and the instruction takes one for the warp.
__global__ void describes_own_rows(const __grid_constant__ CUtensorMap a,
                                   const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  const Bf16* const row = tiles.a + threadIdx.x % 8 * 64;
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(row) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void descriptor_of_each_thread(Fixture& t) {
  describes_own_rows<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

// case: tile_aside_of_the_pattern
// correct
// The pattern of the swizzle repeats every 1,024 bytes. Copies and products both count its rows by
// the address, and so a tile may begin in its midst if it was copied there.
__global__ void fills_in_the_midst(const __grid_constant__ CUtensorMap a,
                                   const __grid_constant__ CUtensorMap b, float* out) {
  __shared__ alignas(1024) Bf16 memory[256 + sizeof(Tiles) / 2];
  __shared__ alignas(8) Barrier full;
  Tiles& tiles = *reinterpret_cast<Tiles*>(memory + 256);
  make(&full, 1);
  if (threadIdx.x == 0) fill(tiles, &a, &b, 0, &full);
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  float d[4];
  fence_products();
  for (int i = 0; i < 4; ++i) {
    MULTIPLY(d, describe(tiles.a) + 2 * i, describe(tiles.b) + 2 * i, i > 0);
  }
  commit_products();
  wait_for_products<0>();
  write_sums(out, d);
}
static void tile_aside_of_the_pattern(Fixture& t) {
  fills_in_the_midst<<<1, 128>>>(t.map_a(), t.map_b(), t.out);
  t.wants_product();
}

int main(int argc, char** argv) {
  const Program programs[] = {PROGRAM(stage_free_after_the_wait),
                              PROGRAM(stage_filled_before_the_wait),
                              PROGRAM(stage_given_back_before_the_wait),
                              PROGRAM(tile_written_before_the_wait),
                              PROGRAM(tiles_stored_and_fenced),
                              PROGRAM(tiles_stored_without_a_fence),
                              PROGRAM(swizzle_missing_in_the_descriptor),
                              PROGRAM(swizzle_missing_in_the_map),
                              PROGRAM(stride_of_two_tiles),
                              PROGRAM(matrix_beyond_shared_memory),
                              PROGRAM(descriptor_of_each_thread),
                              PROGRAM(tile_aside_of_the_pattern)};
  return run(argc, argv, programs);
}
