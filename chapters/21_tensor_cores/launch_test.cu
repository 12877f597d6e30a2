#define main chapter_main  // not the main() of the test
#include "tensor_cores.cu"
#undef main

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;
using course::testing::GuardedArray;

// Launches a rung with numbers of its own type. `shift`: A and B begin that many numbers late.
template <class Element>
std::vector<float> product(const TensorRung& rung, const course::GemmProblem& p,
                           std::size_t shift) {
  const auto shifted = [&](const course::HostMatrix& values) {
    std::vector<Element> all(shift, rounded<Element>(std::nanf("")));
    const std::vector<Element> numbers = all_rounded<Element>(values);
    all.insert(all.end(), numbers.begin(), numbers.end());
    return GuardedArray<Element>(all);
  };
  const GuardedArray<Element> A = shifted(p.A);
  const GuardedArray<Element> B = shifted(p.B);
  GuardedArray<float> C(p.m * p.n);
  rung.launch(A.data() + shift, B.data() + shift, C.data(), static_cast<int>(p.m),
              static_cast<int>(p.n), static_cast<int>(p.k));
  const std::vector<float> result = C.to_host();
  CHECK(A.intact());
  CHECK(B.intact());
  CHECK(C.intact());
  return result;
}

std::vector<float> product(const TensorRung& rung, const course::GemmProblem& p,
                           std::size_t shift = 0) {
  if (rung.numbers == Numbers::bf16) return product<__nv_bfloat16>(rung, p, shift);
  if (rung.numbers == Numbers::fp16) return product<__half>(rung, p, shift);
  return product<float>(rung, p, shift);
}

void check_exact(const TensorRung& rung, GemmShape shape, std::size_t shift = 0) {
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  CAPTURE(shift);
  const course::GemmProblem p =
      course::make_gemm(course::Data::exact, static_cast<std::size_t>(shape.m),
                        static_cast<std::size_t>(shape.n), static_cast<std::size_t>(shape.k));
  const course::Verdict verdict = course::verify(product(rung, p, shift), p);
  CHECK_MESSAGE(verdict.passed, verdict.message);
}

std::vector<TensorRung> ours() {
  std::vector<TensorRung> all;
  for (const TensorRung& rung : rungs_here()) {
    if (!rung.name.ends_with("cuBLAS")) all.push_back(rung);
  }
  return all;
}

TEST_CASE("the launch functions: shapes of all kinds, nothing touched beside them") {
  course::device();
  for (const TensorRung& rung : ours()) {
    CAPTURE(rung.name);
    for (const GemmShape& shape : course::testing::few_gemm_shapes(
             {{16, 64, 128},    // whole fragments
              {130, 264, 136},  // copies of 16 bytes, tiles that are not full
              {70, 130, 66},    // of 4 bytes
              {65, 129, 67}})) {
      check_exact(rung, shape);
    }
  }
}

TEST_CASE("more blocks than one down and across, more steps than stages") {
  course::device();
  for (const TensorRung& rung : ours()) {
    CAPTURE(rung.name);
    check_exact(rung, {140, 280, 392});
  }
}

// The emulator has one multiprocessor, and shares nothing out by itself.
TEST_CASE("blocks that share tiles: two, more than two, and more blocks than tiles") {
  course::device();
  if (!course::on_emulator && course::device().compute_capability < 90) return;
  for (const int processors : {3, 5, 20}) {
    CAPTURE(processors);
    WarpSpecializedGemm<Mapped<Bf16>> launcher(processors, 1);
    const auto launch = [&](const void* A, const void* B, float* C, int m, int n, int k) {
      launcher.launch(
          {static_cast<const __nv_bfloat16*>(A), static_cast<const __nv_bfloat16*>(B), C, m, n, k},
          true);
    };
    const TensorRung rung = {"stream-k", Numbers::bf16, launch};
    check_exact(rung, {390, 264, 200});
    check_exact(rung, {130, 70, 200});  // earlier blocks must have left all as it was
  }
}

TEST_CASE("matrices that begin anywhere") {
  course::device();
  for (const TensorRung& rung : ours()) {
    CAPTURE(rung.name);
    for (const std::size_t shift : {1, 2}) check_exact(rung, {40, 72, 40}, shift);
  }
}

// 0 times infinity is not a number: so it shows if one of A's and B's tiles is not 0 beyond k.
TEST_CASE("beyond the edge of k everything is 0, in A's tile and in B's") {
  course::device();
  constexpr std::size_t m = 40;
  constexpr std::size_t n = 48;
  for (const TensorRung& rung : ours()) {
    CAPTURE(rung.name);
    for (const std::size_t k : {65, 72}) {
      for (const bool in_A : {true, false}) {
        course::GemmProblem p = course::make_gemm(course::Data::exact, m, n, k);
        (in_A ? p.A.data()[7 * k + 5] : p.B.data()[5 * n + 7]) = HUGE_VALF;
        const std::vector<float> C = product(rung, p);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            const float got = C[i * n + j];
            const bool infinite = (in_A ? i : j) == 7;  // no element of exact data is 0
            wrong +=
                infinite ? !std::isinf(got) : got != static_cast<float>(p.reference[i * n + j]);
          }
        }
        CHECK(wrong == 0);
      }
    }
  }
}

// With one term nothing is added up: C is the product of two rounded numbers, which a float holds.
TEST_CASE("which numbers are multiplied: rounded, or truncated") {
  course::device();
  const auto expected = [](Numbers numbers, float x) -> float {
    if (numbers == Numbers::bf16) return __bfloat162float(__float2bfloat16(x));
    if (numbers == Numbers::fp16) return __half2float(__float2half(x));
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t half = numbers == Numbers::tf32 ? 0x1000U : 0U;
    return std::bit_cast<float>((bits + half) & 0xFFFFE000U);
  };
  const course::GemmProblem p = make_problem(Kind::normal, 64, 64, 1, 1);
  for (const TensorRung& rung : ours()) {
    CAPTURE(rung.name);
    const std::vector<float> C = product(rung, p);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      for (std::size_t j = 0; j < 64; ++j) {
        wrong += C[i * 64 + j] != expected(rung.numbers, p.A[i]) * expected(rung.numbers, p.B[j]);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a result that is as far off as the next shorter numbers would make it is refused") {
  const course::GemmProblem p = make_problem(Kind::normal, 3, 3, 64, 1);
  std::vector<float> C(p.reference.begin(), p.reference.end());
  const auto passes = [&](Numbers numbers) {
    return course::verify_within(C.data(), p.reference.data(), p.magnitude.data(), 3, 3,
                                 tolerance(numbers, 64))
        .passed;
  };
  CHECK(passes(Numbers::fp16));
  C[4] += static_cast<float>(p.magnitude[4] * 0x1p-8);
  CHECK(passes(Numbers::bf16));
  CHECK_FALSE(passes(Numbers::fp16));
  CHECK_FALSE(passes(Numbers::tf32));
  C[4] = std::nanf("");
  CHECK_FALSE(passes(Numbers::bf16));
}

// Eight rows of 16 bytes, or four of 32, in 32 banks: one word each.
TEST_CASE("a load's rows meet in no bank") {
  const auto banks = []<class Layout>(Layout, int rows, int row_bytes, int x, int bytes) {
    std::vector<int> hits(32);
    for (int row = 0; row < rows; ++row) {
      for (int b = 0; b < bytes; b += 4) {
        ++hits[static_cast<std::size_t>((row * row_bytes + Layout::at(x + b, row)) / 4 % 32)];
      }
    }
    return *std::max_element(hits.begin(), hits.end());
  };
  for (int x = 0; x < 128; x += 16) {
    CHECK(banks(Plain{}, 8, 128, x, 16) == 8);
    CHECK(banks(Padded{}, 8, 144, x, 16) == 1);
    CHECK(banks(Swizzled{}, 8, 128, x, 16) == 1);
    CHECK(banks(Swizzled{}, 8, 512, x, 16) == 1);
  }
  for (int x = 0; x < 128; x += 32) CHECK(banks(SwizzledInPairs{}, 4, 1024, x, 32) == 1);
}

TEST_CASE("mma.sync by itself runs, with numbers of each kind") {
  course::device();
  const course::Options options;
  constexpr std::size_t words = std::size_t{512} * peak_words;
  CHECK(measure_peak<Bf16>(options, words_of<Bf16>(Kind::normal, words)).operations > 0);
  CHECK(measure_peak<Tf32<true>>(options, words_of<Tf32<true>>(Kind::constant, words)).operations >
        0);
}
