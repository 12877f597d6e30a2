#pragma once
#pragma GCC system_header
/// \file
/// cuRAND's host functions: fill memory with random numbers. Programs that call them link
/// emulator_curand (`-lcurand` with emucc).
///
/// Philox4x32-10 gives cuRAND's own numbers, in its default order. XORWOW, MRG32k3a and MT19937 are
/// the published generators, from states and in an order that are not cuRAND's: the numbers differ,
/// their distribution does not. Sobol's sequences are cuRAND's, of 3,667 dimensions where cuRAND
/// has 20,000; the scrambled ones are scrambled by constants alone, which are not cuRAND's. All of
/// them need Boost's table of direction numbers (libboost-dev) where the emulator is built. Work
/// has finished when the call that asked for it returns. The emulator counts no memory traffic for
/// it.

#include <cstddef>

#include "cuda_runtime.h"
#include "library_types.h"

/// Programs ask by this name of NVIDIA's include guard whether cuRAND's types are there.
#define CURAND_H_

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION 10400

enum curandStatus : int {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
using curandStatus_t = curandStatus;

enum curandRngType : int {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,  ///< XORWOW
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,  ///< not modelled
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,  ///< Sobol32
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
using curandRngType_t = curandRngType;

enum curandOrdering : int {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
using curandOrdering_t = curandOrdering;

enum curandDirectionVectorSet : int {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
using curandDirectionVectorSet_t = curandDirectionVectorSet;
using curandDirectionVectors32_t = unsigned int[32];
using curandDirectionVectors64_t = unsigned long long[64];

using curandGenerator_t = struct curandGenerator_st*;
using curandDiscreteDistribution_t = struct curandDiscreteDistribution_st*;

extern "C" {

// Generators --------------------------------------------------------------------------------------

/// \restricted A generator that fills memory of the device. Types that are not modelled say so on
/// stderr and are CURAND_STATUS_TYPE_ERROR; so are quasirandom ones of an emulator that was built
/// without Boost's table.
curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
/// A generator that fills memory of the host.
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
/// \return CURAND_STATUS_NOT_INITIALIZED for a generator that is not live, here and below
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandGetProperty(libraryPropertyType type, int* value);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
/// Starts the seed's sequence over. CURAND_STATUS_TYPE_ERROR for a quasirandom generator.
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
/// Goes to a place in the seed's sequence; in each dimension's, if the generator is quasirandom.
/// MT19937 has no such places: CURAND_STATUS_TYPE_ERROR.
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
/// \restricted Checked, and without effect: there is one order.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
/// \restricted Without effect: generators are ready at once.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
/// \restricted From 1, which it is at first, to 3,667; up to cuRAND's 20,000, a line on stderr and
/// CURAND_STATUS_TYPE_ERROR tell that this number is not modelled. The sequences do not start over.
/// \return CURAND_STATUS_TYPE_ERROR for a generator that is not quasirandom
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions);

/// \restricted The direction vectors of 3,667 dimensions, where cuRAND has 20,000. The scrambled
/// ones are the plain ones, not those of cuRAND, as it is not published how they are made. \return
/// CURAND_STATUS_OUT_OF_RANGE for a set of another size
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set);
/// \restricted As above: the scrambled ones are not those of cuRAND.
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set);
/// \restricted Constants of 3,667 dimensions, which differ from cuRAND's.
curandStatus_t curandGetScrambleConstants32(unsigned int** constants);
/// \restricted As above: they differ from cuRAND's. The upper halves are the constants of 32 bits.
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants);

// Numbers -----------------------------------------------------------------------------------------

/// All 32 bits random. A quasirandom generator fills as many elements for each dimension, one
/// dimension after the other; CURAND_STATUS_LENGTH_NOT_MULTIPLE where that does not come out even,
/// and CURAND_STATUS_TYPE_ERROR here for those of 64 bits.
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, std::size_t n);
/// CURAND_STATUS_TYPE_ERROR, as for every generator but those of Sobol's 64-bit sequences.
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      std::size_t n);
/// From 0, which is left out, to 1, which is not.
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, std::size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           std::size_t n);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, std::size_t n,
                                    float mean, float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output,
                                          std::size_t n, double mean, double stddev);
/// e to the power of normal numbers with that mean and standard deviation.
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, std::size_t n,
                                       float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             std::size_t n, double mean, double stddev);
/// \restricted The numbers differ from cuRAND's, but for Sobol's 64-bit sequences; their
/// distribution is the same.
/// \return CURAND_STATUS_OUT_OF_RANGE for a mean that is not above 0 or
/// is above 400,000
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                     std::size_t n, double lambda);
}

#include "emulator/libraries/curand_unmodelled.h"
