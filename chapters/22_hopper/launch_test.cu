#define main chapter_main  // not the main() of the test
#include "hopper.cu"
#undef main

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;
using course::testing::GuardedArray;

using namespace hopper;

namespace {

using Launch = std::function<void(const Product&)>;

std::vector<Bf16> in_bf16(const course::HostMatrix& values, std::size_t shift) {
  std::vector<Bf16> all(shift, __float2bfloat16(std::nanf("")));
  for (std::size_t i = 0; i < values.size(); ++i) all.push_back(__float2bfloat16(values[i]));
  return all;
}

// C by a launch function, between guard zones. `shift`: all three begin that many numbers late.
std::vector<float> product(const Launch& launch, const course::GemmProblem& p,
                           std::size_t shift = 0) {
  const GuardedArray<Bf16> A(in_bf16(p.A, shift));
  const GuardedArray<Bf16> B(in_bf16(p.B, shift));
  GuardedArray<Bf16> C(p.m * p.n + shift);
  const auto k = static_cast<int>(p.k);
  const auto n = static_cast<int>(p.n);
  launch(
      {A.data() + shift, B.data() + shift, C.data() + shift, static_cast<int>(p.m), n, k, k, n, n});
  const std::vector<Bf16> all = C.to_host();
  CHECK(A.intact());
  CHECK(B.intact());
  CHECK(C.intact());
  std::vector<float> result;
  for (std::size_t i = shift; i < all.size(); ++i) result.push_back(__bfloat162float(all[i]));
  return result;
}

course::GemmProblem exact(GemmShape shape) {
  course::GemmProblem p =
      course::make_gemm(course::Data::exact, static_cast<std::size_t>(shape.m),
                        static_cast<std::size_t>(shape.n), static_cast<std::size_t>(shape.k));
  for (double& x : p.reference) x = __bfloat162float(__float2bfloat16(static_cast<float>(x)));
  return p;
}

void check_exact(const Launch& launch, GemmShape shape, std::size_t shift = 0) {
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  CAPTURE(shift);
  const course::GemmProblem p = exact(shape);
  const course::Verdict verdict = course::verify(product(launch, p, shift), p);
  CHECK_MESSAGE(verdict.passed, verdict.message);
}

std::vector<Rung> ours() {
  std::vector<Rung> all;
  for (const Rung& rung : kernels) {
    if (rung.name != "cuBLAS" && (!rung.has_clusters || has_clusters())) all.push_back(rung);
  }
  return all;
}

}  // namespace

TEST_CASE("the launch functions: rows on 16 bytes, tiles that are not full") {
  course::device();
  for (const Rung& rung : ours()) {
    CAPTURE(rung.name);
    for (const GemmShape& shape : {GemmShape{0, 0, 0},
                                   {0, 8, 8},
                                   {8, 0, 8},
                                   {5, 8, 0},
                                   {1, 8, 8},
                                   {63, 64, 64},
                                   {129, 136, 72},
                                   {130, 264, 136}}) {
      check_exact(rung.launch, shape);
    }
  }
}

TEST_CASE("ours takes any rows, and matrices that begin anywhere") {
  course::device();
  for (const GemmShape& shape :
       {GemmShape{1, 1, 1}, {1, 2, 3}, {33, 31, 32}, {127, 3, 257}, {65, 129, 67}, {40, 72, 40}}) {
    check_exact(launch_ours, shape);
    check_exact(launch_ours, shape, 1);
    check_exact(launch_ours, shape, 2);
  }
}

// More stages than the ring has, from one tile into the next, in a block that stays.
TEST_CASE("few blocks that stay, many tiles, and bands of several heights") {
  course::device();
  using Small = Tile<128, 64, 2, 3>;
  for (const int blocks : {1, 2, 3}) {
    for (const int band_height : {1, 2, 16}) {
      CAPTURE(blocks);
      CAPTURE(band_height);
      check_exact(ring<Small, true>({true, band_height, {}, blocks}), {300, 200, 200});
      check_exact(ring<Small, false>({true, band_height, {}, blocks}), {300, 200, 40});
    }
  }
}

TEST_CASE("clusters: down, across, both, and tiles that stick out") {
  course::device();
  if (!has_clusters()) return;
  for (const GemmShape& shape : {GemmShape{1, 8, 8}, {300, 200, 200}}) {
    for (const Cluster cluster : Gemm::clusters) {
      CAPTURE(cluster.down);
      CAPTURE(cluster.across);
      const Schedule schedule = {true, 4, cluster, 8};
      check_exact(ring<Tile<128, 128, 2, 3>, true>(schedule), shape);
      check_exact(ring<Swapped<64, 128, 2, 3>, true>(schedule), shape);
    }
    check_exact(ring<Tile<128, 256, 2, 4>, false>({true, 4, {2, 1}, 8}), shape);
    check_exact(ring<Tile<128, 192, 2, 4>, true>({true, 4, {2, 2}, 8}), shape);
  }
}

TEST_CASE("products that are swapped: any multiple of 16 rows") {
  course::device();
  for (const GemmShape& shape : {GemmShape{1, 8, 8}, {37, 136, 200}, {130, 264, 136}}) {
    check_exact(ring<Swapped<16, 128, 2, 3>, true>({}), shape);
    check_exact(ring<Swapped<48, 64, 1, 3>, true>({true, 2, {}, 1}), shape);
    check_exact(ring<Swapped<112, 192, 3, 3>, true>({true, 2, {}, 1}), shape);
    check_exact(ring<Swapped<32, 256, 2, 3>, true>({}), shape);
    if (!has_clusters()) continue;
    check_exact(ring<Swapped<32, 128, 2, 3>, true>({true, 4, {2, 1}}), shape);
    check_exact(ring<Swapped<16, 128, 2, 3>, true>({true, 4, {1, 2}}), shape);
    if (shape.k > 64) {  // a step for each block
      check_exact([](const Product& g) { launch_split<Swapped<80, 128, 2, 6>>(g, 2); }, shape);
    }
  }
}

TEST_CASE("narrow tiles, for a C that is no wider") {
  course::device();
  for (const int n : {8, 40, 48}) {
    const GemmShape shape{130, n, 200};
    if (n <= 16) check_exact(ring<Tile<128, 16, 2, 3>, true>({}), shape);
    check_exact(ring<Tile<128, 48, 2, 3>, true>({}), shape);
    check_exact(ring<Tile<64, 112, 1, 3>, true>({}), shape);
  }
}

// The narrow tiles of ours are for a C that is no wider.
int n_of(int kernel) {
  for (const int n : {264, 40, 16}) {
    Product g{};
    g.n = n;
    if (Gemm::suits({kernel}, g)) return n;
  }
  return 0;
}

TEST_CASE("every kernel that ours may choose, and every way to divide the work") {
  course::device();
  Gemm gemm;
  for (int kernel = 0; kernel < Gemm::Rings::count + Gemm::Splits::count; ++kernel) {
    const bool splits = kernel >= Gemm::Rings::count;
    std::vector<Choice> choices = {{kernel, {}, 0, 2}, {kernel, {}, 0, 3}};
    if (!splits) choices = {{kernel}, {kernel, {2, 1}, 2}, {kernel, {}, 5}};
    for (const Choice& choice : choices) {
      CAPTURE(kernel);
      CAPTURE(choice.sharing);
      CAPTURE(choice.blocks);
      check_exact(
          [&](const Product& g) {
            REQUIRE(Gemm::suits(choice, g));
            gemm.run(choice, g);
          },
          {200, n_of(kernel), 328});
    }
  }
}

// Small whole numbers, and gaps between all rows: nothing rounds but the result.
TEST_CASE("alpha, beta, a bias, an activation, and rows that are further apart") {
  course::device();
  for (const GemmShape& shape : {GemmShape{65, 70, 67}, {40, 72, 64}, {33, 20, 0}}) {
    for (const Activation activation : {Activation::none, Activation::relu, Activation::gelu}) {
      CAPTURE(shape.m);
      const auto [m, n, k] = shape;
      const int lda = k + 3;
      const int ldb = n + 5;
      const int ldc = n + 1;
      const auto small = [](std::size_t i) { return static_cast<float>(i * 7 % 5) - 2.0F; };
      const auto filled = [&](int rows, int ld) {
        std::vector<Bf16> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(ld));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = __float2bfloat16(small(i));
        return values;
      };
      const std::vector<Bf16> A = filled(m, lda);
      const std::vector<Bf16> B = filled(k, ldb);
      const std::vector<Bf16> C = filled(m, ldc);
      const std::vector<Bf16> bias = filled(1, n);
      const GuardedArray<Bf16> on_A(A);
      const GuardedArray<Bf16> on_B(B);
      const GuardedArray<Bf16> on_bias(bias);
      GuardedArray<Bf16> on_C(C);
      launch_ours({on_A.data(), on_B.data(), on_C.data(), m, n, k, lda, ldb, ldc, 0.5F, -2.0F,
                   on_bias.data(), activation});
      const std::vector<Bf16> result = on_C.to_host();
      CHECK(on_C.intact());
      std::size_t wrong = 0;
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < ldc; ++j) {
          const auto at = static_cast<std::size_t>(i * ldc + j);
          double expected = __bfloat162float(C[at]);
          if (j < n) {
            double sum = 0.0;
            for (int l = 0; l < k; ++l) {
              sum += __bfloat162float(A[static_cast<std::size_t>(i * lda + l)]) *
                     __bfloat162float(B[static_cast<std::size_t>(l * ldb + j)]);
            }
            expected =
                0.5 * sum - 2.0 * expected + __bfloat162float(bias[static_cast<std::size_t>(j)]);
            if (activation == Activation::relu) expected = std::max(expected, 0.0);
            if (activation == Activation::gelu)
              expected *= 0.5 + 0.5 * std::erf(expected * 0.7071067811865476);
          }
          const double tolerance = std::abs(expected) * 0x1p-8 + 1e-6;
          wrong += !(std::abs(__bfloat162float(result[at]) - expected) <= tolerance);
        }
      }
      CHECK(wrong == 0);
    }
  }
}

// 0 times infinity is not a number: so it shows if one of A's and B's tiles is not 0 beyond k.
TEST_CASE("beyond the edge of k everything is 0, in A's tile and in B's") {
  course::device();
  constexpr std::size_t m = 40;
  constexpr std::size_t n = 48;
  for (const std::size_t k : {65, 72}) {
    for (const bool in_A : {true, false}) {
      course::GemmProblem p = exact({m, n, static_cast<int>(k)});
      (in_A ? p.A.data()[7 * k + 5] : p.B.data()[5 * n + 7]) = HUGE_VALF;
      const std::vector<float> C = product(launch_ours, p);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const float got = C[i * n + j];
          const bool infinite = (in_A ? i : j) == 7;  // no element of exact data is 0
          wrong += infinite ? !std::isinf(got) : got != static_cast<float>(p.reference[i * n + j]);
        }
      }
      CHECK(wrong == 0);
    }
  }
}
