// Namespace wmma. nvcc compiles this file, too.

#include <doctest/doctest.h>
#include <mma.h>

#include <string>
#include <type_traits>

#include "tests/kernel_test.hpp"

namespace {

using namespace nvcuda;  // NOLINT: as programs write it

template <class T>
using Stored = std::conditional_t<std::is_same_v<T, wmma::precision::tf32>, float, T>;

// C += 2 A B, whatever lies between the rows.
template <int m, int n, int k, class T, class Result, class LayoutA, class LayoutB>
__global__ void multiply(const Stored<T>* a, const Stored<T>* b, Result* c, unsigned gap,
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
  Shared<Stored<T>> a(48 * 48);
  Shared<Stored<T>> b(48 * 48);
  Shared<Result> c(48 * 48);
  for (unsigned i = 0; i < 48 * 48; ++i) {
    a[i] = static_cast<Stored<T>>(static_cast<float>(i * 7 % 11));
    b[i] = static_cast<Stored<T>>(static_cast<float>(i * 5 % 9));
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
  CHECK(
      found(8, 16, 32).starts_with("misaligned: an element of type wmma matrix lies at an address "
                                   "that is not a multiple of 32"));
  CHECK(found(0, 20, 32) ==
        "failed-kernel: the rows or columns of a matrix of wmma's follow each other at 40 bytes, "
        "which is not a multiple of 16\n");
  CHECK(found(800, 16, 32).starts_with("out-of-bounds"));
  CHECK(found(0, 16, 16) ==
        "bad-mask: load_matrix_sync needs all 32 lanes of the warp, and only those of the mask "
        "0x0000ffff come\n");
}

TEST_CASE("wmma: a matrix is loaded by ordinary loads") {
  Shared<__half> from(256);
  Shared<float> to(32);
  const auto traffic = traffic_of([&] { load<<<1, 32>>>(from.get(), to.get(), 16); });
  CHECK(traffic.global_load_requests == 4);
  CHECK(traffic.global_load_sectors == 4 * 8);
}
#endif
