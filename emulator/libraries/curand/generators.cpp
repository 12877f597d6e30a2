/// \file
/// cuRAND's host functions for generators.

#include "libraries/curand/generators.hpp"

#include "base/host_state.hpp"
#include "emulator/host/unmodelled.h"
#include "libraries/curand/sobol_vectors.hpp"

namespace emulator::curand {
namespace {

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool for_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  Generator made;
  made.for_host = for_host;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
      break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      made.type = type;
      break;
    case CURAND_RNG_PSEUDO_MTGP32:
      return curand_not_modelled("a generator of type CURAND_RNG_PSEUDO_MTGP32");
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      if (!has_sobol_vectors()) return refuse_without_sobol_vectors();
      made.type = type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32 : type;
      break;
    default:
      return CURAND_STATUS_TYPE_ERROR;
  }
  if (device_state() != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  made.restart();
  *generator = Generators::get().add(std::move(made));
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace emulator::curand

using namespace emulator::curand;

curandStatus_t emulator::detail::curand_not_modelled(const char* what) {
  not_modelled(what);
  take_last_error();  // which is the runtime's, not this library's
  return CURAND_STATUS_TYPE_ERROR;
}

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return Generators::get().remove(generator) ? CURAND_STATUS_SUCCESS
                                             : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  constexpr int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return Generators::get().with(generator, [&](Generator& live) {
    live.stream = stream;
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return Generators::get().with(generator, [&](Generator& live) {
    if (live.is_quasirandom()) return CURAND_STATUS_TYPE_ERROR;
    live.seed = seed;
    live.offset = 0;
    live.restart();
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return Generators::get().with(generator, [&](Generator& live) {
    if (live.type == CURAND_RNG_PSEUDO_MT19937) return CURAND_STATUS_TYPE_ERROR;
    live.offset = offset;
    live.restart();
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  return Generators::get().with(generator, [&](const Generator& live) {
    if (live.is_quasirandom() || order == CURAND_ORDERING_QUASI_DEFAULT) {
      return live.is_quasirandom() && order == CURAND_ORDERING_QUASI_DEFAULT
                 ? CURAND_STATUS_SUCCESS
                 : CURAND_STATUS_OUT_OF_RANGE;
    }
    if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC ||
        (order == CURAND_ORDERING_PSEUDO_SEEDED && live.type != CURAND_RNG_PSEUDO_XORWOW) ||
        (order == CURAND_ORDERING_PSEUDO_DYNAMIC && live.type == CURAND_RNG_PSEUDO_MT19937)) {
      return CURAND_STATUS_OUT_OF_RANGE;
    }
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return Generators::get().with(generator, [](const Generator&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  constexpr unsigned most = 20000;  // of cuRAND's
  return Generators::get().with(generator, [&](Generator& live) {
    if (!live.is_quasirandom()) return CURAND_STATUS_TYPE_ERROR;
    if (dimensions == 0 || dimensions > most) return CURAND_STATUS_OUT_OF_RANGE;
    if (dimensions > sobol_dimensions) {
      return curand_not_modelled("a quasirandom generator of more than 3,667 dimensions");
    }
    live.dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
  });
}
