#pragma once
/// \file
/// The sequences of random words that cuRAND's host functions draw on.

#include <cstdint>
#include <random>

#include "curand_kernel.h"
#include "libraries/common/runtime.hpp"

namespace emulator::curand {

using namespace libraries;

/// cuRAND's order for Philox: that many subsequences take turns, each giving four words at a time.
inline constexpr std::uint64_t philox_subsequences = 65536;

/// A sequence of 32-bit words.
class Words {
 public:
  virtual ~Words() = default;
  virtual unsigned next() = 0;
};

class PhiloxWords : public Words {
 public:
  PhiloxWords(std::uint64_t seed, std::uint64_t offset)
      : key_{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)}, place_(offset) {
    fill();
  }
  unsigned next() override {
    const unsigned word = (&block_.x)[place_ % 4];
    if (++place_ % 4 == 0) fill();
    return word;
  }

 private:
  void fill() {
    const std::uint64_t block = place_ / 4;
    block_ = philox(
        philox_counter({0, 0, 0, 0}, block / philox_subsequences, block % philox_subsequences),
        key_);
  }

  uint2 key_;
  std::uint64_t place_;
  uint4 block_{};
};

template <class State>
class StateWords : public Words {
 public:
  StateWords(std::uint64_t seed, std::uint64_t offset) { curand_init(seed, 0, offset, &state_); }
  unsigned next() override { return ::curand(&state_); }

 private:
  State state_{};
};

class MersenneWords : public Words {
 public:
  explicit MersenneWords(std::uint64_t seed)
      : engine_(static_cast<unsigned>(seed) ^ static_cast<unsigned>(seed >> 32)) {}
  unsigned next() override { return static_cast<unsigned>(engine_()); }

 private:
  std::mt19937 engine_;
};

}  // namespace emulator::curand
