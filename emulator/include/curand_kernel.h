#pragma once
#pragma GCC system_header
/// \file
/// cuRAND's device functions: random numbers for the thread that asks, from a state of its own.
/// The generators are XORWOW (curandState), Philox4x32-10, MRG32k3a and the Sobol sequences of 32
/// and 64 bits, scrambled and not. Not modelled: MTGP32 and discrete distributions.
///
/// The distributions take as many words of the sequence as cuRAND's do and turn them into the same
/// numbers, up to the last bits of the host's logarithm, sine and cosine; except for Poisson
/// numbers of generators that are not quasirandom, which are distributed alike.

#include <math.h>

#include "cuda_runtime.h"
#include "curand.h"
#include "emulator/libraries/random_generators.h"

// A sequence's start, and jumps in it ------------------------------------------------------------

/// \restricted Starts the state at the seed's sequence number `subsequence`, `offset` numbers on.
/// The numbers of XORWOW and MRG32k3a are not those of cuRAND.
EMULATOR_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateXORWOW_t* state) {
  *state = emulator::detail::xorwow_state(seed, subsequence, offset);
}
EMULATOR_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateMRG32k3a_t* state) {
  *state = emulator::detail::mrg_state(seed, subsequence, offset);
}
/// Those of Philox are.
EMULATOR_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  using namespace emulator::detail;
  const uint2 key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  const uint4 ctr = philox_counter({0, 0, 0, 0}, offset / 4, subsequence);
  *state = {ctr, philox(ctr, key), key, static_cast<unsigned>(offset % 4), 0, 0, 0, 0};
}

/// Starts the state at point `offset` of the Sobol sequence of these vectors. The points are
/// cuRAND's if the vectors are.
EMULATOR_INLINE void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                                 curandStateSobol32_t* state) {
  emulator::detail::sobol_start(state, direction_vectors, 0, offset);
}
EMULATOR_INLINE void curand_init(curandDirectionVectors32_t direction_vectors,
                                 unsigned int scramble_c, unsigned int offset,
                                 curandStateScrambledSobol32_t* state) {
  emulator::detail::sobol_start(state, direction_vectors, scramble_c, offset);
}
EMULATOR_INLINE void curand_init(curandDirectionVectors64_t direction_vectors,
                                 unsigned long long offset, curandStateSobol64_t* state) {
  emulator::detail::sobol_start(state, direction_vectors, 0, offset);
}
EMULATOR_INLINE void curand_init(curandDirectionVectors64_t direction_vectors,
                                 unsigned long long scramble_c, unsigned long long offset,
                                 curandStateScrambledSobol64_t* state) {
  emulator::detail::sobol_start(state, direction_vectors, scramble_c, offset);
}

/// Skips `n` numbers.
EMULATOR_INLINE void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  *state = emulator::detail::xorwow_ahead(*state, n, 0);
}
EMULATOR_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  *state = emulator::detail::mrg_ahead(*state, n, 0);
}
EMULATOR_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  using namespace emulator::detail;
  const unsigned place = state->STATE + static_cast<unsigned>(n % 4);
  state->ctr = philox_counter(state->ctr, n / 4 + place / 4, 0);
  state->STATE = place % 4;
  state->output = philox(state->ctr, state->key);
}
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE void skipahead(emulator::detail::SobolWord<State> n, State* state) {
  emulator::detail::sobol_go(state, state->i + n);
}

/// Goes `n` subsequences on.
EMULATOR_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  *state = emulator::detail::xorwow_ahead(*state, n, 67);
}
EMULATOR_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  *state = emulator::detail::mrg_ahead(*state, n, 127);
}
EMULATOR_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  using namespace emulator::detail;
  state->ctr = philox_counter(state->ctr, 0, n);
  state->output = philox(state->ctr, state->key);
}
EMULATOR_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  *state = emulator::detail::mrg_ahead(*state, n, 76);
}

// Bits -------------------------------------------------------------------------------------------

/// The next 32 random bits.
EMULATOR_INLINE unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned t = state->v[0] ^ (state->v[0] >> 2);
  const unsigned last = state->v[4];
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = last;
  const unsigned next = (last ^ (last << 4)) ^ (t ^ (t << 1));
  state->v[4] = next;
  const unsigned count = state->d + 362437;
  state->d = count;
  return next + count;
}
EMULATOR_INLINE unsigned int curand(curandStateMRG32k3a_t* state) {
  // All of 0 to 2^32 - 1, as evenly as 4294967087 values allow.
  return static_cast<unsigned>(static_cast<double>(emulator::detail::mrg_step(state) - 1) *
                               (4294967296.0 / 4294967087.0));
}
EMULATOR_INLINE unsigned int curand(curandStatePhilox4_32_10_t* state) {
  using namespace emulator::detail;
  const unsigned place = state->STATE;
  const unsigned bits = (&state->output.x)[place];
  if (place == 3) {
    state->ctr = philox_counter(state->ctr, 1, 0);
    state->output = philox(state->ctr, state->key);
  }
  state->STATE = (place + 1) % 4;
  return bits;
}
/// The sequence's next point: 32 bits, or 64 of curandStateSobol64_t.
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE emulator::detail::SobolWord<State> curand(State* state) {
  const emulator::detail::SobolWord<State> point = state->x;
  const emulator::detail::SobolWord<State> i = state->i;
  state->x = point ^ state->direction_vectors[emulator::detail::sobol_step(i)];
  state->i = i + 1;
  return point;
}
/// The next four.
EMULATOR_INLINE uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const unsigned x = curand(state);
  const unsigned y = curand(state);
  const unsigned z = curand(state);
  const unsigned w = curand(state);
  return {x, y, z, w};
}

#include "emulator/libraries/random_distributions.h"
