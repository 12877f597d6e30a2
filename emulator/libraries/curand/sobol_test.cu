/// \file
/// cuRAND's quasirandom generators. Unless something else is said, the numbers were written down
/// from an H200 with cuRAND 10.4.

#include <curand.h>
#include <curand_kernel.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "libraries/curand/managed.hpp"

namespace {

using emulator::curand::Managed;

#if __has_include(<boost/random/detail/sobol_table.hpp>)
constexpr bool without_table = false;
#else
constexpr bool without_table = true;
#endif

constexpr unsigned all_dimensions = 3667;

/// The scrambled generators start from the H200's constants.
__global__ void draw(curandDirectionVectors32_t* vectors32, curandDirectionVectors64_t* vectors64,
                     unsigned* words, unsigned long long* long_words, float* floats,
                     double* doubles) {
  curandStateSobol32_t sobol32;
  curand_init(vectors32[3], 5U, &sobol32);
  for (int i = 0; i < 6; ++i) words[i] = curand(&sobol32);
  skipahead(100U, &sobol32);
  words[6] = curand(&sobol32);
  floats[0] = curand_uniform(&sobol32);
  floats[1] = curand_normal(&sobol32);
  floats[2] = curand_log_normal(&sobol32, 0.5F, 2.0F);
  words[7] = curand_poisson(&sobol32, 4.0);
  curandStateScrambledSobol32_t scrambled32;
  curand_init(vectors32[2], 0xb66c0768U, 7U, &scrambled32);
  for (int i = 8; i < 14; ++i) words[i] = curand(&scrambled32);
  floats[3] = curand_uniform(&scrambled32);
  floats[4] = curand_normal(&scrambled32);
  curandStateSobol64_t sobol64;
  curand_init(vectors64[4], 9ULL, &sobol64);
  for (int i = 0; i < 6; ++i) long_words[i] = curand(&sobol64);
  skipahead(1000ULL, &sobol64);
  long_words[6] = curand(&sobol64);
  floats[5] = curand_uniform(&sobol64);
  doubles[0] = curand_uniform_double(&sobol64);
  doubles[1] = curand_normal_double(&sobol64);
  floats[6] = curand_normal(&sobol64);
  doubles[2] = curand_log_normal_double(&sobol64, 0.5, 2.0);
  curandStateScrambledSobol64_t scrambled64;
  curand_init(vectors64[1], 0xe63d901f849e81dbULL, 3ULL, &scrambled64);
  for (int i = 7; i < 13; ++i) long_words[i] = curand(&scrambled64);
  doubles[3] = curand_uniform_double(&scrambled64);
}

class QuasiGenerator {
 public:
  QuasiGenerator(curandRngType_t type, unsigned dimensions, unsigned long long offset = 0) {
    REQUIRE(curandCreateGenerator(&handle_, type) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetQuasiRandomGeneratorDimensions(handle_, dimensions) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetGeneratorOffset(handle_, offset) == CURAND_STATUS_SUCCESS);
  }
  ~QuasiGenerator() { curandDestroyGenerator(handle_); }
  QuasiGenerator(const QuasiGenerator&) = delete;
  QuasiGenerator& operator=(const QuasiGenerator&) = delete;
  curandGenerator_t get() const { return handle_; }

  /// The next n words, or long words.
  std::vector<unsigned> words(std::size_t n) const {
    return generated<unsigned>(n, curandGenerate);
  }
  std::vector<unsigned long long> long_words(std::size_t n) const {
    return generated<unsigned long long>(n, curandGenerateLongLong);
  }
  /// What one of cuRAND's functions gives.
  template <class T, class Function, class... Arguments>
  std::vector<T> generated(std::size_t n, Function function, Arguments... arguments) const {
    const Managed<T> output(n);
    REQUIRE(function(handle_, output.get(), n, arguments...) == CURAND_STATUS_SUCCESS);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    return {output.get(), output.get() + n};
  }

 private:
  curandGenerator_t handle_ = nullptr;
};

template <class T>
void check_near(const std::vector<T>& numbers, const std::vector<T>& known, double epsilon) {
  REQUIRE(numbers.size() == known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    CHECK(static_cast<double>(numbers[i]) ==
          doctest::Approx(static_cast<double>(known[i])).epsilon(epsilon));
  }
}

/// FNV-1a, a word at a time.
template <class Word>
std::uint64_t hash_of(const Word* words, std::size_t count) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ words[i]) * 0x100000001b3U;
  return hash;
}

/// Whether the points of each dimension hit each of as many equal intervals once.
template <class Word>
void check_even(const std::vector<Word>& points, int power) {
  const std::size_t intervals = std::size_t{1} << power;
  std::size_t missed = 0;
  for (std::size_t start = 0; start < points.size(); start += intervals) {
    std::vector<bool> hit(intervals);
    for (std::size_t i = start; i < start + intervals; ++i) {
      hit[points[i] >> (8 * sizeof(Word) - static_cast<std::size_t>(power))] = true;
    }
    missed += static_cast<std::size_t>(std::count(hit.begin(), hit.end(), false));
  }
  CHECK(missed == 0);
}

}  // namespace

TEST_CASE("Sobol's sequences in memory are a GPU's, in a GPU's order" *
          doctest::skip(without_table)) {
  CHECK(QuasiGenerator(CURAND_RNG_QUASI_SOBOL32, 1).words(12) ==
        std::vector<unsigned>{0, 0x80000000, 0xc0000000, 0x40000000, 0x60000000, 0xe0000000,
                              0xa0000000, 0x20000000, 0x30000000, 0xb0000000, 0xf0000000,
                              0x70000000});
  CHECK(QuasiGenerator(CURAND_RNG_QUASI_DEFAULT, 3, 10).words(12) ==
        std::vector<unsigned>{0xf0000000, 0x70000000, 0x50000000, 0xd0000000, 0x10000000,
                              0x90000000, 0x30000000, 0xb0000000, 0xb0000000, 0x30000000,
                              0x50000000, 0xd0000000});
  CHECK(QuasiGenerator(CURAND_RNG_QUASI_SOBOL64, 3, 10).long_words(12) ==
        std::vector<unsigned long long>{
            0xf000000000000000, 0x7000000000000000, 0x5000000000000000, 0xd000000000000000,
            0x1000000000000000, 0x9000000000000000, 0x3000000000000000, 0xb000000000000000,
            0xb000000000000000, 0x3000000000000000, 0x5000000000000000, 0xd000000000000000});
  // Written down from cuRAND's generator for the host: the last of 2^32 points, and the first
  // again; and a change of dimensions, after which the sequences go on.
  const QuasiGenerator generator(CURAND_RNG_QUASI_SOBOL32, 2, 0xfffffffe);
  CHECK(generator.words(8) ==
        std::vector<unsigned>{0x80000001, 1, 0, 0x80000000, 0x7fffffff, 0xffffffff, 0, 0x80000000});
  REQUIRE(curandSetGeneratorOffset(generator.get(), 3) == CURAND_STATUS_SUCCESS);
  CHECK(generator.words(4) ==
        std::vector<unsigned>{0x40000000, 0x60000000, 0xc0000000, 0x60000000});
  REQUIRE(curandSetQuasiRandomGeneratorDimensions(generator.get(), 1) == CURAND_STATUS_SUCCESS);
  CHECK(generator.words(2) == std::vector<unsigned>{0xe0000000, 0xa0000000});
}

TEST_CASE("quasirandom distributions in memory are a GPU's" * doctest::skip(without_table)) {
  const QuasiGenerator generator(CURAND_RNG_QUASI_SOBOL64, 3, 4);
  CHECK(generator.generated<float>(12, curandGenerateUniform) ==
        std::vector<float>{0x1.8p-2F, 0x1.cp-1F, 0x1.4p-1F, 0x1p-3F, 0x1.8p-2F, 0x1.cp-1F, 0x1p-3F,
                           0x1.4p-1F, 0x1.4p-1F, 0x1p-3F, 0x1.cp-1F, 0x1.8p-2F});
  CHECK(generator.generated<double>(12, curandGenerateUniformDouble) ==
        std::vector<double>{0x1.8000000000002p-3, 0x1.6p-1, 0x1.ep-1, 0x1.c000000000001p-2,
                            0x1.4000000000001p-2, 0x1.ap-1, 0x1.0000000000004p-4, 0x1.2p-1,
                            0x1.ep-1, 0x1.c000000000001p-2, 0x1.6p-1, 0x1.8000000000002p-3});
  check_near(generator.generated<float>(6, curandGenerateNormal, 1.0F, 2.0F),
             {0x1.6fc64p-6F, 0x1.631c08p+1F, -0x1.8c702p-1F, 0x1.fa40e8p+0F, 0x1.6fc64p-6F,
              0x1.631c08p+1F},
             1e-6);
  REQUIRE(curandSetGeneratorOffset(generator.get(), 16) == CURAND_STATUS_SUCCESS);
  check_near(
      generator.generated<double>(12, curandGenerateNormalDouble, 1.0, 2.0),
      {-0x1.a2d25307616f6p+0, 0x1.79728e0c37fe1p+0, 0x1.828eb73a355dap+1, 0x1.90623c4a11b9p-3,
       0x1.afb4a80ed7e3cp-1, 0x1.2e6dff71e5812p+2, -0x1.1b0e4e6021ddap-1, 0x1.14420160f30a8p+1,
       0x1.afb4a80ed7e3cp-1, 0x1.2e6dff71e5812p+2, -0x1.1b0e4e6021ddap-1, 0x1.14420160f30a8p+1},
      1e-14);
  check_near(generator.generated<float>(12, curandGenerateLogNormal, 0.0F, 1.0F),
             {0x1.d962f4p-1F, 0x1.9c3e66p+2F, 0x1.c8d446p+0F, 0x1.d71726p-2F, 0x1.12175ap-2F,
              0x1.4487dp+0F, 0x1.566ebap-1F, 0x1.5f6ef8p+1F, 0x1.5f6ef8p+1F, 0x1.566ebap-1F,
              0x1.4487dp+0F, 0x1.12175ap-2F},
             1e-6);
  CHECK(generator.generated<unsigned>(12, curandGeneratePoisson, 4.0) ==
        std::vector<unsigned>{2, 5, 7, 3, 2, 5, 3, 7, 4, 1, 5, 3});
  const QuasiGenerator of_32_bits(CURAND_RNG_QUASI_SOBOL32, 1, 24);
  CHECK(of_32_bits.generated<double>(3, curandGenerateUniformDouble) ==
        std::vector<double>{0x1.40000008p-3, 0x1.50000002p-1, 0x1.d0000002p-1});
  REQUIRE(curandSetGeneratorOffset(of_32_bits.get(), 48) == CURAND_STATUS_SUCCESS);
  check_near(of_32_bits.generated<double>(3, curandGenerateNormalDouble, 1.0, 2.0),
             {-0x1.d5e981a143ac2p+0, 0x1.64ea2bd4c97adp+0, 0x1.72604a09b977ap+1}, 1e-14);
}

TEST_CASE("Sobol's sequences in a kernel are a GPU's" * doctest::skip(without_table)) {
  curandDirectionVectors32_t* vectors32 = nullptr;
  curandDirectionVectors64_t* vectors64 = nullptr;
  REQUIRE(curandGetDirectionVectors32(&vectors32, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  REQUIRE(curandGetDirectionVectors64(&vectors64, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  const Managed<curandDirectionVectors32_t> device32(5);
  const Managed<curandDirectionVectors64_t> device64(5);
  std::copy_n(vectors32[0], 5 * 32, device32[0]);
  std::copy_n(vectors64[0], 5 * 64, device64[0]);
  const Managed<unsigned> words(14);
  const Managed<unsigned long long> long_words(13);
  const Managed<float> floats(7);
  const Managed<double> doubles(4);
  draw<<<1, 1>>>(device32.get(), device64.get(), words.get(), long_words.get(), floats.get(),
                 doubles.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::vector<unsigned>(words.get(), words.get() + 14) ==
        std::vector<unsigned>{0x60000000, 0xa0000000, 0x20000000, 0x70000000, 0xf0000000,
                              0x30000000, 0x0a000000, 0x00000002, 0xd66c0768, 0x466c0768,
                              0xc66c0768, 0x066c0768, 0x866c0768, 0xe66c0768});
  CHECK(std::vector<unsigned long long>(long_words.get(), long_words.get() + 13) ==
        std::vector<unsigned long long>{0x1000000000000000, 0x5000000000000000, 0xd000000000000000,
                                        0xf000000000000000, 0x7000000000000000, 0x3000000000000000,
                                        0xbfc0000000000000, 0x263d901f849e81db, 0x863d901f849e81db,
                                        0x063d901f849e81db, 0xc63d901f849e81db, 0x463d901f849e81db,
                                        0xb63d901f849e81db});
  check_near({floats.get(), floats.get() + 7},
             std::vector<float>{0x1.e4p-1F, -0x1.19a0ap-3F, 0x1.25302cp+2F, 0x1.99b01ep-2F,
                                0x1.8ace3ep-2F, 0x1.f8p-5F, -0x1.f75568p-2F},
             1e-6);
  check_near({doubles.get(), doubles.get() + 4},
             std::vector<double>{0x1.1f8p-1, 0x1.c45d47f5913e8p-1, 0x1.329ddf39a3729p+0,
                                 0x1.b1ec80fc24f42p-3},
             1e-14);
}

TEST_CASE("direction vectors are cuRAND's, in each dimension" * doctest::skip(without_table)) {
  // The sums are of the vectors that cuRAND 10.4 hands out.
  curandDirectionVectors32_t* vectors32 = nullptr;
  curandDirectionVectors64_t* vectors64 = nullptr;
  REQUIRE(curandGetDirectionVectors32(&vectors32, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  REQUIRE(curandGetDirectionVectors64(&vectors64, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  const unsigned last_of_32[] = {0x00000001, 0xffffffff, 0xc5005555,
                                 0x50050093, 0xb00ddb9d, 0x40bbbbbb};
  for (std::size_t i = 0; i < 6; ++i) CHECK(vectors32[i][31] == last_of_32[i]);
  CHECK(vectors64[5][63] == 0x3000bbbbbbbbbbbb);
  CHECK(hash_of(vectors32[0], std::size_t{32} * all_dimensions) == 0xed17af53024cd852);
  CHECK(hash_of(vectors64[0], std::size_t{64} * all_dimensions) == 0x89bf1a2bf5f7f684);
}

TEST_CASE("2^k points hit each of 2^k intervals once, in every dimension" *
          doctest::skip(without_table)) {
  constexpr int power = 5;
  constexpr std::size_t count = std::size_t{all_dimensions} << power;
  for (const auto type : {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32}) {
    check_even(QuasiGenerator(type, all_dimensions).words(count), power);
  }
  for (const auto type : {CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    check_even(QuasiGenerator(type, all_dimensions).long_words(count), power);
  }
}

TEST_CASE("scrambled sequences start at their dimension's constant" *
          doctest::skip(without_table)) {
  unsigned* constants = nullptr;
  unsigned long long* long_constants = nullptr;
  REQUIRE(curandGetScrambleConstants32(&constants) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandGetScrambleConstants64(&long_constants) == CURAND_STATUS_SUCCESS);
  const auto first =
      QuasiGenerator(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, all_dimensions).words(all_dimensions);
  const auto long_first =
      QuasiGenerator(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, all_dimensions).long_words(all_dimensions);
  CHECK(std::equal(first.begin(), first.end(), constants));
  CHECK(std::equal(long_first.begin(), long_first.end(), long_constants));
  for (std::size_t i = 0; i < all_dimensions; ++i) {
    CHECK_UNARY(constants[i] == long_constants[i] >> 32);
  }
  CHECK(constants[0] != constants[1]);
}

TEST_CASE("quasirandom Poisson numbers have the distribution they should" *
          doctest::skip(without_table)) {
  constexpr std::size_t count = 4096;
  for (const auto type : {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
    for (const double lambda : {0.1, 4.0, 800.0, 2000.0}) {
      CAPTURE(lambda);
      const auto numbers =
          QuasiGenerator(type, 1).generated<unsigned>(count, curandGeneratePoisson, lambda);
      double sum = 0;
      double squares = 0;
      for (const double number : numbers) {
        sum += number - lambda;
        squares += (number - lambda) * (number - lambda);
      }
      CHECK(std::abs(sum) < 0.02 * std::sqrt(lambda) * count);
      CHECK(squares == doctest::Approx(lambda * count).epsilon(0.02));
    }
  }
}

TEST_CASE("quasirandom generators refuse what cuRAND's refuse" * doctest::skip(without_table)) {
  const QuasiGenerator of_32_bits(CURAND_RNG_QUASI_SOBOL32, 3);
  const QuasiGenerator of_64_bits(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, 3);
  const Managed<unsigned> words(13);
  const Managed<unsigned long long> long_words(13);
  CHECK(curandGenerate(of_32_bits.get(), words.get(), 13) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerate(of_64_bits.get(), words.get(), 13) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandGenerateLongLong(of_32_bits.get(), long_words.get(), 12) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandGenerateLongLong(of_64_bits.get(), long_words.get(), 13) ==
        CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerateLongLong(of_32_bits.get(), long_words.get(), 0) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(of_32_bits.get(), 5) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOrdering(of_32_bits.get(), CURAND_ORDERING_QUASI_DEFAULT) ==
        CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOrdering(of_32_bits.get(), CURAND_ORDERING_PSEUDO_BEST) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(of_32_bits.get(), 0) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(of_32_bits.get(), 20001) ==
        CURAND_STATUS_OUT_OF_RANGE);
  // Which an H200 takes.
  CHECK(curandSetQuasiRandomGeneratorDimensions(of_32_bits.get(), all_dimensions + 1) ==
        CURAND_STATUS_TYPE_ERROR);
  curandDirectionVectors32_t* vectors32 = nullptr;
  curandDirectionVectors64_t* vectors64 = nullptr;
  CHECK(curandGetDirectionVectors32(&vectors32, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGetDirectionVectors64(&vectors64, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) ==
        CURAND_STATUS_OUT_OF_RANGE);
}

TEST_CASE("states of Sobol's sequences are as large as cuRAND's") {
  CHECK(sizeof(curandStateSobol32_t) == 140);
  CHECK(sizeof(curandStateScrambledSobol32_t) == 140);
  CHECK(sizeof(curandStateSobol64_t) == 536);
  CHECK(sizeof(curandStateScrambledSobol64_t) == 536);
}
