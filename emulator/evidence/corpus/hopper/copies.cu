// Copies in bulk and of boxes of tensors: when a tile may be read, overwritten and left, and what a
// copy may be of.
#include "fixture.cuh"

// ---------------------------------------------------------------- when a tile may be read

// case: tile_after_its_phase
// correct
__global__ void waits_then_reads(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void tile_after_its_phase(Fixture& t) {
  waits_then_reads<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: tile_before_its_phase
// bug: race
// where: out[threadIdx.x] = tile[255 - threadIdx.x]
// __syncthreads() waits for threads, and not for copies: the phase is waited for too late.
__global__ void reads_then_waits(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
}
static void tile_before_its_phase(Fixture& t) {
  reads_then_waits<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: wait_without_a_loop
// bug: race
// where: out[threadIdx.x] = tile[255 - threadIdx.x]
// There is one try_wait, which may come back before the phase has ended, and says so.
__global__ void tries_once(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  __syncthreads();
  mbarrier_try_wait_parity(&full, 0);
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void wait_without_a_loop(Fixture& t) {
  tries_once<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: nobody_waits
// bug: misused-barrier
// where: cp_async_bulk_tensor(
// The block ends while a copy to its shared memory is on the way.
__global__ void fetches_in_vain(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  out[threadIdx.x] = 255 - static_cast<float>(threadIdx.x);
}
static void nobody_waits(Fixture& t) {
  fetches_in_vain<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// ---------------------------------------------------------------- when a stage may be refilled

// case: stage_given_back
// correct
__global__ void gives_back(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[2][256];
  __shared__ alignas(8) Barrier full[2], empty[2];
  for (int s = 0; s < 2; ++s) {
    make(&full[s], 1);
    make(&empty[s], 256);
  }
  for (int step = 0; threadIdx.x >= 256 && step < 4; ++step) {
    if (threadIdx.x > 256) return;
    while (!mbarrier_try_wait_parity(&empty[step % 2], step / 2 ^ 1)) continue;
    expect(&full[step % 2], sizeof(tile[0]));
    cp_async_bulk_tensor(space_cluster, space_global, tile[step % 2], &map, {0, 8 * step},
                         &full[step % 2]);
  }
  for (int step = 0; threadIdx.x < 256 && step < 4; ++step) {
    while (!mbarrier_try_wait_parity(&full[step % 2], step / 2)) continue;
    out[256 * step + threadIdx.x] = tile[step % 2][255 - threadIdx.x];
    mbarrier_arrive(&empty[step % 2]);
  }
}
static void stage_given_back(Fixture& t) {
  gives_back<<<1, 288>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(1024);
}

// case: stage_filled_while_read
// bug: race
// where: cp_async_bulk_tensor(space_cluster, space_global, tile[step % 2], &map, {0, 8 * step},
// where: out[256 * step + threadIdx.x] = tile[step % 2][255 - threadIdx.x]
// Threads give the stage back before they have read it.
__global__ void gives_back_early(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[2][256];
  __shared__ alignas(8) Barrier full[2], empty[2];
  for (int s = 0; s < 2; ++s) {
    make(&full[s], 1);
    make(&empty[s], 256);
  }
  for (int step = 0; threadIdx.x >= 256 && step < 4; ++step) {
    if (threadIdx.x > 256) return;
    while (!mbarrier_try_wait_parity(&empty[step % 2], step / 2 ^ 1)) continue;
    expect(&full[step % 2], sizeof(tile[0]));
    cp_async_bulk_tensor(space_cluster, space_global, tile[step % 2], &map, {0, 8 * step},
                         &full[step % 2]);
  }
  for (int step = 0; threadIdx.x < 256 && step < 4; ++step) {
    while (!mbarrier_try_wait_parity(&full[step % 2], step / 2)) continue;
    mbarrier_arrive(&empty[step % 2]);
    out[256 * step + threadIdx.x] = tile[step % 2][255 - threadIdx.x];
  }
}
static void stage_filled_while_read(Fixture& t) {
  gives_back_early<<<1, 288>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(1024);
}

// ---------------------------------------------------------------- out of shared memory

// case: fence_before_the_copy_out
// correct
__global__ void fences_and_copies(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[256];
  tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x);
  fence_proxy_async(space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_global, space_shared, &map, {0, 0}, tile);
    cp_async_bulk_commit_group();
    cp_async_bulk_wait_group_read(n32_t<0>());
    tile[0] = -2;
  }
}
static void fence_before_the_copy_out(Fixture& t) {
  fences_and_copies<<<1, 256>>>(t.rows_of(t.out, 8));
  t.wants_turned(256);
}

// case: no_fence_before_the_copy_out
// bug: missing-fence
// where: tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x)
// where: cp_async_bulk_tensor(
// mend: fence_proxy_async
// No fence after the stores: the unit that copies has a way of its own to shared memory.
__global__ void copies_without_a_fence(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[256];
  tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_global, space_shared, &map, {0, 0}, tile);
    cp_async_bulk_commit_group();
    cp_async_bulk_wait_group_read(n32_t<0>());
  }
}
static void no_fence_before_the_copy_out(Fixture& t) {
  copies_without_a_fence<<<1, 256>>>(t.rows_of(t.out, 8));
  t.wants_turned(256);
}

// case: fence_of_one_thread
// bug: missing-fence
// where: tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x)
// where: cp_async_bulk_tensor(
// The thread that copies has a fence, after the barrier; those that wrote need it, before.
__global__ void fences_only_own(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[256];
  tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x);
  if (threadIdx.x == 0) fence_proxy_async(space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_global, space_shared, &map, {0, 0}, tile);
    cp_async_bulk_commit_group();
    cp_async_bulk_wait_group_read(n32_t<0>());
  }
}
static void fence_of_one_thread(Fixture& t) {
  fences_only_own<<<1, 256>>>(t.rows_of(t.out, 8));
  t.wants_turned(256);
}

// case: source_overwritten
// bug: race
// where: tile[threadIdx.x] = -2
// where: cp_async_bulk_tensor(
// Nobody waits until the copy has read what the next round writes.
__global__ void overwrites_at_once(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[256];
  tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x);
  fence_proxy_async(space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_global, space_shared, &map, {0, 0}, tile);
    cp_async_bulk_commit_group();
  }
  __syncthreads();
  tile[threadIdx.x] = -2;
  if (threadIdx.x == 0) cp_async_bulk_wait_group_read(n32_t<0>());
}
static void source_overwritten(Fixture& t) {
  overwrites_at_once<<<1, 256>>>(t.rows_of(t.out, 8));
  t.wants_turned(256);
}

// case: group_not_committed
// bug: race
// where: tile[threadIdx.x] = -2
// where: cp_async_bulk_tensor(
// The wait is for groups that were committed, and there are none.
__global__ void commits_nothing(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[256];
  tile[255 - threadIdx.x] = static_cast<float>(threadIdx.x);
  fence_proxy_async(space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cp_async_bulk_tensor(space_global, space_shared, &map, {0, 0}, tile);
    cp_async_bulk_wait_group_read(n32_t<0>());
  }
  __syncthreads();
  tile[threadIdx.x] = -2;
}
static void group_not_committed(Fixture& t) {
  commits_nothing<<<1, 256>>>(t.rows_of(t.out, 8));
  t.wants_turned(256);
}

// ---------------------------------------------------------------- what a copy may be of

// case: whole_pieces
// correct
__global__ void copies_pieces(const float* in, float* out) {
  __shared__ alignas(16) float tile[64];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, 256);
    cp_async_bulk(space_cluster, space_global, tile, in + 4, 256, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[63 - threadIdx.x] - 4;
}
static void whole_pieces(Fixture& t) {
  copies_pieces<<<1, 64>>>(t.in, t.out);
  t.wants_turned(64, 64);
}

// case: no_multiple_of_16_bytes
// bug: failed-kernel
// where: cp_async_bulk(
// A copy in bulk moves pieces of 16 bytes: 63 numbers are no whole number of them.
__global__ void copies_63(const float* in, float* out, unsigned bytes) {
  __shared__ alignas(16) float tile[64];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, bytes);
    cp_async_bulk(space_cluster, space_global, tile, in, bytes, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  if (threadIdx.x < 63) out[threadIdx.x] = tile[62 - threadIdx.x];
}
static void no_multiple_of_16_bytes(Fixture& t) {
  copies_63<<<1, 64>>>(t.in, t.out, 63U * 4U);
  t.wants_turned(63, 63);
}

// case: source_between_pieces
// bug: misaligned
// where: cp_async_bulk(
// The second number of a row does not begin at a multiple of 16 bytes.
__global__ void copies_from_the_second(const float* in, float* out) {
  __shared__ alignas(16) float tile[64];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, 256);
    cp_async_bulk(space_cluster, space_global, tile, in + 1, 256, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[63 - threadIdx.x] - 1;
}
static void source_between_pieces(Fixture& t) {
  copies_from_the_second<<<1, 64>>>(t.in, t.out);
  t.wants_turned(64, 64);
}

// case: tile_between_128_bytes
// bug: misaligned
// where: cp_async_bulk_tensor(
// The tile does not begin at a multiple of 128 bytes, as a box wants it.
__global__ void fills_aside(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[260];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, 1024);
    cp_async_bulk_tensor(space_cluster, space_global, tile + 4, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[4 + 255 - threadIdx.x];
}
static void tile_between_128_bytes(Fixture& t) {
  fills_aside<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: box_beyond_the_matrix
// correct
// What is outside the tensor is read as 0, and counts among the bytes.
static void box_beyond_the_matrix(Fixture& t) {
  waits_then_reads<<<1, 256>>>(t.rows_of(t.in, 8, 4), t.out);
  t.compare(256, [](int i) { return i < 128 ? 0.0F : 255.0F - static_cast<float>(i); });
}

// case: map_taller_than_the_matrix
// bug: out-of-bounds
// where: cp_async_bulk_tensor(
// The map says that there are more rows than were allocated.
__global__ void takes_the_last(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 124}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void map_taller_than_the_matrix(Fixture& t) {
  takes_the_last<<<1, 256>>>(t.rows_of(t.in, 8, 132), t.out);
  t.compare(256, [](int i) { return i < 128 ? 0.0F : 4095.0F - static_cast<float>(i - 128); });
}

// case: map_of_two_dimensions
// bug: failed-kernel
// where: cp_async_bulk_tensor(
// The instruction is for a tensor of three dimensions, and the map is of a matrix.
__global__ void wants_three(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void map_of_two_dimensions(Fixture& t) {
  wants_three<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(tile_after_its_phase),       PROGRAM(tile_before_its_phase),
      PROGRAM(wait_without_a_loop),        PROGRAM(nobody_waits),
      PROGRAM(stage_given_back),           PROGRAM(stage_filled_while_read),
      PROGRAM(fence_before_the_copy_out),  PROGRAM(no_fence_before_the_copy_out),
      PROGRAM(fence_of_one_thread),        PROGRAM(source_overwritten),
      PROGRAM(group_not_committed),        PROGRAM(whole_pieces),
      PROGRAM(no_multiple_of_16_bytes),    PROGRAM(source_between_pieces),
      PROGRAM(tile_between_128_bytes),     PROGRAM(box_beyond_the_matrix),
      PROGRAM(map_taller_than_the_matrix), PROGRAM(map_of_two_dimensions)};
  return run(argc, argv, programs);
}
