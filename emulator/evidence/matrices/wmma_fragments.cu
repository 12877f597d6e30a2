// What is not documented of nvcuda::wmma: which element of its matrix each element of a fragment
// is, and what comes of a product whose C has another type than D. Run on a GPU, this writes what
// is so there; on the emulator the same must come.
//
//   wmma_fragments          writes a recording to the standard output
//
// A line a fragment has a digest of the numbers of all elements, by lanes, and those of lane 5. The
// matrices' elements are their numbers, by rows: 256 of them at a time, as many as a byte has; all
// others are -1, or 0 in bytes. Of products there is a digest for each tile.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstring>
#include <type_traits>
#include <vector>

#include "recordings.cuh"

namespace {

using namespace matrices;  // NOLINT: the program is written in its terms
namespace wmma = nvcuda::wmma;

constexpr unsigned tiles = 32;
constexpr int numbers = 256;  // in a matrix at a time
constexpr unsigned shown_lane = 5;
constexpr unsigned most_elements = 16;  // of a lane

template <class T>
using StoredType = std::conditional_t<std::is_same_v<T, wmma::precision::tf32>, float, T>;

template <class E>
__device__ E element(int number) {
  const bool is_there = number >= 0 && number < numbers;
  return static_cast<E>(static_cast<float>(is_there ? number : sizeof(E) == 1 ? 0 : -1));
}

// The numbers that the lane's elements have; -2 after them.
template <class E>
__device__ void note(const E* x, int count, int* out) {
  for (int i = 0; i < static_cast<int>(most_elements); ++i) {
    int number = -2;
    if (i < count) {
      number = sizeof(E) == 1 ? static_cast<unsigned char>(static_cast<int>(x[i]))
                              : static_cast<int>(static_cast<float>(x[i]));
    }
    out[threadIdx.x * most_elements + static_cast<unsigned>(i)] = number;
  }
}

template <class Use, int m, int n, int k, class T, class Layout>
__global__ void hold(int* out, int rows, int columns, int first) {
  using E = StoredType<T>;
  constexpr bool by_rows = std::is_same_v<Layout, wmma::row_major>;
  __shared__ alignas(128) E tile[1024];
  for (int i = static_cast<int>(threadIdx.x); i < rows * columns; i += 32) {
    tile[by_rows ? i : i % columns * rows + i / columns] = element<E>(i - first);
  }
  __syncthreads();
  wmma::fragment<Use, m, n, k, T, Layout> fragment;
  wmma::load_matrix_sync(fragment, tile, static_cast<unsigned>(by_rows ? columns : rows));
  note<E>(fragment.x, fragment.num_elements, out);
}

template <int m, int n, int k, class E>
__global__ void hold_sums(int* out, int rows, int columns, int first) {
  __shared__ alignas(128) E tile[1024];
  for (int i = static_cast<int>(threadIdx.x); i < rows * columns; i += 32) {
    tile[i] = element<E>(i - first);
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, m, n, k, E> fragment;
  wmma::load_matrix_sync(fragment, tile, static_cast<unsigned>(columns), wmma::mem_row_major);
  note<E>(fragment.x, fragment.num_elements, out);
}

// FNV-1a.
std::string digest(const std::vector<int>& words) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const int word : words) {
    for (int byte = 0; byte < 4; ++byte) {
      hash = (hash ^ (static_cast<unsigned>(word) >> (8 * byte) & 0xFFU)) * 0x100000001B3ULL;
    }
  }
  return in_hex(hash ^ hash >> 32, 32);
}

struct Shape {
  int m, n, k;
};

void write(const char* type, const char* what, Shape shape, int rows, int columns,
           void (*kernel)(int*, int, int, int)) {
  for (int first = 0; first < rows * columns; first += numbers) {
    const Managed<int> held(32 * std::size_t{most_elements});
    kernel<<<1, 32>>>(held.get(), rows, columns, first);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    std::vector<int> all;
    std::string shown;
    for (unsigned i = 0; i < 32 * most_elements; ++i) {
      if (held[i] == -2) continue;
      all.push_back(held[i]);
      if (i / most_elements == shown_lane) shown += " " + std::to_string(held[i]);
    }
    std::printf("%s %s %dx%dx%d from %d: %s, lane %u:%s\n", type, what, shape.m, shape.n, shape.k,
                first, digest(all).c_str(), shown_lane, shown.c_str());
  }
}

template <class T, int m, int n, int k>
void write_operands(const char* type) {
  using wmma::col_major;
  using wmma::row_major;
  constexpr Shape shape{m, n, k};
  write(type, "a by rows", shape, m, k, hold<wmma::matrix_a, m, n, k, T, row_major>);
  write(type, "a by columns", shape, m, k, hold<wmma::matrix_a, m, n, k, T, col_major>);
  write(type, "b by rows", shape, k, n, hold<wmma::matrix_b, m, n, k, T, row_major>);
  write(type, "b by columns", shape, k, n, hold<wmma::matrix_b, m, n, k, T, col_major>);
}

template <class E, int m, int n, int k>
void write_sums(const char* type) {
  write(type, "sums", {m, n, k}, m, n, hold_sums<m, n, k, E>);
}

template <class T>
__device__ void set_bits(T& to, std::uint64_t bits) {
  std::memcpy(&to, &bits, sizeof(T));
}

template <class D, class C, int m, int n>
__global__ void multiply(int* out, unsigned series) {
  __shared__ alignas(128) __half a[m * 16];
  __shared__ alignas(128) __half b[n * 16];
  __shared__ alignas(128) C c[m * n];
  __shared__ alignas(128) D d[m * n];
  const unsigned tile = blockIdx.x;
  constexpr Format c_format = sizeof(C) == 2 ? half_format : float_format;
  for (unsigned i = threadIdx.x; i < m * 16; i += 32) {
    set_bits(a[i], bits_of({series, tile, Matrix::a, i / 16, i % 16}, half_format));
  }
  for (unsigned i = threadIdx.x; i < n * 16; i += 32) {
    set_bits(b[i], bits_of({series, tile, Matrix::b, i % 16, i / 16}, half_format));
  }
  for (unsigned i = threadIdx.x; i < m * n; i += 32) {
    set_bits(c[i], bits_of({series, tile, Matrix::c, i / n, i % n}, c_format));
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, m, n, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, n, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, n, 16, C> add;
  wmma::fragment<wmma::accumulator, m, n, 16, D> sum;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::load_matrix_sync(add, c, n, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, add);
  wmma::store_matrix_sync(d, sum, n, wmma::mem_row_major);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < m * n; i += 32) {
    unsigned bits = 0;
    std::memcpy(&bits, &d[i], sizeof(D));
    out[tile * m * n + i] = static_cast<int>(bits);
  }
}

template <class D, class C, int m, int n>
void write_products(const char* types, unsigned series) {
  const Managed<int> results(std::size_t{tiles} * m * n);
  multiply<D, C, m, n><<<tiles, 32>>>(results.get(), series);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const int* const from = results.get() + std::size_t{tile} * m * n;
    std::printf("%s %dx%d tile %u: %s\n", types, m, n, tile, digest({from, from + m * n}).c_str());
  }
}

}  // namespace

int main(int count, char** /*arguments*/) {
  program_name = "wmma_fragments";
  if (count != 1) refuse("takes no arguments");
  write_head(tiles);
  write_operands<__half, 16, 16, 16>("half");
  write_operands<__half, 32, 8, 16>("half");
  write_operands<__half, 8, 32, 16>("half");
  write_operands<__nv_bfloat16, 16, 16, 16>("bf16");
  write_operands<__nv_bfloat16, 32, 8, 16>("bf16");
  write_operands<__nv_bfloat16, 8, 32, 16>("bf16");
  write_operands<wmma::precision::tf32, 16, 16, 8>("tf32");
  write_operands<signed char, 16, 16, 16>("s8");
  write_operands<signed char, 32, 8, 16>("s8");
  write_operands<signed char, 8, 32, 16>("s8");
  write_operands<unsigned char, 16, 16, 16>("u8");
  write_operands<double, 8, 8, 4>("double");
  write_sums<__half, 16, 16, 16>("half");
  write_sums<__half, 32, 8, 16>("half");
  write_sums<__half, 8, 32, 16>("half");
  write_sums<float, 16, 16, 16>("float");
  write_sums<float, 32, 8, 16>("float");
  write_sums<float, 8, 32, 16>("float");
  write_sums<float, 16, 16, 8>("float");
  write_sums<int, 16, 16, 16>("int");
  write_sums<int, 32, 8, 16>("int");
  write_sums<int, 8, 32, 16>("int");
  write_sums<double, 8, 8, 4>("double");
  write_products<float, __half, 16, 16>("float from half", 200);
  write_products<__half, float, 16, 16>("half from float", 201);
  write_products<float, float, 16, 16>("float from float", 202);
  write_products<__half, __half, 16, 16>("half from half", 203);
  write_products<__half, float, 32, 8>("half from float", 204);
  return 0;
}
