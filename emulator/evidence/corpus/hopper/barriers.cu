// Barriers in shared memory: their phases, and the bytes and arrivals that a phase waits for.
#include "fixture.cuh"

// ---------------------------------------------------------------- which phase

// case: parity_turns
// correct
__global__ void turns_parity(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) {
      expect(&full, sizeof(tile));
      cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 8 * round}, &full);
    }
    while (!mbarrier_try_wait_parity(&full, round % 2)) continue;
    out[256 * round + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}
static void parity_turns(Fixture& t) {
  turns_parity<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(1024);
}

// case: parity_of_the_phase_before
// bug: race
// where: out[threadIdx.x] = tile[255 - threadIdx.x]
// Of a new barrier the phase with parity 1 counts as ended: this wait waits for nothing.
__global__ void waits_for_phase_1(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  __syncthreads();
  while (!mbarrier_try_wait_parity(&full, 1)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
}
static void parity_of_the_phase_before(Fixture& t) {
  waits_for_phase_1<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: parity_never_turns
// bug: race
// where: out[256 * round + threadIdx.x] = tile[255 - threadIdx.x]
// The parity stays 0: from the second round on that phase has ended.
__global__ void keeps_parity(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      expect(&full, sizeof(tile));
      cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 8 * round}, &full);
    }
    __syncthreads();
    while (!mbarrier_try_wait_parity(&full, 0)) continue;
    out[256 * round + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }
  while (!mbarrier_try_wait_parity(&full, 1)) continue;
}
static void parity_never_turns(Fixture& t) {
  keeps_parity<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(512);
}

// case: phase_that_nobody_begins
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(&full, 1)) continue
// mend: parity
// There is one copy, and the wait is for the end of a second phase.
__global__ void waits_for_a_second_phase(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  while (!mbarrier_try_wait_parity(&full, 1)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void phase_that_nobody_begins(Fixture& t) {
  waits_for_a_second_phase<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// ---------------------------------------------------------------- bytes and arrivals

// case: bytes_of_two_copies
// correct
__global__ void expects_both(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[2][128];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile[0], &map, {0, 0}, &full);
    cp_async_bulk_tensor(space_cluster, space_global, tile[1], &map, {0, 4}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[1 - threadIdx.x / 128][127 - threadIdx.x % 128];
}
static void bytes_of_two_copies(Fixture& t) {
  expects_both<<<1, 256>>>(t.rows_of(t.in, 4), t.out);
  t.wants_turned(256);
}

// case: bytes_too_many
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(
// mend: bytes
// Both tiles are expected, and one is copied.
__global__ void forgets_a_copy(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[2][128];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile[0], &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  if (threadIdx.x < 128) out[threadIdx.x] = tile[0][127 - threadIdx.x];
}
static void bytes_too_many(Fixture& t) {
  forgets_a_copy<<<1, 256>>>(t.rows_of(t.in, 4), t.out);
  t.wants_turned(128, 128);
}

// case: bytes_too_few
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(
// mend: bytes
// The bytes of one tile are expected, and two are copied.
__global__ void expects_one(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[2][128];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile[0]));
    cp_async_bulk_tensor(space_cluster, space_global, tile[0], &map, {0, 0}, &full);
    cp_async_bulk_tensor(space_cluster, space_global, tile[1], &map, {0, 4}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[1 - threadIdx.x / 128][127 - threadIdx.x % 128];
}
static void bytes_too_few(Fixture& t) {
  expects_one<<<1, 256>>>(t.rows_of(t.in, 4), t.out);
  t.wants_turned(256);
}

// case: no_bytes_expected
// bug: race
// where: out[threadIdx.x] = tile[255 - threadIdx.x]
// An arrival without bytes ends the phase at once.
__global__ void arrives_only(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    mbarrier_arrive(&full);
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  __syncthreads();
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void no_bytes_expected(Fixture& t) {
  arrives_only<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: arrival_of_each_thread
// correct
__global__ void all_arrive(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 256);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  } else {
    mbarrier_arrive(&full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void arrival_of_each_thread(Fixture& t) {
  all_arrive<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: arrivals_missing
// bug: misused-barrier
// where: while (!mbarrier_try_wait_parity(
// The barrier is for all threads, and one arrives.
__global__ void one_arrives(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 256);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void arrivals_missing(Fixture& t) {
  one_arrives<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: arrivals_too_many
// bug: misused-barrier
// where: mbarrier_arrive(&full)
// The barrier is for one thread, and all arrive.
__global__ void all_arrive_for_one(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  } else {
    mbarrier_arrive(&full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void arrivals_too_many(Fixture& t) {
  all_arrive_for_one<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// ---------------------------------------------------------------- initialisation

// case: made_without_a_fence
// bug: missing-fence
// where: mbarrier_init(&full, 1)
// where: cp_async_bulk_tensor(
// mend: fence_mbarrier_init
// No fence makes the new barrier known to the unit that copies.
__global__ void makes_without_a_fence(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  if (threadIdx.x == 0) mbarrier_init(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void made_without_a_fence(Fixture& t) {
  makes_without_a_fence<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: made_without_a_barrier
// bug: race
// where: while (!mbarrier_try_wait_parity(
// The other threads may come to the barrier before the first one has made it.
__global__ void makes_without_a_barrier(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_mbarrier_init(sem_release, scope_cluster);
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void made_without_a_barrier(Fixture& t) {
  makes_without_a_barrier<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: never_made
// bug: misused-barrier
// where: mbarrier_arrive_expect_tx(
// Nobody has initialised the barrier: it holds what was there before.
__global__ void makes_nothing(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  if (threadIdx.x == 0) {
    mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
  }
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void never_made(Fixture& t) {
  makes_nothing<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

// case: made_anew_between_rounds
// correct
__global__ void makes_anew(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  for (int round = 0; round < 2; ++round) {
    make(&full, 1);
    if (threadIdx.x == 0) {
      expect(&full, sizeof(tile));
      cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 8 * round}, &full);
    }
    while (!mbarrier_try_wait_parity(&full, 0)) continue;
    out[256 * round + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}
static void made_anew_between_rounds(Fixture& t) {
  makes_anew<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(512);
}

// case: made_anew_while_in_use
// bug: misused-barrier
// where: mbarrier_init(&full, 2)
// The copy of the running phase is still on its way.
__global__ void makes_anew_too_early(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) Barrier full;
  make(&full, 1);
  if (threadIdx.x == 0) {
    expect(&full, sizeof(tile));
    cp_async_bulk_tensor(space_cluster, space_global, tile, &map, {0, 0}, &full);
    mbarrier_init(&full, 2);
    fence_mbarrier_init(sem_release, scope_cluster);
    mbarrier_arrive(&full, 2);
  }
  __syncthreads();
  while (!mbarrier_try_wait_parity(&full, 0)) continue;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
static void made_anew_while_in_use(Fixture& t) {
  makes_anew_too_early<<<1, 256>>>(t.rows_of(t.in, 8), t.out);
  t.wants_turned(256);
}

int main(int argc, char** argv) {
  const Program programs[] = {PROGRAM(parity_turns),
                              PROGRAM(parity_of_the_phase_before),
                              PROGRAM(parity_never_turns),
                              PROGRAM(phase_that_nobody_begins),
                              PROGRAM(bytes_of_two_copies),
                              PROGRAM(bytes_too_many),
                              PROGRAM(bytes_too_few),
                              PROGRAM(no_bytes_expected),
                              PROGRAM(arrival_of_each_thread),
                              PROGRAM(arrivals_missing),
                              PROGRAM(arrivals_too_many),
                              PROGRAM(made_without_a_fence),
                              PROGRAM(made_without_a_barrier),
                              PROGRAM(never_made),
                              PROGRAM(made_anew_between_rounds),
                              PROGRAM(made_anew_while_in_use)};
  return run(argc, argv, programs);
}
