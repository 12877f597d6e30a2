// Namespace wmma. nvcc compiles this file as well.

#include <doctest/doctest.h>
#include <mma.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

using namespace nvcuda;  // NOLINT: as programs write it

template <class T>
using StoredType = std::conditional_t<std::is_same_v<T, wmma::precision::tf32>, float, T>;

// C += 2 A B, whatever is between the rows.
template <int m, int n, int k, class T, class Result, class LayoutA, class LayoutB>
__global__ void multiply(const StoredType<T>* a, const StoredType<T>* b, Result* c, unsigned gap,
                         wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, m, n, k, Result> sum;
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>;
  constexpr bool b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  wmma::load_matrix_sync(left, a, (a_rows ? k : m) + gap);
  wmma::load_matrix_sync(right, b, (b_rows ? n : k) + gap);
  wmma::load_matrix_sync(sum, c, (layout == wmma::mem_row_major ? n : m) + gap, layout);
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = left.x[i] + left.x[i];
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, (layout == wmma::mem_row_major ? n : m) + gap, layout);
}

template <class T>
double value(T number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(number);
  } else {
    return static_cast<double>(static_cast<float>(number));
  }
}

template <int m, int n, int k, class T, class Result, class LayoutA, class LayoutB>
void check(wmma::layout_t layout) {
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>;
  constexpr bool b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  const unsigned gap = 16;
  Shared<StoredType<T>> a(48 * 48);
  Shared<StoredType<T>> b(48 * 48);
  Shared<Result> c(48 * 48);
  for (unsigned i = 0; i < 48 * 48; ++i) {
    a[i] = static_cast<StoredType<T>>(static_cast<float>(i * 7 % 11));
    b[i] = static_cast<StoredType<T>>(static_cast<float>(i * 5 % 9));
    c[i] = static_cast<Result>(static_cast<float>(i % 5));
  }
  multiply<m, n, k, T, Result, LayoutA, LayoutB><<<1, 32>>>(a.get(), b.get(), c.get(), gap, layout);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  unsigned wrong = 0;
  for (unsigned i = 0; i < m; ++i) {
    for (unsigned j = 0; j < n; ++j) {
      const unsigned at = layout == wmma::mem_row_major ? i * (n + gap) + j : j * (m + gap) + i;
      double sum = at % 5;
      for (unsigned l = 0; l < k; ++l) {
        sum += 2 * value(a[a_rows ? i * (k + gap) + l : l * (m + gap) + i]) *
               value(b[b_rows ? l * (n + gap) + j : j * (k + gap) + l]);
      }
      if (value(c[at]) != sum) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

template <int m, int n, int k, class T, class Result>
void check_layouts() {
  check<m, n, k, T, Result, wmma::row_major, wmma::col_major>(wmma::mem_row_major);
  check<m, n, k, T, Result, wmma::col_major, wmma::row_major>(wmma::mem_col_major);
}

}  // namespace

TEST_CASE("wmma: all shapes and types, with rows and columns far apart") {
  check_layouts<16, 16, 16, __half, float>();
  check_layouts<32, 8, 16, __half, __half>();
  check_layouts<8, 32, 16, __half, float>();
  check_layouts<16, 16, 16, __nv_bfloat16, float>();
  check_layouts<32, 8, 16, __nv_bfloat16, float>();
  check_layouts<8, 32, 16, __nv_bfloat16, float>();
  check_layouts<16, 16, 16, signed char, int>();
  check_layouts<32, 8, 16, unsigned char, int>();
  check_layouts<8, 32, 16, signed char, int>();
  check_layouts<16, 16, 8, wmma::precision::tf32, float>();
  check_layouts<8, 8, 4, double, double>();
}

TEST_CASE("wmma: fragments have as many elements as in CUDA's header") {
  using wmma::fragment;
  CHECK(fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>::num_elements == 16);
  CHECK(fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::row_major>::num_elements == 16);
  CHECK(fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>::num_elements == 8);
  CHECK(fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major>::num_elements == 4);
  CHECK(fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>::num_elements ==
        4);
  CHECK(fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major>::num_elements == 1);
  CHECK(fragment<wmma::accumulator, 8, 8, 4, double>::num_elements == 2);
  CHECK(fragment<wmma::accumulator, 8, 32, 16, __half>::num_elements == 8);
}

namespace {

template <class Element>
__device__ void note(const Element* x, int elements, int* out) {
  if (threadIdx.x != 5) return;
  for (int i = 0; i < elements; ++i) out[i] = static_cast<int>(static_cast<float>(x[i]));
}

template <class Use, int m, int n, class T, class Layout>
__global__ void hold(const T* matrix, unsigned stride, int* out) {
  wmma::fragment<Use, m, n, 16, T, Layout> part;
  wmma::load_matrix_sync(part, matrix, stride);
  note(part.x, part.num_elements, out);
}
template <int m, int n, class T>
__global__ void hold_sums(const T* matrix, unsigned stride, wmma::layout_t layout, int* out) {
  wmma::fragment<wmma::accumulator, m, n, 16, T> part;
  wmma::load_matrix_sync(part, matrix, stride, layout);
  note(part.x, part.num_elements, out);
}

// Where the fifth lane's first `count` elements are, by rows, in a matrix of that many rows and
// columns: 100 times the row, and the column.
template <class T, class Launch>
std::vector<int> places(unsigned rows, unsigned columns, bool by_rows, unsigned count,
                        Launch launch) {
  Shared<T> matrix(rows * columns);
  Shared<int> high(16);
  Shared<int> low(16);
  for (const bool is_high : {true, false}) {
    for (unsigned i = 0; i < rows * columns; ++i) {
      const unsigned row = by_rows ? i / columns : i % rows;
      const unsigned column = by_rows ? i % columns : i / rows;
      matrix[i] = static_cast<T>(static_cast<float>(is_high ? row : column));
    }
    launch(matrix.get(), by_rows ? columns : rows, is_high ? high.get() : low.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  std::vector<int> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(100 * high[i] + low[i]);
  return all;
}

template <class Use, int m, int n, class T>
std::vector<int> places_in(unsigned rows, unsigned columns, unsigned count) {
  const auto by_rows =
      places<T>(rows, columns, true, count, [](const T* matrix, unsigned stride, int* out) {
        hold<Use, m, n, T, wmma::row_major><<<1, 32>>>(matrix, stride, out);
      });
  const auto by_columns =
      places<T>(rows, columns, false, count, [](const T* matrix, unsigned stride, int* out) {
        hold<Use, m, n, T, wmma::col_major><<<1, 32>>>(matrix, stride, out);
      });
  CHECK(by_rows == by_columns);
  return by_rows;
}

template <int m, int n, class T>
std::vector<int> places_of_sums() {
  const auto held = [](bool by_rows) {
    return places<T>(m, n, by_rows, 8, [&](const T* matrix, unsigned stride, int* out) {
      const auto layout = by_rows ? wmma::mem_row_major : wmma::mem_col_major;
      hold_sums<m, n, T><<<1, 32>>>(matrix, stride, layout, out);
    });
  };
  CHECK(held(true) == held(false));
  return held(true);
}

using Places = std::vector<int>;

}  // namespace

TEST_CASE("wmma: who holds what, as has been read off an H200") {
  using wmma::matrix_a;
  using wmma::matrix_b;
  using Bf16 = __nv_bfloat16;
  CHECK(places_in<matrix_a, 16, 16, __half>(16, 16, 8) ==
        Places{102, 103, 902, 903, 110, 111, 910, 911});
  CHECK(places_in<matrix_b, 16, 16, __half>(16, 16, 8) ==
        Places{201, 301, 1001, 1101, 209, 309, 1009, 1109});
  const Places of_32_rows{102,  103,  902,  903,  110,  111,  910,  911,
                          1702, 1703, 2502, 2503, 1710, 1711, 2510, 2511};
  CHECK(places_in<matrix_a, 32, 8, __half>(32, 16, 16) == of_32_rows);
  CHECK(places_in<matrix_a, 32, 8, Bf16>(32, 16, 16) == of_32_rows);
  CHECK(places_in<matrix_a, 32, 8, signed char>(32, 16, 16) ==
        Places{104, 105, 106, 107, 904, 905, 906, 907,  //
               1704, 1705, 1706, 1707, 2504, 2505, 2506, 2507});
  CHECK(places_in<matrix_b, 32, 8, Bf16>(16, 8, 4) == Places{201, 301, 1001, 1101});
  CHECK(places_in<matrix_a, 8, 32, Bf16>(8, 16, 4) == Places{102, 103, 110, 111});
  const Places of_32_columns{201, 301, 209, 309, 1001, 1101, 1009, 1109,
                             217, 317, 225, 325, 1017, 1117, 1025, 1125};
  CHECK(places_in<matrix_b, 8, 32, __half>(16, 32, 16) == of_32_columns);
  CHECK(places_in<matrix_b, 8, 32, Bf16>(16, 32, 16) == of_32_columns);
  CHECK(places_of_sums<32, 8, float>() == Places{102, 103, 902, 903, 1702, 1703, 2502, 2503});
  CHECK(places_of_sums<8, 32, float>() == Places{201, 301, 209, 309, 217, 317, 225, 325});
  CHECK(places_of_sums<8, 32, __half>() == places_of_sums<8, 32, int>());
}

namespace {

template <class D, class C>
__global__ void add_ones(float c, D* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, C> add;
  wmma::fragment<wmma::accumulator, 16, 16, 16, D> sum;
  wmma::fill_fragment(a, __float2half(0.25F));
  wmma::fill_fragment(b, __float2half(0.25F));
  wmma::fill_fragment(add, static_cast<C>(c));
  wmma::mma_sync(sum, a, b, add);
  if (threadIdx.x == 0) *out = sum.x[0];
}

template <class D, class C>
float one_and(float c) {
  Shared<D> out(1);
  add_ones<D, C><<<1, 32>>>(c, out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return static_cast<float>(out[0]);
}

}  // namespace

TEST_CASE("wmma: with a C of floats, a result of halves is rounded in the end only") {
  CHECK(one_and<__half, float>(2049) == 2050);   // as a half, C would be 2048
  CHECK(one_and<__half, __half>(2049) == 2048);  // and is: 2049 rounds to 2048 again
  CHECK(one_and<float, __half>(2049) == 2049);
  CHECK(one_and<__half, float>(65536) == INFINITY);
  CHECK(one_and<__half, float>(65518) == 65504);  // less than half a place too large
  CHECK(std::isnan(one_and<__half, float>(NAN)));
}

#ifdef CUDA_EMULATOR
#include <emulator/findings.h>

namespace {

__global__ void load(const __half* from, float* to, unsigned stride) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::load_matrix_sync(a, from, stride);
  to[threadIdx.x] = __half2float(a.x[0]);
}

std::string found(int shift, unsigned stride, unsigned lanes) {
  emulator::clear_findings();
  emulator::set_checking(true);
  __half* from = nullptr;
  float* to = nullptr;
  REQUIRE(cudaMalloc(&from, 2048) == cudaSuccess);
  REQUIRE(cudaMemset(from, 0, 2048) == cudaSuccess);
  REQUIRE(cudaMalloc(&to, 128) == cudaSuccess);
  load<<<1, lanes>>>(from + shift, to, stride);
  if (cudaDeviceSynchronize() != cudaSuccess) CHECK(cudaDeviceReset() == cudaSuccess);
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    text += finding.kind + ": " + finding.what + "\n";
  }
  emulator::clear_findings();
  return text;
}

}  // namespace

TEST_CASE("wmma: where a matrix may begin, and its rows") {
  CHECK(found(0, 16, 32).empty());
  CHECK(found(8, 16, 32).starts_with(
      "misaligned: an element of type wmma matrix is at an address that is not a multiple of 32"));
  CHECK(found(0, 20, 32) ==
        "failed-kernel: the leading dimension of a wmma matrix is 40 bytes, "
        "which is not a multiple of 16\n");
  CHECK(found(800, 16, 32).starts_with("out-of-bounds"));
  CHECK(found(0, 16, 16) ==
        "bad-mask: load_matrix_sync needs all 32 lanes of the warp, and only those of the mask "
        "0x0000ffff come\n");
}

TEST_CASE("wmma: from global memory a matrix comes by ordinary loads, of two halves if it may") {
  Shared<__half> from(256);
  Shared<float> to(32);
  const auto traffic = traffic_of([&] { load<<<1, 32>>>(from.get(), to.get(), 16); });
  CHECK(traffic.global_load_requests == 4);
  CHECK(traffic.global_load_sectors == 4 * 8);
  Shared<int> out(16);
  const auto turned = traffic_of([&] {
    hold<wmma::matrix_a, 16, 16, __half, wmma::col_major><<<1, 32>>>(from.get(), 16, out.get());
  });
  CHECK(turned.global_load_requests == 4);
  Shared<signed char> bytes(256);
  const auto of_bytes = traffic_of([&] {
    hold<wmma::matrix_a, 16, 16, signed char, wmma::col_major>
        <<<1, 32>>>(bytes.get(), 16, out.get());
  });
  CHECK(of_bytes.global_load_requests == 8);  // they are not turned over
}
#endif
