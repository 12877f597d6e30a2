#pragma once
#pragma GCC system_header
/// \file
/// The generators behind curand_kernel.h: their state, one step of each, and jumping ahead.
///
/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011) gives the numbers that cuRAND gives, bit for bit. XORWOW (Marsaglia, "Xorshift RNGs",
/// 2003) and MRG32k3a (L'Ecuyer, 1999) are the published generators, but how cuRAND turns a seed
/// into a state is not published, so their numbers are others than cuRAND's. Sobol's sequences (Joe
/// and Kuo, 2008) are those of the direction vectors that a program hands over.
///
/// A state's layout and size are cuRAND's, so that it costs the same memory. What is read and
/// written of a state counts for the calling line, word by word; a GPU keeps a local state in
/// registers and moves one in global memory by wider instructions.

#include "emulator/device/vector_types.h"
#include "emulator/inline.h"

/// XORWOW: five words of an xorshift generator, and a counter that is added to them.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int has_normal;
  int has_normal_double;
  float next_normal;
  double next_normal_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;

/// Philox: a counter and a key, the four words that they give, and which of those comes next.
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int has_normal;
  int has_normal_double;
  float next_normal;
  double next_normal_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

/// MRG32k3a: the last three values of each of two linear recurrences, the oldest first.
struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int has_normal;
  int has_normal_double;
  float next_normal;
  double next_normal_double;
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;

/// Sobol's sequences: which point of them comes next, that point, and the constant by which each is
/// scrambled, 0 for the sequences that are not.
struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
using curandStateSobol32_t = curandStateSobol32;
using curandStateScrambledSobol32_t = curandStateScrambledSobol32;
using curandStateSobol64_t = curandStateSobol64;
using curandStateScrambledSobol64_t = curandStateScrambledSobol64;

namespace emulator::detail {

/// The four words that a counter and a key give.
EMULATOR_LEAF uint4 philox(uint4 ctr, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xD2511F53ULL * ctr.x;
    const unsigned long long second = 0xCD9E8D57ULL * ctr.z;
    ctr = {static_cast<unsigned>(second >> 32) ^ ctr.y ^ key.x, static_cast<unsigned>(second),
           static_cast<unsigned>(first >> 32) ^ ctr.w ^ key.y, static_cast<unsigned>(first)};
    key.x += 0x9E3779B9U;
    key.y += 0xBB67AE85U;
  }
  return ctr;
}

/// The counter, a number of 128 bits, plus `low` and 2^64 times `high`.
EMULATOR_LEAF uint4 philox_counter(uint4 ctr, unsigned long long low, unsigned long long high) {
  const unsigned __int128 sum = ((static_cast<unsigned __int128>(ctr.w) << 96) |
                                 (static_cast<unsigned __int128>(ctr.z) << 64) |
                                 (static_cast<unsigned __int128>(ctr.y) << 32) | ctr.x) +
                                ((static_cast<unsigned __int128>(high) << 64) | low);
  return {static_cast<unsigned>(sum), static_cast<unsigned>(sum >> 32),
          static_cast<unsigned>(sum >> 64), static_cast<unsigned>(sum >> 96)};
}

// Defined by the runtime: the states that seeds give, and long jumps.

/// The state of the seed, `subsequence` times 2^67 and `offset` steps on.
curandStateXORWOW xorwow_state(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset);
/// The state `steps` times 2^`power` steps on; a normal number that was kept stays.
curandStateXORWOW xorwow_ahead(const curandStateXORWOW& state, unsigned long long steps, int power);
/// The state of the seed, `subsequence` times 2^76 and `offset` steps on.
curandStateMRG32k3a mrg_state(unsigned long long seed, unsigned long long subsequence,
                              unsigned long long offset);
/// As xorwow_ahead().
curandStateMRG32k3a mrg_ahead(const curandStateMRG32k3a& state, unsigned long long steps,
                              int power);

/// The next value of a linear recurrence: (a x - b y) mod m.
EMULATOR_LEAF unsigned recurrence(unsigned long long a, unsigned x, unsigned long long b,
                                  unsigned y, unsigned long long m) {
  return static_cast<unsigned>((a * x + (m - b) * y) % m);
}

inline constexpr unsigned long long mrg_modulus_1 = 4294967087ULL;
inline constexpr unsigned long long mrg_modulus_2 = 4294944443ULL;

/// One step of MRG32k3a: a number from 1 to mrg_modulus_1.
EMULATOR_INLINE unsigned mrg_step(curandStateMRG32k3a* state) {
  const unsigned p = recurrence(1403580, state->s1[1], 810728, state->s1[0], mrg_modulus_1);
  const unsigned q = recurrence(527612, state->s2[2], 1370589, state->s2[0], mrg_modulus_2);
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = p;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = q;
  return p > q ? p - q : static_cast<unsigned>(p + mrg_modulus_1 - q);
}

/// An integer for the state of a Sobol sequence; for anything else there is no such type.
template <class State>
using IfSobolState = decltype(sizeof(State::direction_vectors));
template <class State>
using SobolWord = decltype(State::x);

/// The vector by which point i of a Sobol sequence differs from the next one: that of the lowest
/// bit of i that is 0 (Antonov and Saleev, 1979). The last point leads back to the first.
EMULATOR_LEAF int sobol_step(unsigned i) {
  return i == ~0U ? 31 : __builtin_ctz(~i);
}
EMULATOR_LEAF int sobol_step(unsigned long long i) {
  return i == ~0ULL ? 63 : __builtin_ctzll(~i);
}

/// Goes to point i: the vectors of the bits that are 1 in i's Gray code, added.
template <class State>
EMULATOR_INLINE void sobol_go(State* state, SobolWord<State> i) {
  SobolWord<State> point = state->c;
  state->i = i;
  int place = 0;
  for (SobolWord<State> gray = i ^ (i >> 1); gray != 0; gray >>= 1, ++place) {
    if ((gray & 1) != 0) point ^= state->direction_vectors[place];
  }
  state->x = point;
}

template <class State>
EMULATOR_INLINE void sobol_start(State* state, const SobolWord<State>* vectors,
                                 SobolWord<State> constant, SobolWord<State> i) {
  for (unsigned place = 0; place < 8 * sizeof(SobolWord<State>); ++place) {
    state->direction_vectors[place] = vectors[place];
  }
  state->c = constant;
  sobol_go(state, i);
}

}  // namespace emulator::detail
