/// \file
/// Where the sequences of XORWOW and MRG32k3a start, and jumps in them. One step of either is
/// linear (over bits, and modulo a prime), so that many steps are the power of a matrix.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/libraries/random_generators.h"

namespace emulator::detail {
namespace {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): makes
// many unlike words of one seed.
class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// XORWOW: the five words are a vector of 160 bits, and column j of a matrix is what becomes of bit
// j.
using Bits = std::array<unsigned, 5>;
constexpr std::size_t bit_count = 160;
using BitMatrix = std::array<Bits, bit_count>;

Bits times(const BitMatrix& matrix, const Bits& vector) {
  Bits result{};
  for (std::size_t j = 0; j < bit_count; ++j) {
    if ((vector[j / 32] >> (j % 32) & 1U) == 0) continue;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] ^= matrix[j][i];
  }
  return result;
}

Bits xorshift(const Bits& v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

constexpr std::size_t powers = 67 + 64;  // a jump may need 2^67 times any number of 64 bits

std::vector<BitMatrix>* xorwow_powers() {
  auto* const matrices = new std::vector<BitMatrix>(powers);
  for (std::size_t j = 0; j < bit_count; ++j) {
    Bits unit{};
    unit[j / 32] = 1U << (j % 32);
    matrices->front()[j] = xorshift(unit);
  }
  for (std::size_t p = 1; p < powers; ++p) {
    const BitMatrix& half = (*matrices)[p - 1];
    for (std::size_t j = 0; j < bit_count; ++j) (*matrices)[p][j] = times(half, half[j]);
  }
  return matrices;
}

// The matrix of 2^power steps. All are made at the first call, and never destroyed. (Not by a
// static object's initialisation, for whose end other threads would have to wait: a kernel's thread
// may be abandoned anywhere.)
const BitMatrix& xorwow_power(std::size_t power) {
  static constinit std::atomic<const std::vector<BitMatrix>*> all = nullptr;
  const std::vector<BitMatrix>* matrices = all.load();
  if (matrices == nullptr) {
    const std::vector<BitMatrix>* const made = xorwow_powers();
    if (all.compare_exchange_strong(matrices, made)) {
      matrices = made;
    } else {
      delete made;
    }
  }
  return (*matrices)[power];
}

// MRG32k3a: matrices of 3 x 3 numbers below a modulus.
using Row = std::array<std::uint64_t, 3>;
using Matrix = std::array<Row, 3>;

Matrix product(const Matrix& a, const Matrix& b, std::uint64_t modulus) {
  Matrix result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        result[i][j] = (result[i][j] + a[i][k] * b[k][j]) % modulus;
      }
    }
  }
  return result;
}

// The three values, steps times 2^power steps on, of the recurrence with this matrix.
void jump(unsigned (&values)[3], Matrix step, std::uint64_t modulus, std::uint64_t steps,
          int power) {
  for (int i = 0; i < power; ++i) step = product(step, step, modulus);
  Matrix total = {Row{1, 0, 0}, Row{0, 1, 0}, Row{0, 0, 1}};
  for (; steps != 0; steps >>= 1) {
    if ((steps & 1U) != 0) total = product(total, step, modulus);
    step = product(step, step, modulus);
  }
  Row result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i] = (result[i] + total[i][k] * values[k]) % modulus;
  }
  for (std::size_t i = 0; i < 3; ++i) values[i] = static_cast<unsigned>(result[i]);
}

}  // namespace

curandStateXORWOW xorwow_ahead(const curandStateXORWOW& state, unsigned long long steps,
                               int power) {
  curandStateXORWOW result = state;
  Bits bits{};
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = state.v[i];
  for (std::size_t p = 0; p < 64; ++p) {
    if ((steps >> p & 1U) != 0)
      bits = times(xorwow_power(p + static_cast<std::size_t>(power)), bits);
  }
  for (std::size_t i = 0; i < bits.size(); ++i) result.v[i] = bits[i];
  // The counter has 32 bits: 2^67 steps bring it back to where it was.
  if (power == 0) result.d += static_cast<unsigned>(steps) * 362437U;
  return result;
}

curandStateXORWOW xorwow_state(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset) {
  Mixer mixer(seed);
  curandStateXORWOW state{};
  // As documented, the seed 0 is the state that Marsaglia printed.
  constexpr curandStateXORWOW published = {
      6615241, {123456789, 362436069, 521288629, 88675123, 5783321}, 0, 0, 0, 0};
  for (unsigned& word : state.v) word = static_cast<unsigned>(mixer.next() >> 32);
  state.v[4] |= 1;  // all zeros would stay zeros
  state.d = static_cast<unsigned>(mixer.next() >> 32);
  if (seed == 0) state = published;
  if (subsequence != 0) state = xorwow_ahead(state, subsequence, 67);
  return offset != 0 ? xorwow_ahead(state, offset, 0) : state;
}

curandStateMRG32k3a mrg_ahead(const curandStateMRG32k3a& state, unsigned long long steps,
                              int power) {
  curandStateMRG32k3a result = state;
  const Matrix first = {Row{0, 1, 0}, Row{0, 0, 1}, Row{mrg_modulus_1 - 810728, 1403580, 0}};
  const Matrix second = {Row{0, 1, 0}, Row{0, 0, 1}, Row{mrg_modulus_2 - 1370589, 0, 527612}};
  jump(result.s1, first, mrg_modulus_1, steps, power);
  jump(result.s2, second, mrg_modulus_2, steps, power);
  return result;
}

curandStateMRG32k3a mrg_state(unsigned long long seed, unsigned long long subsequence,
                              unsigned long long offset) {
  Mixer mixer(seed);
  curandStateMRG32k3a state{};
  // From 1 on, so that neither recurrence starts with zeros alone.
  for (unsigned& value : state.s1)
    value = static_cast<unsigned>(1 + mixer.next() % (mrg_modulus_1 - 1));
  for (unsigned& value : state.s2)
    value = static_cast<unsigned>(1 + mixer.next() % (mrg_modulus_2 - 1));
  // As documented: the seed 0 is L'Ecuyer's state, and more subsequences would be another sequence.
  if (seed == 0) state = {{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
  subsequence &= (1ULL << 51) - 1;
  if (subsequence != 0) state = mrg_ahead(state, subsequence, 76);
  return offset != 0 ? mrg_ahead(state, offset, 0) : state;
}

}  // namespace emulator::detail
