/// \file
/// cuRAND. The numbers of Philox were written down from an H200 with cuRAND 10.4; the other
/// generators are only asked for their distributions.

#include <curand.h>
#include <curand_kernel.h>
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "libraries/curand/managed.hpp"

namespace {

using emulator::curand::Managed;

__global__ void draw_bits(unsigned long long seed, unsigned long long subsequence,
                          unsigned long long offset, unsigned* bits) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 6; ++i) bits[i] = curand(&state);
  const uint4 four = curand4(&state);
  bits[6] = four.x;
  bits[7] = four.y;
  bits[8] = four.z;
  bits[9] = four.w;
  bits[10] = curand(&state);
}

__global__ void draw_numbers(float* floats, double* doubles) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, 7, 3, &state);
  for (int i = 0; i < 3; ++i) floats[i] = curand_uniform(&state);
  for (int i = 3; i < 6; ++i) floats[i] = curand_normal(&state);
  const float4 normal = curand_normal4(&state);
  floats[6] = normal.x;
  floats[7] = normal.y;
  floats[8] = normal.z;
  floats[9] = normal.w;
  const float4 uniform = curand_uniform4(&state);
  floats[10] = uniform.x;
  floats[11] = uniform.y;
  floats[12] = uniform.z;
  floats[13] = uniform.w;
  const float2 pair = curand_normal2(&state);
  floats[14] = pair.x;
  floats[15] = pair.y;
  floats[16] = curand_log_normal(&state, 0.5F, 0.25F);

  curand_init(1234, 7, 3, &state);
  for (int i = 0; i < 3; ++i) doubles[i] = curand_uniform_double(&state);
  const double2 uniforms = curand_uniform2_double(&state);
  doubles[3] = uniforms.x;
  doubles[4] = uniforms.y;
  doubles[5] = curand_normal_double(&state);
  doubles[6] = curand_normal_double(&state);
  const double2 normals = curand_normal2_double(&state);
  doubles[7] = normals.x;
  doubles[8] = normals.y;
  skipahead(5ULL, &state);
  doubles[9] = curand_uniform(&state);
  skipahead_sequence(3ULL, &state);
  doubles[10] = curand_uniform(&state);
}

/// Uniform, normal and Poisson numbers of each thread's own subsequence.
template <class State>
__global__ void draw_many(float* uniform, double* normal, unsigned* poisson, int draws) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  State state;
  curand_init(99, static_cast<unsigned long long>(thread), 0, &state);
  for (int i = 0; i < draws; ++i) uniform[thread * draws + i] = curand_uniform(&state);
  for (int i = 0; i < draws; ++i) normal[thread * draws + i] = curand_normal_double(&state);
  for (int i = 0; i < draws; ++i) {
    poisson[thread * draws + i] = curand_poisson(&state, i % 2 == 0 ? 3.5 : 80.0);
  }
}

template <class State>
__device__ void skip_subsequences(unsigned long long n, State* state) {
  skipahead_sequence(n, state);
}
/// Whose sequences are larger still.
__device__ void skip_subsequences(unsigned long long n, curandStateMRG32k3a* state) {
  skipahead_subsequence(n, state);
}

template <class State>
__global__ void jump_and_walk(unsigned* same) {
  constexpr unsigned long long far = 1000;
  State walked;
  State jumped;
  State placed;
  curand_init(5, 2, 0, &walked);
  curand_init(5, 2, 0, &jumped);
  curand_init(5, 2, far, &placed);
  for (unsigned long long i = 0; i < far; ++i) curand(&walked);
  skipahead(far, &jumped);
  const unsigned bits = curand(&walked);
  same[0] = static_cast<unsigned>(bits == curand(&jumped));
  same[1] = static_cast<unsigned>(bits == curand(&placed));
  // Two jumps of n subsequences lead where one of 2 n does.
  State twice;
  State once;
  curand_init(5, 0, 3, &twice);
  curand_init(5, 1ULL << 40, 3, &once);
  same[3] = static_cast<unsigned>(curand(&twice) != curand(&once));
  curand_init(5, 0, 3, &twice);
  curand_init(5, 1ULL << 40, 3, &once);
  skip_subsequences(1ULL << 39, &twice);
  skip_subsequences(1ULL << 39, &twice);
  same[2] = static_cast<unsigned>(curand(&twice) == curand(&once));
}

double mean_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

double variance_of(const std::vector<double>& numbers) {
  const double mean = mean_of(numbers);
  double sum = 0;
  for (const double number : numbers) sum += (number - mean) * (number - mean);
  return sum / static_cast<double>(numbers.size());
}

/// Whether mean and variance are those, up to five standard errors.
void check_moments(const std::vector<double>& numbers, double mean, double variance,
                   double fourth_moment) {
  const double n = static_cast<double>(numbers.size());
  CHECK(std::abs(mean_of(numbers) - mean) < 5 * std::sqrt(variance / n));
  const double error = std::sqrt((fourth_moment - variance * variance) / n);
  CHECK(std::abs(variance_of(numbers) - variance) < 5 * error);
}

void check_poisson(const std::vector<double>& numbers, double lambda) {
  check_moments(numbers, lambda, lambda, lambda * (1 + 3 * lambda));
}

template <class State>
void check_state() {
  constexpr int threads = 256;
  constexpr int draws = 100;
  constexpr std::size_t count = std::size_t{threads} * draws;
  const Managed<float> uniform(count);
  const Managed<double> normal(count);
  const Managed<unsigned> poisson(count);
  draw_many<State><<<4, threads / 4>>>(uniform.get(), normal.get(), poisson.get(), draws);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<double> uniforms(uniform.get(), uniform.get() + count);
  for (const double number : uniforms) {
    CHECK_UNARY(number > 0);
    CHECK_UNARY(number <= 1);
  }
  check_moments(uniforms, 0.5, 1.0 / 12, 1.0 / 80);
  check_moments({normal.get(), normal.get() + count}, 0, 1, 3);
  std::vector<double> few;
  std::vector<double> many;
  for (std::size_t i = 0; i < count; ++i) (i % 2 == 0 ? few : many).push_back(poisson[i]);
  check_poisson(few, 3.5);
  check_poisson(many, 80);
  // Neighbours, in a thread's sequence or in the next thread's, know nothing of each other.
  for (const std::size_t distance : {std::size_t{1}, std::size_t{draws}}) {
    double sum = 0;
    for (std::size_t i = 0; i + distance < count; ++i) {
      sum += (uniforms[i] - 0.5) * (uniforms[i + distance] - 0.5) * 12;
    }
    CHECK(std::abs(sum) < 5 * std::sqrt(static_cast<double>(count)));
  }

  const Managed<unsigned> same(4);
  jump_and_walk<State><<<1, 1>>>(same.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (std::size_t i = 0; i < 4; ++i) CHECK(same[i] == 1);
}

class HostGenerator {
 public:
  explicit HostGenerator(curandRngType_t type, unsigned long long seed = 1234) {
    REQUIRE(curandCreateGenerator(&handle_, type) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetPseudoRandomGeneratorSeed(handle_, seed) == CURAND_STATUS_SUCCESS);
  }
  ~HostGenerator() { curandDestroyGenerator(handle_); }
  HostGenerator(const HostGenerator&) = delete;
  HostGenerator& operator=(const HostGenerator&) = delete;
  curandGenerator_t get() const { return handle_; }

 private:
  curandGenerator_t handle_ = nullptr;
};

}  // namespace

TEST_CASE("Philox's bits are a GPU's") {
  struct Known {
    unsigned long long seed, subsequence, offset;
    unsigned bits[11];
  };
  const Known known[] = {{0,
                          0,
                          0,
                          {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4, 0x5cb200db,
                           0xb1a574eb, 0x097eff67, 0x04faa329, 0x51c732a6, 0x241513ad}},
                         {1234,
                          7,
                          3,
                          {0x1debf147, 0x324cbeba, 0xacba3cf8, 0xd4e428b4, 0x11a504c1, 0xeddab463,
                           0x2a66b296, 0xd6a749c6, 0x5c244a7d, 0xe4449d5f, 0xb28a18d8}},
                         {0x123456789abcdefULL,
                          0x100000003ULL,
                          0x400000001ULL,
                          {0xd9107d2b, 0x7e8c6f34, 0x0038ae97, 0x9d9fcb0d, 0xdef3c343, 0xa28619b2,
                           0x23f92fb7, 0xcd8c54d8, 0x7aa4181d, 0xe6b44937, 0x877a22df}}};
  const Managed<unsigned> bits(11);
  for (const Known& one : known) {
    draw_bits<<<1, 1>>>(one.seed, one.subsequence, one.offset, bits.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (std::size_t i = 0; i < 11; ++i) CHECK(bits[i] == one.bits[i]);
  }
}

TEST_CASE("Philox's distributions are a GPU's") {
  const Managed<float> floats(17);
  const Managed<double> doubles(11);
  draw_numbers<<<1, 1>>>(floats.get(), doubles.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const float known_floats[] = {0x1.debf14p-4F,  0x1.9265f6p-3F, 0x1.59747ap-1F, 0x1.04f6ecp-2F,
                                0x1.1a3998p-1F,  0x1.52c406p-2F, 0x1.d47d66p-2F, -0x1.83371ep-2F,
                                -0x1.cfd7a4p-2F, -0x1.3e24p-3F,  0x1.719d66p-4F, 0x1.cab4d8p-1F,
                                0x1.fd2048p-1F,  0x1.4c099cp-4F, 0x1.d87ea6p-1F, 0x1.26885cp-1F,
                                0x1.92477p+0F};
  for (std::size_t i = 0; i < 17; ++i) {
    // A GPU's logarithm, sine and cosine are not exact, nor are the host's.
    CHECK(static_cast<double>(floats[i]) ==
          doctest::Approx(static_cast<double>(known_floats[i])).epsilon(1e-6));
  }
  const double known_doubles[] = {
      0x1.debf148p-4,       0x1.9265f5d8p-3,       0x1.597479f2p-1,       0x1.1a502662145a4p-4,
      0x1.5335afc6ad18ep-3, -0x1.5a2e79aadb7ffp+0, -0x1.dadfd519dc7f7p-2, 0x1.d434da11a1fa6p-3,
      0x1.a32b417ba3d9ap-2, 0x1.030abep-3,         0x1.0dcdd2p-1};
  for (std::size_t i = 0; i < 11; ++i) {
    CHECK(doubles[i] == doctest::Approx(known_doubles[i]).epsilon(1e-14));
  }
}

TEST_CASE("every device generator has the distributions it should, and jumps as far as it walks") {
  SUBCASE("XORWOW") {
    check_state<curandState>();
  }
  SUBCASE("Philox") {
    check_state<curandStatePhilox4_32_10_t>();
  }
  SUBCASE("MRG32k3a") {
    check_state<curandStateMRG32k3a>();
  }
}

TEST_CASE("states are as large as cuRAND's") {
  CHECK(sizeof(curandState) == 48);
  CHECK(sizeof(curandStatePhilox4_32_10_t) == 64);
  CHECK(sizeof(curandStateMRG32k3a) == 48);
}

TEST_CASE("Philox on the host gives a GPU's numbers in a GPU's order") {
  const HostGenerator generator(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  constexpr std::size_t turn = 262144;  // then the first subsequence goes on
  const Managed<unsigned> bits(turn + 2);
  REQUIRE(curandGenerate(generator.get(), bits.get(), turn + 2) == CURAND_STATUS_SUCCESS);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const unsigned known[] = {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0xd115a128, 0x52fc7c75,
                            0xc7f33f17, 0x0f1539db, 0x8b438957, 0xec6a41f7, 0x71067dfe, 0x421d9aa5};
  for (std::size_t i = 0; i < 12; ++i) CHECK(bits[i] == known[i]);
  const Managed<unsigned> next_block(11);
  draw_bits<<<1, 1>>>(1234, 0, 4, next_block.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(bits[turn] == next_block[0]);
  CHECK(bits[turn + 1] == next_block[1]);

  REQUIRE(curandSetGeneratorOffset(generator.get(), 5) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandGenerate(generator.get(), bits.get(), 3) == CURAND_STATUS_SUCCESS);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(bits[0] == known[5]);

  const Managed<double> numbers(3);
  REQUIRE(curandSetGeneratorOffset(generator.get(), 0) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandGenerateUniformDouble(generator.get(), numbers.get(), 3) == CURAND_STATUS_SUCCESS);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[0] == 0x1.b4f9e35f0b348p-1);
  CHECK(numbers[1] == 0x1.97948a5c1907p-1);
  REQUIRE(curandSetGeneratorOffset(generator.get(), 0) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandGenerateNormalDouble(generator.get(), numbers.get(), 2, 0, 1) ==
          CURAND_STATUS_SUCCESS);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[0] == doctest::Approx(-0x1.143cd7d47b538p-1).epsilon(1e-14));
  CHECK(numbers[1] == doctest::Approx(0x1.48fa22ccec994p-3).epsilon(1e-14));
}

TEST_CASE("every host generator has the distributions it should") {
  constexpr std::size_t count = 50000;
  const Managed<double> doubles(count);
  const Managed<float> floats(count);
  const Managed<unsigned> numbers(count);
  for (const curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A,
                                     CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    CAPTURE(static_cast<int>(type));
    const HostGenerator generator(type);
    REQUIRE(curandGenerateUniform(generator.get(), floats.get(), count) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandGenerateNormalDouble(generator.get(), doubles.get(), count, 2, 3) ==
            CURAND_STATUS_SUCCESS);
    REQUIRE(curandGeneratePoisson(generator.get(), numbers.get(), count, 20) ==
            CURAND_STATUS_SUCCESS);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    check_moments({floats.get(), floats.get() + count}, 0.5, 1.0 / 12, 1.0 / 80);
    check_moments({doubles.get(), doubles.get() + count}, 2, 9, 3 * 81);
    check_poisson({numbers.get(), numbers.get() + count}, 20);
    REQUIRE(curandGenerateLogNormal(generator.get(), floats.get(), count, 0, 0.5F) ==
            CURAND_STATUS_SUCCESS);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<double> logarithms;
    for (std::size_t i = 0; i < count; ++i) {
      logarithms.push_back(std::log(static_cast<double>(floats[i])));
    }
    check_moments(logarithms, 0, 0.25, 3.0 / 16);
  }
}

TEST_CASE("normal numbers come in pairs, so that an odd number of them is refused") {
  const HostGenerator generator(CURAND_RNG_PSEUDO_XORWOW);
  const Managed<float> floats(5);
  const Managed<double> doubles(5);
  const auto odd = CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  CHECK(curandGenerateNormal(generator.get(), floats.get(), 5, 0, 1) == odd);
  CHECK(curandGenerateNormalDouble(generator.get(), doubles.get(), 5, 0, 1) == odd);
  CHECK(curandGenerateLogNormal(generator.get(), floats.get(), 5, 0, 1) == odd);
  CHECK(curandGenerateLogNormalDouble(generator.get(), doubles.get(), 5, 0, 1) == odd);
  CHECK(curandGenerateNormal(generator.get(), floats.get(), 4, 0, 1) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(generator.get(), floats.get(), 5) == CURAND_STATUS_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("what makes no sense is refused as cuRAND refuses it") {
  const HostGenerator philox(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  const HostGenerator mersenne(CURAND_RNG_PSEUDO_MT19937);
  const HostGenerator xorwow(CURAND_RNG_PSEUDO_XORWOW);
  const Managed<unsigned> bits(4);
  curandGenerator_t none = nullptr;
  CHECK(curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandCreateGenerator(&none, static_cast<curandRngType_t>(7)) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandDestroyGenerator(nullptr) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandGenerate(nullptr, bits.get(), 4) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandGenerate(philox.get(), bits.get(), 0) == CURAND_STATUS_SUCCESS);
  CHECK(curandGeneratePoisson(philox.get(), bits.get(), 4, 0) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGeneratePoisson(philox.get(), bits.get(), 4, -1) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetGeneratorOffset(mersenne.get(), 5) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetQuasiRandomGeneratorDimensions(philox.get(), 2) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOrdering(philox.get(), CURAND_ORDERING_QUASI_DEFAULT) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetGeneratorOrdering(philox.get(), CURAND_ORDERING_PSEUDO_SEEDED) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetGeneratorOrdering(xorwow.get(), CURAND_ORDERING_PSEUDO_SEEDED) ==
        CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOrdering(mersenne.get(), CURAND_ORDERING_PSEUDO_DYNAMIC) ==
        CURAND_STATUS_OUT_OF_RANGE);
  int version = 0;
  CHECK(curandGetVersion(&version) == CURAND_STATUS_SUCCESS);
  CHECK(version == CURAND_VERSION);
}
