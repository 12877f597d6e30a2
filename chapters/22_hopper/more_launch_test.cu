#include "testing/guarded_array.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "course.hpp"
#include "format_gemm.hpp"

using course::testing::GuardedArray;

using namespace hopper;

namespace {

// How a product is stored, and what is made of it.
struct Case {
  int m, n, k;
  Major major_A = Major::k, major_B = Major::mn;
  int batches = 1;
  int padding = 0;  // of each row, in elements
  int gap = 0;      // between matrices
  int shift = 0;    // all begin that many elements late
  float alpha = 1.0F, beta = 0.0F;
  bool has_scales = false, per_line = false;
  bool shares_B = false;  // by all matrices of the batch
};

template <class T>
T element_of(float value) {
  if constexpr (sizeof(T) == 1) {
    return T(value);
  } else {
    return rounded_to<T>(value);
  }
}

// Whole numbers of -2 to 2: their sums are exact in any order, also in the tensor core.
template <class T>
std::vector<T> whole_numbers(std::size_t count, std::uint64_t seed) {
  const course::RandomBits bits(seed);
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = element_of<T>(static_cast<float>((bits(i) >> 32) * 5 >> 32) - 2.0F);
  }
  return all;
}

template <class T>
std::vector<float> floats_of(const std::vector<T>& numbers) {
  std::vector<float> all;
  for (const T number : numbers) all.push_back(to_float(number));
  return all;
}

// Where the elements of stored matrices are.
struct Storage3 {
  int rows, cols, batches;
  std::int64_t ld, stride, shift;

  Storage3(int rows, int cols, const Case& c, bool is_shared = false)
      : rows(rows),
        cols(cols),
        batches(is_shared ? 1 : c.batches),
        ld(cols + c.padding),
        stride(is_shared ? 0 : rows * ld + c.gap),
        shift(c.shift) {}
  std::size_t size() const {
    return static_cast<std::size_t>(shift + (batches - 1) * stride + rows * ld);
  }
  std::size_t at(int matrix, int row, int col) const {
    return static_cast<std::size_t>(shift + matrix * stride + row * ld + col);
  }
};

std::vector<float> powers_of_two(int count, int seed) {
  std::vector<float> all;
  for (int i = 0; i < count; ++i) all.push_back(std::ldexp(1.0F, (i * 7 + seed) % 5 - 2));
  return all;
}

template <class A, class B, class C, Accumulation accumulation = Accumulation::tensor_core>
void launch_chosen(const ProductOf<A, B, C>& g) {
  static FormatGemm<A, B, C, accumulation> gemm;
  gemm(g);
}

template <class A, class B, class C, Accumulation accumulation = Accumulation::tensor_core>
void check_product(const Case& c, const std::function<void(const ProductOf<A, B, C>&)>& launch =
                                      launch_chosen<A, B, C, accumulation>) {
  CAPTURE(c.m);
  CAPTURE(c.n);
  CAPTURE(c.k);
  CAPTURE(c.batches);
  CAPTURE(c.padding);
  CAPTURE(c.gap);
  CAPTURE(c.shift);
  CAPTURE(static_cast<int>(c.major_A));
  CAPTURE(static_cast<int>(c.major_B));
  const bool A_along_k = c.major_A == Major::k;
  const bool B_along_k = c.major_B == Major::k;
  const Storage3 in_A(A_along_k ? c.m : c.k, A_along_k ? c.k : c.m, c);
  const Storage3 in_B(B_along_k ? c.n : c.k, B_along_k ? c.k : c.n, c, c.shares_B);
  const Storage3 in_C(c.m, c.n, c);
  const std::vector<A> host_A = whole_numbers<A>(in_A.size(), 1);
  const std::vector<B> host_B = whole_numbers<B>(in_B.size(), 2);
  const std::vector<C> host_C = whole_numbers<C>(in_C.size(), 3);
  const std::vector<float> scales_A = powers_of_two(c.batches * (c.per_line ? c.m : 1), 0);
  const std::vector<float> scales_B = powers_of_two(c.batches * (c.per_line ? c.n : 1), 3);
  const GuardedArray<A> on_A(host_A);
  const GuardedArray<B> on_B(host_B);
  const GuardedArray<float> on_scales_A(scales_A);
  const GuardedArray<float> on_scales_B(scales_B);
  GuardedArray<C> on_C(host_C);
  ProductOf<A, B, C> g{on_A.data() + c.shift,
                       on_B.data() + c.shift,
                       on_C.data() + c.shift,
                       c.m,
                       c.n,
                       c.k,
                       in_A.ld,
                       in_B.ld,
                       in_C.ld};
  g.major_A = c.major_A;
  g.major_B = c.major_B;
  g.batches = c.batches;
  g.stride_A = in_A.stride;
  g.stride_B = in_B.stride;
  g.stride_C = in_C.stride;
  g.alpha = c.alpha;
  g.beta = c.beta;
  if (c.has_scales) {
    g.scale_A = {on_scales_A.data(), c.per_line};
    g.scale_B = {on_scales_B.data(), c.per_line};
  }
  launch(g);
  const std::vector<C> result = on_C.to_host();
  CHECK(on_A.intact());
  CHECK(on_B.intact());
  CHECK(on_C.intact());

  const std::vector<float> values_A = floats_of(host_A);
  const std::vector<float> values_B = floats_of(host_B);
  std::vector<C> expected = host_C;
  for (int matrix = 0; matrix < c.batches; ++matrix) {
    for (int i = 0; i < c.m; ++i) {
      for (int j = 0; j < c.n; ++j) {
        float sum = 0.0F;
        for (int l = 0; l < c.k; ++l) {
          sum += values_A[A_along_k ? in_A.at(matrix, i, l) : in_A.at(matrix, l, i)] *
                 values_B[B_along_k ? in_B.at(matrix, j, l) : in_B.at(matrix, l, j)];
        }
        if (c.has_scales) {
          const auto of = [&](const std::vector<float>& scales, int lines, int line) {
            return scales[static_cast<std::size_t>(c.per_line ? matrix * lines + line : matrix)];
          };
          sum *= of(scales_A, c.m, i) * of(scales_B, c.n, j);
        }
        C& at = expected[in_C.at(matrix, i, j)];
        at = rounded_to<C>(c.alpha * sum + (c.beta == 0.0F ? 0.0F : c.beta * to_float(at)));
      }
    }
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    wrong += !(to_float(result[i]) == to_float(expected[i]));
  }
  CHECK(wrong == 0);
}

const std::vector<Case> every_order = {{130, 136, 72, Major::k, Major::mn},
                                       {130, 136, 72, Major::k, Major::k},
                                       {136, 130, 72, Major::mn, Major::k},
                                       {136, 136, 72, Major::mn, Major::mn}};

}  // namespace

TEST_CASE("formats: FP16, and C in FP32 or as A and B, in all four orders") {
  course::device();
  for (const Case& c : every_order) {
    check_product<Half, Half, Half>(c);
    check_product<Bf16, Bf16, float>(c);
  }
}

TEST_CASE("formats: TF32 from four bytes of a float") {
  course::device();
  for (const Case& c : every_order) check_product<float, float, float>(c);
}

TEST_CASE("formats: FP8 of both kinds, added up by the tensor core or promoted") {
  course::device();
  for (const Case& c : every_order) {
    check_product<E4m3, E4m3, Bf16>(c);
    check_product<E4m3, E4m3, Bf16, Accumulation::promoted>(c);
  }
  const Case deep = {33, 40, 400, Major::k, Major::k};
  check_product<E5m2, E4m3, Bf16, Accumulation::promoted>(deep);
  check_product<E4m3, E5m2, Bf16, Accumulation::promoted>(deep);
  check_product<E4m3, E4m3, float, Accumulation::promoted>(deep);
  check_product<E4m3, E4m3, float>(deep);
}

TEST_CASE("formats: awkward shapes, gaps between rows, matrices that begin anywhere") {
  course::device();
  for (const Case& shape : {Case{1, 1, 1}, {1, 2, 3}, {33, 31, 32}, {127, 3, 257}, {65, 129, 67}}) {
    for (const auto& [padding, shift] : {std::pair{0, 0}, {3, 1}, {8, 0}, {16, 16}}) {
      Case c = shape;
      c.padding = padding;
      c.shift = shift;
      check_product<Half, Half, Half>(c);
      c.major_A = Major::mn;
      check_product<Half, Half, Half>(c);
      check_product<float, float, float>(c);
      check_product<E4m3, E4m3, Bf16, Accumulation::promoted>(c);
    }
  }
}

TEST_CASE("formats: empty products, and those without terms") {
  course::device();
  for (const Case& shape : {Case{0, 8, 8}, {8, 0, 8}, {5, 8, 0}}) {
    Case c = shape;
    check_product<Half, Half, Half>(c);
    c.beta = 2.0F;
    c.batches = 3;
    check_product<Half, Half, Half>(c);
  }
}

TEST_CASE("formats: batches, whose matrices suit a map or do not, with one B for all") {
  course::device();
  for (const int gap : {0, 16, 1}) {
    for (const bool shares_B : {false, true}) {
      Case c = {40, 48, 80};
      c.batches = 3;
      c.gap = gap;
      c.shares_B = shares_B;
      CAPTURE(shares_B);
      check_product<Half, Half, Half>(c);
      check_product<E4m3, E4m3, Bf16, Accumulation::promoted>(c);
      c.major_B = Major::k;
      check_product<E4m3, E4m3, Bf16, Accumulation::promoted>(c);
    }
  }
}

// As many blocks as a GPU has multiprocessors, or more: the larger tile, in clusters.
TEST_CASE("formats: the larger tile, in clusters, more tiles than clusters") {
  course::device();
  const int many = course::on_emulator ? course::device().multiprocessors : 132;
  Case c = {200, 264, 72};
  c.batches = many / 4 + 1;
  check_product<Half, Half, Half>(c);
  c.major_A = Major::mn;
  c.major_B = Major::k;
  check_product<Bf16, Bf16, float>(c);
  c.k = 400;
  c.major_A = Major::k;
  check_product<E4m3, E4m3, Bf16>(c);
  check_product<E4m3, E4m3, Bf16, Accumulation::promoted>(c);
}

TEST_CASE("formats: every tile") {
  course::device();
  const Case c = {136, 200, 272, Major::k, Major::k, 2};
  const auto check_all = [&]<class F, class... Choices>(F, TileChoices<Choices...>) {
    (check_product<typename F::A, typename F::B, typename F::C>(
         c, [](const typename F::Product& g) { launch_format<typename Choices::Tile>(g); }),
     ...);
  };
  using Fp8 = Format<E4m3, E4m3, Bf16, Major::k, Major::k>;
  using Fp16 = Format<Half, Half, Half, Major::k, Major::k>;
  check_all(Fp16{}, FormatTiles<Fp16, Accumulation::tensor_core>::All{});
  check_all(Fp8{}, FormatTiles<Fp8, Accumulation::tensor_core>::All{});
  check_all(Fp8{}, FormatTiles<Fp8, Accumulation::promoted>::All{});
}

TEST_CASE("formats: alpha, beta, and scales of a matrix or of each row and column") {
  course::device();
  for (const bool per_line : {false, true}) {
    for (const int padding : {0, 1}) {
      for (const int batches : {1, 2}) {
        Case c = {70, 72, 144, Major::k, Major::k};
        c.batches = batches;
        c.padding = padding;
        c.alpha = 0.5F;
        c.beta = -2.0F;
        c.has_scales = true;
        c.per_line = per_line;
        check_product<E4m3, E4m3, Bf16>(c);
        check_product<E4m3, E4m3, float, Accumulation::promoted>(c);
        c.has_scales = false;
        check_product<Half, Half, Half>(c);
      }
    }
  }
}

// 0 times infinity is not a number: so it shows if a tile is not 0 beyond the end of k.
TEST_CASE("formats: beyond the end of k everything is 0") {
  course::device();
  constexpr int m = 8;
  constexpr int n = 8;
  constexpr int k = 65;
  std::vector<Half> A(m * k, __float2half(1.0F));
  std::vector<Half> B(k * n, __float2half(1.0F));
  A[3 * k + 64] = __float2half(HUGE_VALF);
  const GuardedArray<Half> on_A(A);
  const GuardedArray<Half> on_B(B);
  GuardedArray<float> on_C(m * n);
  FormatGemm<Half, Half, float> gemm;
  gemm({on_A.data(), on_B.data(), on_C.data(), m, n, k, k, n, n});
  const std::vector<float> C = on_C.to_host();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      CHECK((i == 3 ? std::isinf(C[i * n + j]) : C[i * n + j] == 65.0F));
    }
  }
}
