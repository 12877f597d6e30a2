// What mma.sync makes of a million products of each floating-point type: recorded on a GPU, and
// compared with what the emulator's arithmetic makes of the same.
//
//   matrix_products [--tiles N]         writes a recording to the standard output
//   matrix_products --compare FILE      compares this machine's products with it
//   matrix_products --results N         writes all results of the first N tiles
//
// A recording holds digests of all results, one for every 32 tiles, and of a few tiles results
// themselves. A tile is what one instruction gives. Exit status: 0, 1 if they differ, 2 if the
// command line or the file is wrong.

#include <cuda_runtime.h>

#include <type_traits>
#include <vector>

#include "series.cuh"
#include "tile_recordings.cuh"

namespace {

using namespace matrices;  // NOLINT: the program is written in its terms

// A fragment's elements, as the PTX ISA has them: registers go down the rows of A first.
template <class S>
__device__ void fill(typename S::Fragment& f, unsigned series, unsigned tile, unsigned lane) {
  constexpr int bits =
      1 + S::inputs.exponent_bits + S::inputs.fraction_bits + S::inputs.unused_bits;
  constexpr int c_bits = 1 + S::output.exponent_bits + S::output.fraction_bits;
  using Word = std::remove_reference_t<decltype(f.a[0])>;
  constexpr unsigned packed = bits == 16 ? 2 : 1;
  constexpr unsigned c_packed = c_bits == 16 ? 2 : 1;
  constexpr unsigned down = S::m / 8;
  constexpr unsigned in_a = sizeof(f.a) / sizeof(Word);
  constexpr unsigned in_b = sizeof(f.b) / sizeof(Word);
  constexpr unsigned in_c = sizeof(f.c) / sizeof(Word);
  for (unsigned r = 0; r < in_a; ++r) {
    f.a[r] = 0;
    for (unsigned i = 0; i < packed; ++i) {
      const Element e{series, tile, Matrix::a, r % down * 8 + lane / 4,
                      (r / down * 4 + lane % 4) * packed + i};
      f.a[r] |= static_cast<Word>(bits_of(e, S::inputs)) << (16 * i);
    }
  }
  for (unsigned r = 0; r < in_b; ++r) {
    f.b[r] = 0;
    for (unsigned i = 0; i < packed; ++i) {
      const Element e{series, tile, Matrix::b, (r * 4 + lane % 4) * packed + i, lane / 4};
      f.b[r] |= static_cast<Word>(bits_of(e, S::inputs)) << (16 * i);
    }
  }
  for (unsigned i = 0; i < in_c * c_packed; ++i) {
    const Element e{series, tile, Matrix::c, i / 2 * 8 + lane / 4, lane % 4 * 2 + i % 2};
    Word& word = f.c[i / c_packed];
    if (i % c_packed == 0) word = 0;
    word |= static_cast<Word>(bits_of(e, S::output)) << (16 * (i % c_packed));
  }
}

template <class S>
__global__ void products(unsigned long long* results, unsigned series, unsigned tiles) {
  const unsigned tile = blockIdx.x * warps_of_block + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (tile >= tiles) return;  // with all its lanes
  typename S::Fragment f;
  fill<S>(f, series, tile, lane);
  S::multiply(f);
  constexpr unsigned c_packed = S::output.exponent_bits == 5 ? 2 : 1;
  for (unsigned i = 0; i < S::m / 8 * 2; ++i) {
    const unsigned row = i / 2 * 8 + lane / 4;
    const unsigned column = lane % 4 * 2 + i % 2;
    const auto word = static_cast<unsigned long long>(f.c[i / c_packed]);
    results[(static_cast<std::size_t>(tile) * S::m + row) * S::n + column] =
        c_packed == 2 ? word >> (16 * (i % 2)) & 0xFFFFU : word;
  }
}

template <class S>
std::vector<std::uint64_t> results(unsigned number, unsigned tiles) {
  return stored_results(products<S>, S::m * S::n, number, tiles);
}

template <class S>
void print_operands(unsigned number, unsigned tile, unsigned index) {
  const auto line = [&](const char* what, Matrix matrix, const Format& format, unsigned count) {
    std::printf("  %s", what);
    for (unsigned l = 0; l < count; ++l) {
      const unsigned row = matrix == Matrix::b ? l : index / S::n;
      const unsigned column = matrix == Matrix::a ? l : index % S::n;
      const Element e{number, tile, matrix, row, column};
      std::printf(" %s", in_hex(bits_of(e, format), bits_in(format)).c_str());
    }
    std::printf("\n");
  };
  line("a:", Matrix::a, S::inputs, S::k);
  line("b:", Matrix::b, S::inputs, S::k);
  line("c:", Matrix::c, S::output, 1);
}

template <class... S>
std::vector<TileSeries> entries() {
  return {{S::name, S::m * S::n, bits_in(S::output), results<S>, print_operands<S>}...};
}

std::vector<TileSeries> all_series() {
  return entries<f16_f32_k8, f16_f32_k16, f16_f16_k8, f16_f16_k16, bf16_k8, bf16_k16, tf32_k4,
                 tf32_k8, f64_m8_k4, f64_k16>();
}

// One of each kind, from all over.
unsigned shown_tile(unsigned kind, unsigned tiles) {
  return (kind + kinds * (97 * kind + 5)) % tiles / kinds * kinds + kind;
}

}  // namespace

int main(int count, char** arguments) {
  program_name = "matrix_products";
  const TileForm form{.first_number = 0,
                      .chunk = 32,
                      .word_bytes = 8,
                      .results_shown = 48,
                      .digests_first = true,
                      .part = 1,
                      .shown_tile = shown_tile};
  return TileRecordings(all_series(), form).run(count, arguments);
}
