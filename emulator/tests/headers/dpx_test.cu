// The DPX functions in kernels and on the host, beside sums and choices of wide numbers. nvcc
// compiles this file as well.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using Word = std::uint32_t;

// What all functions make of three words: a row of results for each.
constexpr int functions = 44;

__host__ __device__ void compute(Word a, Word b, Word c, Word* results) {
  const int x = static_cast<int>(a);
  const int y = static_cast<int>(b);
  const int z = static_cast<int>(c);
  bool high = false;
  bool low = false;
  int next = 0;
  results[next++] = static_cast<Word>(__vimax_s32_relu(x, y));
  results[next++] = __vimax_s16x2_relu(a, b);
  results[next++] = static_cast<Word>(__vimin_s32_relu(x, y));
  results[next++] = __vimin_s16x2_relu(a, b);
  results[next++] = static_cast<Word>(__vimax3_s32(x, y, z));
  results[next++] = __vimax3_s16x2(a, b, c);
  results[next++] = __vimax3_u32(a, b, c);
  results[next++] = __vimax3_u16x2(a, b, c);
  results[next++] = static_cast<Word>(__vimin3_s32(x, y, z));
  results[next++] = __vimin3_s16x2(a, b, c);
  results[next++] = __vimin3_u32(a, b, c);
  results[next++] = __vimin3_u16x2(a, b, c);
  results[next++] = static_cast<Word>(__vimax3_s32_relu(x, y, z));
  results[next++] = __vimax3_s16x2_relu(a, b, c);
  results[next++] = static_cast<Word>(__vimin3_s32_relu(x, y, z));
  results[next++] = __vimin3_s16x2_relu(a, b, c);
  results[next++] = static_cast<Word>(__viaddmax_s32(x, y, z));
  results[next++] = __viaddmax_s16x2(a, b, c);
  results[next++] = __viaddmax_u32(a, b, c);
  results[next++] = __viaddmax_u16x2(a, b, c);
  results[next++] = static_cast<Word>(__viaddmin_s32(x, y, z));
  results[next++] = __viaddmin_s16x2(a, b, c);
  results[next++] = __viaddmin_u32(a, b, c);
  results[next++] = __viaddmin_u16x2(a, b, c);
  results[next++] = static_cast<Word>(__viaddmax_s32_relu(x, y, z));
  results[next++] = __viaddmax_s16x2_relu(a, b, c);
  results[next++] = static_cast<Word>(__viaddmin_s32_relu(x, y, z));
  results[next++] = __viaddmin_s16x2_relu(a, b, c);
  results[next++] = static_cast<Word>(__vibmax_s32(x, y, &low));
  results[next++] = low ? 1 : 0;
  results[next++] = __vibmax_s16x2(a, b, &high, &low);
  results[next++] = (high ? 2 : 0) + (low ? 1 : 0);
  results[next++] = __vibmax_u32(a, b, &low);
  results[next++] = low ? 1 : 0;
  results[next++] = __vibmax_u16x2(a, b, &high, &low);
  results[next++] = (high ? 2 : 0) + (low ? 1 : 0);
  results[next++] = static_cast<Word>(__vibmin_s32(x, y, &low));
  results[next++] = low ? 1 : 0;
  results[next++] = __vibmin_s16x2(a, b, &high, &low);
  results[next++] = (high ? 2 : 0) + (low ? 1 : 0);
  results[next++] = __vibmin_u32(a, b, &low);
  results[next++] = low ? 1 : 0;
  results[next++] = __vibmin_u16x2(a, b, &high, &low);
  results[next++] = (high ? 2 : 0) + (low ? 1 : 0);
}

// What they are meant to make of them: in numbers that hold every sum, brought back to their
// widths.
template <class T>
std::int64_t number(Word word, int part) {
  return static_cast<T>(word >> (part * 16));
}
template <class T>
Word part_of_word(std::int64_t value, int part) {
  return sizeof(T) == 4 ? static_cast<Word>(value)
                        : (static_cast<Word>(value) & 0xFFFFU) << (part * 16);
}
template <class T, class Choose>
Word each_part(Word a, Word b, Word c, Choose choose) {
  Word result = 0;
  for (int part = 0; part < 4 / static_cast<int>(sizeof(T)); ++part) {
    result |=
        part_of_word<T>(choose(number<T>(a, part), number<T>(b, part), number<T>(c, part)), part);
  }
  return result;
}
std::int64_t positive(std::int64_t value) {
  return std::max<std::int64_t>(value, 0);
}

template <class T>
struct Expectation {
  Word a, b, c;

  Word max_of_two() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto) { return std::max(x, y); });
  }
  Word min_of_two() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto) { return std::min(x, y); });
  }
  Word max_relu() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto) { return positive(std::max(x, y)); });
  }
  Word min_relu() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto) { return positive(std::min(x, y)); });
  }
  Word max3() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto z) { return std::max({x, y, z}); });
  }
  Word min3() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto z) { return std::min({x, y, z}); });
  }
  Word max3_relu() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto z) {
      return positive(std::max({x, y, z}));
    });
  }
  Word min3_relu() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto z) {
      return positive(std::min({x, y, z}));
    });
  }
  static std::int64_t sum(std::int64_t x, std::int64_t y) { return static_cast<T>(x + y); }
  Word add_max() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto z) { return std::max(sum(x, y), z); });
  }
  Word add_min() const {
    return each_part<T>(a, b, c, [](auto x, auto y, auto z) { return std::min(sum(x, y), z); });
  }
  Word add_max_relu() const {
    return each_part<T>(a, b, c,
                        [](auto x, auto y, auto z) { return positive(std::max(sum(x, y), z)); });
  }
  Word add_min_relu() const {
    return each_part<T>(a, b, c,
                        [](auto x, auto y, auto z) { return positive(std::min(sum(x, y), z)); });
  }
  // A bit for each part whose first number was chosen.
  Word is_max() const {
    return chosen([](auto x, auto y) { return x >= y; });
  }
  Word is_min() const {
    return chosen([](auto x, auto y) { return x <= y; });
  }

 private:
  template <class Choose>
  Word chosen(Choose choose) const {
    Word result = 0;
    for (int part = 0; part < 4 / static_cast<int>(sizeof(T)); ++part) {
      if (choose(number<T>(a, part), number<T>(b, part))) result |= 1U << part;
    }
    return result;
  }
};

std::vector<Word> meant(Word a, Word b, Word c) {
  const Expectation<int> s{a, b, c};
  const Expectation<short> sh{a, b, c};
  const Expectation<unsigned> u{a, b, c};
  const Expectation<unsigned short> uh{a, b, c};
  return {s.max_relu(),      sh.max_relu(),    s.min_relu(),      sh.min_relu(),   s.max3(),
          sh.max3(),         u.max3(),         uh.max3(),         s.min3(),        sh.min3(),
          u.min3(),          uh.min3(),        s.max3_relu(),     sh.max3_relu(),  s.min3_relu(),
          sh.min3_relu(),    s.add_max(),      sh.add_max(),      u.add_max(),     uh.add_max(),
          s.add_min(),       sh.add_min(),     u.add_min(),       uh.add_min(),    s.add_max_relu(),
          sh.add_max_relu(), s.add_min_relu(), sh.add_min_relu(), s.max_of_two(),  s.is_max(),
          sh.max_of_two(),   sh.is_max(),      u.max_of_two(),    u.is_max(),      uh.max_of_two(),
          uh.is_max(),       s.min_of_two(),   s.is_min(),        sh.min_of_two(), sh.is_min(),
          u.min_of_two(),    u.is_min(),       uh.min_of_two(),   uh.is_min()};
}

__global__ void compute_all(const Word* words, int count, Word* results) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  compute(words[3 * i], words[3 * i + 1], words[3 * i + 2], results + i * functions);
}

// Triples of words at the edges of both widths, and of any.
std::vector<Word> triples() {
  const std::vector<Word> edges{0,          1,          0xFFFFFFFF, 0x80000000, 0x7FFFFFFF,
                                0x80008000, 0x7FFF7FFF, 0x0001FFFF, 0xFFFE8001};
  std::vector<Word> result;
  for (const Word a : edges) {
    for (const Word b : edges) {
      for (const Word c : edges) result.insert(result.end(), {a, b, c});
    }
  }
  std::mt19937 bits(9);
  for (int i = 0; i < 3 * 500; ++i) result.push_back(static_cast<Word>(bits()));
  return result;
}

}  // namespace

TEST_CASE("DPX: the greatest and the least, with sums and with 0, in kernels and on the host") {
  const std::vector<Word> words = triples();
  const int count = static_cast<int>(words.size() / 3);
  Word* given = nullptr;
  Word* results = nullptr;
  REQUIRE(cudaMalloc(&given, words.size() * sizeof(Word)) == cudaSuccess);
  REQUIRE(cudaMalloc(&results, sizeof(Word) * functions * count) == cudaSuccess);
  cudaMemcpy(given, words.data(), words.size() * sizeof(Word), cudaMemcpyHostToDevice);
  compute_all<<<(count + 127) / 128, 128>>>(given, count, results);
  std::vector<Word> got(static_cast<std::size_t>(functions) * static_cast<std::size_t>(count));
  REQUIRE(cudaMemcpy(got.data(), results, got.size() * sizeof(Word), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::vector<Word> expected = meant(words[3 * i], words[3 * i + 1], words[3 * i + 2]);
    REQUIRE(expected.size() == functions);
    std::vector<Word> on_host(functions);
    compute(words[3 * i], words[3 * i + 1], words[3 * i + 2], on_host.data());
    CHECK(on_host == expected);
    CHECK(std::equal(expected.begin(), expected.end(),
                     got.begin() + static_cast<std::ptrdiff_t>(i) * functions));
  }
  cudaFree(given);
  cudaFree(results);
}
