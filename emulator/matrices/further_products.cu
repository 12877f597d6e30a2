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

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "further_series.cuh"

namespace {

using namespace matrices;  // NOLINT: the program is written in its terms

constexpr unsigned chunk = 128;  // tiles of a digest
constexpr unsigned all_tiles = 8192;
constexpr unsigned part = 16;           // of the tiles this part is compared at least
constexpr unsigned results_shown = 16;  // of a tile that is recorded
constexpr unsigned warps_of_block = 4;
constexpr unsigned first_number = 64;  // of the series: their numbers are others than those of
                                       // other programs

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

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "further_products: %s\n", what.c_str());
  std::exit(2);
}

void check(cudaError_t error) {
  if (error != cudaSuccess) refuse(cudaGetErrorString(error));
}

std::string in_hex(std::uint64_t value, int bits) {
  char text[24];
  std::snprintf(text, sizeof(text), "%0*llx", (bits + 3) / 4,
                static_cast<unsigned long long>(value));
  return text;
}

struct Series {
  const char* name;
  unsigned of_tile;  // results
  int result_bits;
  void (*run)(std::uint32_t* results, unsigned number, unsigned tiles);
  void (*print_operands)(unsigned number, unsigned tile, unsigned index);
};

template <class S>
void run(std::uint32_t* results, unsigned number, unsigned tiles) {
  const unsigned blocks = (tiles + warps_of_block - 1) / warps_of_block;
  products<S><<<blocks, 32 * warps_of_block>>>(results, number, tiles);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
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
std::vector<Series> entries() {
  return {
      {S::name, rows_of<S> * 8, bits_in(S::d_format), run<S>, print_operands<S>}...,
  };
}

std::vector<Series> all_series() {
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

// Results of the first tiles of a series.
class Results {
 public:
  Results(const Series& series, unsigned number, unsigned tiles) {
    check(cudaMallocManaged(&words_, std::size_t{tiles} * series.of_tile * sizeof(*words_)));
    series.run(words_, first_number + number, tiles);
  }
  ~Results() { check(cudaFree(words_)); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  const std::uint32_t* get() const { return words_; }

 private:
  std::uint32_t* words_ = nullptr;
};

// FNV-1a, of a chunk's results.
std::uint32_t digest(const std::uint32_t* results, std::size_t count) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (std::size_t i = 0; i < count; ++i) {
    for (int byte = 0; byte < 4; ++byte) {
      hash = (hash ^ (results[i] >> (8 * byte) & 0xFFU)) * 0x100000001B3ULL;
    }
  }
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

// Everything of one series, as words: of each kind some results of its first tile, and digests.
struct Record {
  std::vector<std::vector<std::string>> shown;
  std::vector<std::string> digests;
};

constexpr unsigned digests_of(unsigned tiles) {
  return (tiles + chunk - 1) / chunk;
}

Record computed(const Series& series, unsigned number, unsigned tiles) {
  const Results results(series, number, tiles);
  Record record;
  for (unsigned kind = 0; kind < kinds; ++kind) {
    record.shown.emplace_back();
    for (unsigned i = 0; i < results_shown; ++i) {
      record.shown[kind].push_back(
          in_hex(results.get()[kind * series.of_tile + i], series.result_bits));
    }
  }
  for (unsigned tile = 0; tile < tiles; tile += chunk) {
    const std::size_t count = std::size_t{std::min(chunk, tiles - tile)} * series.of_tile;
    record.digests.push_back(
        in_hex(digest(results.get() + std::size_t{tile} * series.of_tile, count), 32));
  }
  return record;
}

void print(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::printf("%s%c", words[i].c_str(), i % 12 == 11 || i + 1 == words.size() ? '\n' : ' ');
  }
}

int write_recording(unsigned tiles) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::printf("device %s\ntiles %u\n", device.name, tiles);
  const std::vector<Series> series = all_series();
  for (unsigned i = 0; i < series.size(); ++i) {
    const Record record = computed(series[i], i, tiles);
    std::printf("series %s\n", series[i].name);
    for (const auto& words : record.shown) print(words);
    print(record.digests);
  }
  return 0;
}

int write_results(unsigned tiles) {
  const std::vector<Series> series = all_series();
  for (unsigned i = 0; i < series.size(); ++i) {
    const Results results(series[i], i, tiles);
    std::printf("series %s\n", series[i].name);
    for (unsigned j = 0; j < tiles * series[i].of_tile; ++j) {
      std::printf("%s%c", in_hex(results.get()[j], series[i].result_bits).c_str(),
                  j % 8 == 7 ? '\n' : ' ');
    }
  }
  return 0;
}

// Says what differs first; whether nothing does, in so many tiles.
bool is_equal(const Series& series, unsigned number, unsigned tiles, const Record& recorded) {
  const Record here = computed(series, number, tiles);
  for (unsigned kind = 0; kind < kinds; ++kind) {
    for (unsigned i = 0; i < results_shown; ++i) {
      if (here.shown[kind][i] == recorded.shown[kind][i]) continue;
      std::printf("%s: tile %u, row %u, column %u: recorded %s, here %s\n", series.name, kind,
                  i / 8, i % 8, recorded.shown[kind][i].c_str(), here.shown[kind][i].c_str());
      series.print_operands(first_number + number, kind, i);
      return false;
    }
  }
  for (std::size_t i = 0; i < here.digests.size(); ++i) {
    if (here.digests[i] == recorded.digests[i]) continue;
    std::printf("%s: a result among those of tiles %zu to %zu differs\n", series.name, i * chunk,
                std::min<std::size_t>((i + 1) * chunk, tiles) - 1);
    return false;
  }
  std::printf("%s: equal, %u results\n", series.name, tiles * series.of_tile);
  return true;
}

int compare(const std::string& path, bool all) {
  std::ifstream file(path);
  std::string word;
  std::string device;
  unsigned tiles = 0;
  if (!(file >> word) || word != "device" || !std::getline(file >> std::ws, device) ||
      !(file >> word >> tiles) || word != "tiles" || tiles == 0 || tiles % kinds != 0) {
    refuse(path + " is no recording, or cannot be read");
  }
  std::printf("recorded on %s\n", device.c_str());
  const std::vector<Series> series = all_series();
  // Whole chunks, as only those have digests.
  const unsigned compared = all ? tiles : std::min(tiles, digests_of(tiles / part) * chunk);
  unsigned equal = 0;
  for (unsigned i = 0; i < series.size(); ++i) {
    Record recorded;
    recorded.shown.assign(kinds, std::vector<std::string>(results_shown));
    recorded.digests.resize(digests_of(tiles));
    std::string name;
    file >> word >> name;
    for (auto& words : recorded.shown) {
      for (std::string& one : words) file >> one;
    }
    for (std::string& one : recorded.digests) file >> one;
    if (!file || word != "series" || name != series[i].name) {
      refuse(path + " lacks the series " + series[i].name);
    }
    equal += is_equal(series[i], i, compared, recorded) ? 1 : 0;
  }
  std::printf("%u of %zu series are equal\n", equal, series.size());
  return equal == series.size() ? 0 : 1;
}

unsigned tiles_in(const char* text) {
  unsigned tiles = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, tiles);
  if (error != std::errc() || rest != end || tiles == 0 || tiles % kinds != 0 ||
      tiles > all_tiles) {
    refuse("a number of tiles is a multiple of 8 up to 8192");
  }
  return tiles;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 1) return write_recording(all_tiles);
  const std::string option = arguments[1];
  if (count == 3 && option == "--compare") return compare(arguments[2], false);
  if (count == 3 && option == "--compare-all") return compare(arguments[2], true);
  if (count == 3 && option == "--tiles") return write_recording(tiles_in(arguments[2]));
  if (count == 3 && option == "--results") return write_results(tiles_in(arguments[2]));
  refuse("usage: further_products [--tiles N | --results N | --compare FILE | --compare-all FILE]");
}
