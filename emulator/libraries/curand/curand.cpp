/// \file
/// cuRAND's host functions.

#include "curand.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/host_state.hpp"
#include "events/memory_events.hpp"
#include "libraries/curand/random_words.hpp"
#include "libraries/curand/sobol_vectors.hpp"
#include "emulator/host/unmodelled.h"
#include "graphs/capture.hpp"
#include "streams/work_queue.hpp"

namespace emulator::detail {
namespace {

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

// The live generators. A handle is a number that is used once, so that a stale one is found.
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

  // Calls `use` with a live generator and returns what it returns.
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

// Whether so many bytes can be written there; if not, a line tells why.
curandStatus_t check_output(const Generator& generator, const void* output, std::size_t bytes,
                            const char* function) {
  const auto memory = lookup(output);
  const auto complain = [&](const std::string& why) {
    std::fprintf(stderr, "emulator: %s: the output %s\n", function, why.c_str());
  };
  if (generator.for_host) {
    if (memory && (memory->kind == MemoryKind::device || memory->kind == MemoryKind::symbol)) {
      complain(
          "is in device memory, but the generator writes on the host: a GPU's host would crash");
      return CURAND_STATUS_INTERNAL_ERROR;
    }
    return CURAND_STATUS_SUCCESS;
  }
  if (device_state() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  if (check_stream(generator.stream) != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
  const std::size_t room =
      memory ? memory->size - (reinterpret_cast<std::uintptr_t>(output) - memory->base) : 0;
  if (bytes <= room) return CURAND_STATUS_SUCCESS;
  complain(memory ? "needs " + std::to_string(bytes) + " bytes, its allocation holds " +
                        std::to_string(room) + " from there: illegal address"
                  : "is not in memory that the device can reach: illegal address");
  set_sticky_error(cudaErrorIllegalAddress);
  return CURAND_STATUS_LAUNCH_FAILURE;
}

// Fills the output with what `make` returns for each point: the same number of points of every
// dimension, one dimension after the other.
template <class State, class T, class Make>
void fill_by_points(const Generator& generator, T* output, std::size_t n, Make make) {
  using Word = SobolWord<State>;
  const std::size_t count = n / generator.dimensions;
  for (unsigned dimension = 0; dimension < generator.dimensions; ++dimension) {
    State state{};
    const Word constant = generator.is_scrambled() ? scramble_constants<Word>()[dimension] : 0;
    sobol_start(&state, sobol_vectors<Word>()[dimension], constant,
                static_cast<Word>(generator.offset));
    for (std::size_t i = 0; i < count; ++i) *output++ = make(curand(&state));
  }
}

// Fills the output. `of_words` returns an array of its next elements; `of_point`, for a quasirandom
// generator, an element.
template <class T, class OfWords, class OfPoint>
curandStatus_t fill(curandGenerator_t handle, T* output, std::size_t n, const char* function,
                    OfWords of_words, OfPoint of_point) {
  return Generators::get().with(handle, [&](Generator& generator) {
    if (n == 0) return CURAND_STATUS_SUCCESS;
    if (n % generator.dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(n, sizeof(T), &bytes)) return CURAND_STATUS_OUT_OF_RANGE;
    std::optional<InPlace> in_place;  // the numbers are made now, which is early, but legal
    if (!generator.for_host && check_stream(generator.stream) == cudaSuccess) {
      if (refuse_captured_call(generator.stream, function) != cudaSuccess) {
        return CURAND_STATUS_LAUNCH_FAILURE;
      }
      in_place.emplace(generator.stream, function);
    }
    const curandStatus_t status = check_output(generator, output, bytes, function);
    if (status != CURAND_STATUS_SUCCESS) return status;
    const DeviceWindow window;
    if (generator.is_quasirandom()) {
      if (generator.has_64_bits()) {
        fill_by_points<curandStateSobol64>(generator, output, n, of_point);
      } else {
        fill_by_points<curandStateSobol32>(generator, output, n, of_point);
      }
      generator.offset += n / generator.dimensions;
    } else {
      for (std::size_t i = 0; i < n;) {
        for (const T value : of_words(*generator.words)) {
          if (i < n) output[i++] = value;
        }
      }
    }
    if (lookup(output).has_value()) memory_written(output, bytes);
    work_writes(output, bytes);
    return CURAND_STATUS_SUCCESS;
  });
}

// With the bits as they are. A quasirandom generator has either words of 32 bits or of 64.
template <class Word>
curandStatus_t fill_with_bits(curandGenerator_t generator, Word* output, std::size_t n,
                              const char* function) {
  const curandStatus_t status = Generators::get().with(generator, [=](const Generator& live) {
    const bool fits = live.has_64_bits() == (sizeof(Word) == 8);
    return n == 0 || fits ? CURAND_STATUS_SUCCESS : CURAND_STATUS_TYPE_ERROR;
  });
  if (status != CURAND_STATUS_SUCCESS) return status;
  return fill(
      generator, output, n, function,
      [](Words& words) { return std::array<Word, 1>{words.next()}; },
      [](auto bits) { return static_cast<Word>(bits); });
}

double next_uniform_double(Words& words) {
  const unsigned low = words.next();
  const unsigned high = words.next();
  return uniform_double_of(low, high);
}

// A pair, as an odd number of them leaves the last one out.
std::array<float, 2> next_normal(Words& words) {
  const unsigned x = words.next();
  const unsigned y = words.next();
  const float2 pair = normal_of(x, y);
  return {pair.x, pair.y};
}
std::array<double, 2> next_normal_double(Words& words) {
  const double x = next_uniform_double(words);
  const double y = next_uniform_double(words);
  const double2 pair = normal_double_of(x, y);
  return {pair.x, pair.y};
}

unsigned next_poisson(Words& words, double lambda) {
  if (lambda < 10) {
    const double limit = std::exp(-lambda);
    unsigned number = 0;
    for (double product = uniform_of(words.next()); product > limit; ++number) {
      product *= uniform_of(words.next());
    }
    return number;
  }
  const PoissonHat hat = poisson_hat(lambda);
  for (;;) {
    const double first = next_uniform_double(words);
    const double number = poisson_of(hat, lambda, first, next_uniform_double(words));
    if (number >= 0) return static_cast<unsigned>(number);
  }
}

}  // namespace

curandStatus_t curand_not_modelled(const char* what) {
  not_modelled(what);
  take_last_error();  // which is the runtime's, not this library's
  return CURAND_STATUS_TYPE_ERROR;
}

}  // namespace emulator::detail

using namespace emulator::detail;

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

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, std::size_t n) {
  return fill_with_bits(generator, output, n, __func__);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      std::size_t n) {
  return fill_with_bits(generator, output, n, __func__);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, std::size_t n) {
  return fill(
      generator, output, n, __func__,
      [](Words& words) { return std::array{uniform_of(words.next())}; },
      [=](auto bits) { return uniform_of(bits); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           std::size_t n) {
  return fill(
      generator, output, n, __func__,
      [](Words& words) { return std::array{next_uniform_double(words)}; },
      [=](auto bits) { return uniform_double_of(bits); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, std::size_t n,
                                    float mean, float stddev) {
  return fill(
      generator, output, n, __func__,
      [=](Words& words) {
        const auto pair = next_normal(words);
        return std::array{mean + stddev * pair[0], mean + stddev * pair[1]};
      },
      [=](auto bits) { return std::fma(stddev, normal_of_share(bits), mean); });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output,
                                          std::size_t n, double mean, double stddev) {
  return fill(
      generator, output, n, __func__,
      [=](Words& words) {
        const auto pair = next_normal_double(words);
        return std::array{mean + stddev * pair[0], mean + stddev * pair[1]};
      },
      [=](auto bits) { return std::fma(stddev, normal_double_of_share(bits), mean); });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, std::size_t n,
                                       float mean, float stddev) {
  return fill(
      generator, output, n, __func__,
      [=](Words& words) {
        const auto pair = next_normal(words);
        return std::array{log_normal_of(pair[0], mean, stddev),
                          log_normal_of(pair[1], mean, stddev)};
      },
      [=](auto bits) { return log_normal_of(normal_of_share(bits), mean, stddev); });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             std::size_t n, double mean, double stddev) {
  return fill(
      generator, output, n, __func__,
      [=](Words& words) {
        const auto pair = next_normal_double(words);
        return std::array{log_normal_of(pair[0], mean, stddev),
                          log_normal_of(pair[1], mean, stddev)};
      },
      [=](auto bits) { return log_normal_of(normal_double_of_share(bits), mean, stddev); });
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                     std::size_t n, double lambda) {
  constexpr double largest_mean = 400000;
  const curandStatus_t status = Generators::get().with(generator, [&](const Generator&) {
    const bool legal = lambda > 0 && lambda <= largest_mean;
    return legal ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
  });
  if (status != CURAND_STATUS_SUCCESS) return status;
  return fill(
      generator, output, n, __func__,
      [=](Words& words) { return std::array{next_poisson(words, lambda)}; },
      [=](auto bits) { return poisson_of_bits(bits, lambda); });
}
