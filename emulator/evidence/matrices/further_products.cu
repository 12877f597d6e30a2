// What mma.sync makes of more products, each series a million results or more: of tiny numbers, of
// numbers of 8 bits, in quads (m8n8k4 of halves), and with a sparse A. Recorded on a GPU, and
// compared with what the emulator's arithmetic makes of the same.
//
//   further_products [--tiles N]          writes a recording to the standard output
//   further_products --compare FILE       compares the first sixteenth of the tiles with it
//   further_products --compare-all FILE   compares all
//   further_products --results N          writes all results of the first N tiles, to look closely
//
// A recording holds digests of all results, one for every 128 tiles, and of a few tiles results
// themselves. A tile is what one instruction gives. Exit status: 0, 1 if they differ, 2 if the
// command line or the file is wrong.

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "further_series.cuh"
#include "tile_recordings.cuh"

namespace {

using namespace matrices;  // NOLINT: the program is written in its terms

template <class S>
constexpr unsigned rows_of = S::form == Form::quads ? 32 : 16;
template <class S>
constexpr bool is_sparse = S::form == Form::sparse || S::form == Form::sparse_ordered;
template <class S>
constexpr unsigned columns_of_a = is_sparse<S> ? S::k / 2 : S::k;
// How many neighbours along k have metadata of their own.
template <class S>
constexpr unsigned neighbours = bits_in(S::a_format) == 32  ? 2
                                : bits_in(S::a_format) == 4 ? 8
                                                            : 4;

template <class S>
__host__ __device__ std::uint64_t element_bits(const Element& e) {
  if constexpr (S::numbers == Numbers::tiny) {
    return tiny_bits_of(e, S::a_format, S::d_format, S::k);
  } else if constexpr (S::numbers == Numbers::bytes) {
    if (e.matrix == Matrix::a) return byte_bits_of(e, S::a_format);
    return byte_bits_of(e, e.matrix == Matrix::b ? Format{S::b_format} : Format{S::d_format});
  } else {
    if (e.matrix == Matrix::a) return bits_of(e, S::a_format);
    return e.matrix == Matrix::b ? bits_of(e, S::b_format) : bits_of(e, S::d_format);
  }
}

template <class S>
__host__ __device__ unsigned group_bits(unsigned series, unsigned tile, unsigned row,
                                        unsigned group) {
  return metadata_of(series, tile, row, group, bits_in(S::a_format) == 32,
                     S::form == Form::sparse_ordered);
}

// Where element `index` of a lane's part of A, B, or C lies, as the PTX ISA has it. Of quads, rows
// of A and C, and columns of B, of the four products follow each other.
struct Place {
  unsigned row, column;
};
template <class S>
__device__ Place place_of(Matrix matrix, unsigned lane, unsigned index) {
  if constexpr (S::form == Form::quads) {
    const unsigned first = lane % 16 / 4 * 8;
    const unsigned upper = lane / 16 * 4;
    const unsigned mine = lane % 4;
    if (matrix == Matrix::a) {
      return S::a_by_columns ? Place{first + upper + index, mine}
                             : Place{first + upper + mine, index};
    }
    if (matrix == Matrix::b) {
      return S::b_by_rows ? Place{mine, first + upper + index} : Place{index, first + upper + mine};
    }
    if (bits_in(S::d_format) == 16) return {first + upper + mine, index};
    return {first + upper + mine % 2 + (index & 2U), (index & 4U) + (mine & 2U) + index % 2};
  } else {
    if (matrix == Matrix::c) return {index / 2 * 8 + lane / 4, lane % 4 * 2 + index % 2};
    const unsigned packed =
        32 / (matrix == Matrix::a ? bits_in(S::a_format) : bits_in(S::b_format));
    const unsigned of_register = index / packed;
    if (matrix == Matrix::a) {
      return {of_register % 2 * 8 + lane / 4,
              (of_register / 2 * 4 + lane % 4) * packed + index % packed};
    }
    return {(of_register * 4 + lane % 4) * packed + index % packed, lane / 4};
  }
}

// The metadata's lanes: one, two or all of four, which the selector says; what the others have does
// not count. Of numbers of 16 bits and more a register has four groups of a row and four of the
// eighth row below, of smaller ones eight groups of a row.
template <class S>
__device__ void fill_metadata(Registers& r, unsigned series, unsigned tile, unsigned lane) {
  constexpr unsigned groups = S::k / neighbours<S>;
  constexpr unsigned lanes = groups / 4;
  const auto random =
      static_cast<unsigned>(random_bits({series, tile, Matrix::a, 0x4000, 0x4000}, 9) >> 32);
  const auto nonsense =
      static_cast<std::uint32_t>(random_bits({series, tile, Matrix::a, 0x4000, lane}, 9));
  r.selector = random % (4 / lanes);
  r.metadata = nonsense;
  if (lane % 4 / lanes != r.selector) return;
  const unsigned mine = lane % 4 % lanes;
  r.metadata = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const bool is_small = bits_in(S::a_format) < 16;
    const unsigned row = is_small ? lane / 4 + mine % 2 * 8 : lane / 4 + i / 4 * 8;
    const unsigned group = is_small ? mine / 2 * 8 + i : mine * 4 + i % 4;
    r.metadata |= group_bits<S>(series, tile, row, group) << (4 * i);
  }
}

template <class S>
__device__ void fill(std::uint32_t* registers, Matrix matrix, unsigned count, int bits,
                     unsigned series, unsigned tile, unsigned lane) {
  const unsigned packed = 32 / static_cast<unsigned>(bits);
  for (unsigned i = 0; i < count; ++i) {
    const Place place = place_of<S>(matrix, lane, i);
    const std::uint64_t value = element_bits<S>({series, tile, matrix, place.row, place.column});
    if (i % packed == 0) registers[i / packed] = 0;
    registers[i / packed] |= static_cast<std::uint32_t>(value) << (i % packed * bits);
  }
}

template <class S>
__global__ void products(std::uint32_t* results, unsigned series, unsigned tiles) {
  const unsigned tile = blockIdx.x * warps_of_block + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (tile >= tiles) return;  // with all its lanes
  constexpr bool is_quads = S::form == Form::quads;
  constexpr unsigned of_a = rows_of<S> * columns_of_a<S> / 32;
  constexpr unsigned of_b = S::k * (is_quads ? 32 : 8) / 32;
  constexpr unsigned of_c = rows_of<S> * 8 / 32;
  Registers r{};
  fill<S>(r.a, Matrix::a, of_a, bits_in(S::a_format), series, tile, lane);
  fill<S>(r.b, Matrix::b, of_b, bits_in(S::b_format), series, tile, lane);
  fill<S>(r.c, Matrix::c, of_c, bits_in(S::d_format), series, tile, lane);
  if constexpr (is_sparse<S>) fill_metadata<S>(r, series, tile, lane);
  S::multiply(r);
  constexpr unsigned packed = bits_in(S::d_format) == 16 ? 2 : 1;
  for (unsigned i = 0; i < of_c; ++i) {
    const Place place = place_of<S>(Matrix::c, lane, i);
    const std::uint32_t word = r.c[i / packed];
    results[(static_cast<std::size_t>(tile) * rows_of<S> + place.row) * 8 + place.column] =
        packed == 2 ? word >> (16 * (i % 2)) & 0xFFFFU : word;
  }
}

template <class S>
std::vector<std::uint64_t> results(unsigned number, unsigned tiles) {
  return stored_results(products<S>, rows_of<S> * 8, number, tiles);
}

// The product behind a result, in hexadecimal numbers, and which elements a sparse A has.
template <class S>
void print_operands(unsigned number, unsigned tile, unsigned index) {
  const unsigned row = index / 8;
  const unsigned column = index % 8 + (S::form == Form::quads ? row / 8 * 8 : 0);
  const auto print = [&](Matrix matrix, unsigned at_row, unsigned at_column, int bits) {
    const std::uint64_t value = element_bits<S>({number, tile, matrix, at_row, at_column});
    std::printf(" %s", in_hex(value, bits).c_str());
  };
  std::printf("  a:");
  for (unsigned l = 0; l < columns_of_a<S>; ++l) print(Matrix::a, row, l, bits_in(S::a_format));
  if constexpr (is_sparse<S>) {
    std::printf("\n  metadata:");
    for (unsigned g = 0; g < S::k / neighbours<S>; ++g) {
      std::printf(" %s", in_hex(group_bits<S>(number, tile, row, g), 4).c_str());
    }
  }
  std::printf("\n  b:");
  for (unsigned l = 0; l < S::k; ++l) print(Matrix::b, l, column, bits_in(S::b_format));
  std::printf("\n  c:");
  print(Matrix::c, row, index % 8, bits_in(S::d_format));
  std::printf("\n");
}

template <class... S>
std::vector<TileSeries> entries() {
  return {
      {S::name, rows_of<S> * 8, bits_in(S::d_format), results<S>, print_operands<S>}...,
  };
}

std::vector<TileSeries> all_series() {
  return entries<
      tiny_f16_f32_k8, tiny_f16_f32_k16, tiny_f16_f16_k8, tiny_f16_f16_k16, tiny_bf16_k8,
      tiny_bf16_k16, tiny_tf32_k4, tiny_tf32_k8,  //
      e4m3_e4m3_f32_k16, e4m3_e4m3_f16_k16, e4m3_e4m3_f32_k32, e4m3_e4m3_f16_k32, e4m3_e5m2_f32_k16,
      e4m3_e5m2_f16_k16, e4m3_e5m2_f32_k32, e4m3_e5m2_f16_k32, e5m2_e4m3_f32_k16, e5m2_e4m3_f16_k16,
      e5m2_e4m3_f32_k32, e5m2_e4m3_f16_k32, e5m2_e5m2_f32_k16, e5m2_e5m2_f16_k16, e5m2_e5m2_f32_k32,
      e5m2_e5m2_f16_k32,  //
      quads_row_col_f32, quads_row_col_f16, quads_row_row_f32, quads_row_row_f16, quads_col_col_f32,
      quads_col_col_f16, quads_col_row_f32, quads_col_row_f16, tiny_quads_f32, tiny_quads_f16,  //
      sparse_f16_f32_k16, sparse_f16_f32_k32, sparse_f16_f16_k16, sparse_f16_f16_k32,
      sparse_f16_f32_k32_unordered, sparse_bf16_k16, sparse_bf16_k32, sparse_tf32_k8,
      sparse_tf32_k16, sparse_s8_k32, sparse_s8_k64, sparse_u8_s8_k64, sparse_s8_k64_unordered,
      sparse_s4_k64, sparse_s4_k128,  //
      sparse_e4m3_e4m3_f32, sparse_e4m3_e5m2_f32, sparse_e5m2_e4m3_f32, sparse_e5m2_e5m2_f32>();
}

}  // namespace

int main(int count, char** arguments) {
  program_name = "further_products";
  const auto first_of_kind = [](unsigned kind, unsigned /*tiles*/) { return kind; };
  const TileForm form{.first_number = 64,
                      .chunk = 128,
                      .word_bytes = 4,
                      .results_shown = 16,
                      .digests_first = false,
                      .part = 16,
                      .shown_tile = first_of_kind};
  return TileRecordings(all_series(), form).run(count, arguments);
}
