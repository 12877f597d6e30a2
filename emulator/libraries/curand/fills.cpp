/// \file
/// cuRAND's host functions that fill arrays with random numbers.

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "base/arena.hpp"
#include "base/host_state.hpp"
#include "graphs/capture.hpp"
#include "libraries/common/device_work.hpp"
#include "libraries/curand/generators.hpp"
#include "libraries/curand/sobol_vectors.hpp"
#include "streams/work_queue.hpp"

namespace emulator::curand {
namespace {

// Whether that many bytes can be written there; if not, a line says why.
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
    for (std::size_t i = 0; i < count; ++i) *output++ = make(::curand(&state));
  }
}

// Fills the output. `of_words` returns an array of its next elements, of which all are wanted;
// `of_point`, for a quasirandom generator, an element.
template <class T, class OfWords, class OfPoint>
curandStatus_t fill(curandGenerator_t handle, T* output, std::size_t n, const char* function,
                    OfWords of_words, OfPoint of_point) {
  return Generators::get().with(handle, [&](Generator& generator) {
    if (n == 0) return CURAND_STATUS_SUCCESS;
    using Values = decltype(of_words(*generator.words));
    const bool in_pairs = std::tuple_size_v<Values> == 2 && !generator.is_quasirandom();
    if (n % (in_pairs ? 2 : generator.dimensions) != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
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
        for (const T value : of_words(*generator.words)) output[i++] = value;
      }
    }
    announce_write(output, bytes);
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

// Normal numbers come in pairs.
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
}  // namespace emulator::curand

using namespace emulator::curand;

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
