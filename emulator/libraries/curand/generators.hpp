#pragma once
/// \file
/// The generators of cuRAND's host functions.

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "curand.h"
#include "libraries/common/runtime.hpp"
#include "libraries/curand/random_words.hpp"

namespace emulator::curand {

using namespace libraries;

/// A generator: of which type, and where in its sequence.
struct Generator {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  bool for_host = false;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  cudaStream_t stream = nullptr;
  std::unique_ptr<Words> words;  // none for a quasirandom generator
  unsigned dimensions = 1;

  bool is_quasirandom() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool is_scrambled() const {
    return type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  bool has_64_bits() const { return type >= CURAND_RNG_QUASI_SOBOL64; }

  void restart() {
    if (is_quasirandom()) return;
    switch (type) {
      case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        words = std::make_unique<PhiloxWords>(seed, offset);
        break;
      case CURAND_RNG_PSEUDO_MRG32K3A:
        words = std::make_unique<StateWords<curandStateMRG32k3a>>(seed, offset);
        break;
      case CURAND_RNG_PSEUDO_MT19937:
        words = std::make_unique<MersenneWords>(seed);
        break;
      default:
        words = std::make_unique<StateWords<curandStateXORWOW>>(seed, offset);
    }
  }
};

/// The live generators. A handle is a number that is used once, so that a stale one is found.
class Generators {
 public:
  static Generators& get() {
    static auto& generators = *new Generators;  // never destroyed, for static objects' destructors
    return generators;
  }

  curandGenerator_t add(Generator generator) {
    const std::lock_guard lock(mutex_);
    next_ += 16;
    live_[next_] = std::move(generator);
    return std::bit_cast<curandGenerator_t>(next_);
  }

  bool remove(curandGenerator_t generator) {
    const std::lock_guard lock(mutex_);
    return live_.erase(std::bit_cast<std::uintptr_t>(generator)) == 1;
  }

  /// Calls `use` with a live generator and returns what it returns.
  template <class Use>
  curandStatus_t with(curandGenerator_t generator, Use use) {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(std::bit_cast<std::uintptr_t>(generator));
    return found == live_.end() ? CURAND_STATUS_NOT_INITIALIZED : use(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, Generator> live_;
  std::uintptr_t next_ = 0xC0DA'0000;
};

}  // namespace emulator::curand
