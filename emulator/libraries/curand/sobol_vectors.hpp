#pragma once
/// \file
/// What Sobol's sequences are made of, for cuRAND's host functions.

#include <cstddef>

#include "curand.h"
#include "libraries/common/runtime.hpp"

namespace emulator::curand {

using namespace libraries;

/// The dimensions in Boost's table of Joe and Kuo's numbers. cuRAND has 20,000.
inline constexpr unsigned sobol_dimensions = 3667;

/// Whether Boost's table was there when the emulator was built; without it no vectors are known.
bool has_sobol_vectors();
/// Says so.
curandStatus_t refuse_without_sobol_vectors();

/// The direction vectors of Word's size of all dimensions, made at the first call; none without
/// Boost's table.
template <class Word>
const Word (*sobol_vectors())[8 * sizeof(Word)];

/// A constant for each dimension.
template <class Word>
const Word* scramble_constants();

extern template const unsigned (*sobol_vectors<unsigned>())[32];
extern template const unsigned long long (*sobol_vectors<unsigned long long>())[64];
extern template const unsigned* scramble_constants<unsigned>();
extern template const unsigned long long* scramble_constants<unsigned long long>();

}  // namespace emulator::curand
