/// \file
/// Direction vectors and scramble constants of Sobol's sequences, and the functions that hand them
/// out.

#include "libraries/curand/sobol_vectors.hpp"

#include <bit>
#include <random>
#include <vector>

#if EMULATOR_HAS_SOBOL_TABLE
#include <boost/random/detail/sobol_table.hpp>
#endif

namespace emulator::curand {
namespace {

template <class Word>
struct Dimension {
  Word vectors[8 * sizeof(Word)];
};

#if EMULATOR_HAS_SOBOL_TABLE
using Table = boost::random::detail::qrng_tables::sobol;
static_assert(Table::max_dimension >= sobol_dimensions);

// Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections", 2008: odd
// numbers m[i] below 2^(i+1), the first of which are given, the others by a recurrence whose
// coefficients are those of a polynomial. Vector i is m[i] as a fraction, i + 1 bits from the top.
template <class Word>
Dimension<Word> direction_vectors(unsigned dimension) {
  constexpr std::size_t bits = 8 * sizeof(Word);
  Dimension<Word> result;
  Word* const m = result.vectors;
  if (dimension == 0) {
    for (std::size_t i = 0; i < bits; ++i) m[i] = 1;
  } else {
    const std::size_t row = dimension - 1;  // the table leaves the first dimension out
    const auto polynomial = static_cast<unsigned>(Table::polynomial(row));
    const auto degree = static_cast<std::size_t>(std::bit_width(polynomial)) - 1;
    for (std::size_t i = 0; i < degree; ++i) m[i] = Table::minit(row, i);
    for (std::size_t i = degree; i < bits; ++i) {
      m[i] = m[i - degree];
      for (std::size_t k = 1; k <= degree; ++k) {
        if ((polynomial >> (degree - k) & 1U) != 0) m[i] ^= m[i - k] << k;
      }
    }
  }
  for (std::size_t i = 0; i < bits; ++i) m[i] <<= bits - 1 - i;
  return result;
}
#endif

// Never destroyed, for static objects' destructors.
template <class Word>
const std::vector<Dimension<Word>>& all_vectors() {
  static const auto& all = *[] {
    auto* const made = new std::vector<Dimension<Word>>;
#if EMULATOR_HAS_SOBOL_TABLE
    made->reserve(sobol_dimensions);
    for (unsigned i = 0; i < sobol_dimensions; ++i) made->push_back(direction_vectors<Word>(i));
#endif
    return made;
  }();
  return all;
}

// The pointers are not to constants, as in cuRAND.
template <class Vectors, class Word>
curandStatus_t give_vectors(Vectors** vectors, bool known_set) {
  if (!known_set) return CURAND_STATUS_OUT_OF_RANGE;
  if (!has_sobol_vectors()) return refuse_without_sobol_vectors();
  *vectors = const_cast<Vectors*>(sobol_vectors<Word>());
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

bool has_sobol_vectors() {
  return EMULATOR_HAS_SOBOL_TABLE;
}

curandStatus_t refuse_without_sobol_vectors() {
  return curand_not_modelled(
      "a quasirandom sequence by an emulator that was built without Boost's table of them "
      "(Debian's libboost-dev)");
}

template <class Word>
const Word (*sobol_vectors())[8 * sizeof(Word)] {
  return &all_vectors<Word>().data()->vectors;
}

// As in cuRAND, the constants of 32 bits are the upper halves of the others.
template <class Word>
const Word* scramble_constants() {
  static const auto& all = *[] {
    std::mt19937_64 random;
    auto* const made = new std::vector<Word>;
    for (unsigned i = 0; i < sobol_dimensions; ++i) {
      made->push_back(static_cast<Word>(random() >> (64 - 8 * sizeof(Word))));
    }
    return made;
  }();
  return all.data();
}

template const unsigned (*sobol_vectors<unsigned>())[32];
template const unsigned long long (*sobol_vectors<unsigned long long>())[64];
template const unsigned* scramble_constants<unsigned>();
template const unsigned long long* scramble_constants<unsigned long long>();

}  // namespace emulator::curand

using namespace emulator::curand;

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return give_vectors<curandDirectionVectors32_t, unsigned>(
      vectors, set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 ||
                   set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return give_vectors<curandDirectionVectors64_t, unsigned long long>(
      vectors, set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 ||
                   set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}

curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  *constants = const_cast<unsigned*>(scramble_constants<unsigned>());
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  *constants = const_cast<unsigned long long*>(scramble_constants<unsigned long long>());
  return CURAND_STATUS_SUCCESS;
}
