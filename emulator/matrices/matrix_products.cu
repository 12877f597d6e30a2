// What mma.sync makes of a million products of each floating-point type: recorded on a GPU, and
// compared with what the emulator's arithmetic makes of the same.
//
//   matrix_products [--tiles N]         writes a recording to the standard output
//   matrix_products --compare FILE      compares this machine's products with it
//
// A recording holds digests of all results, one for every 32 tiles, and of a few tiles results
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
#include <type_traits>
#include <vector>

#include "series.cuh"

namespace {

using namespace matrices;  // NOLINT: the program is written in its terms

constexpr unsigned chunk = 32;          // tiles of a digest
constexpr unsigned all_tiles = 8192;    // of 128 results, or, of 8 rows, 64
constexpr unsigned results_shown = 48;  // of a tile that is recorded
constexpr unsigned warps_of_block = 4;

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

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "matrix_products: %s\n", cudaGetErrorString(error));
  std::exit(2);
}

struct Series {
  const char* name;
  unsigned m, k;
  Format inputs, output;
  void (*run)(unsigned long long* results, unsigned number, unsigned tiles);
};

template <class S>
void run(unsigned long long* results, unsigned number, unsigned tiles) {
  const unsigned blocks = (tiles + warps_of_block - 1) / warps_of_block;
  products<S><<<blocks, 32 * warps_of_block>>>(results, number, tiles);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <class S>
Series entry() {
  return {S::name, S::m, S::k, S::inputs, S::output, run<S>};
}

std::vector<Series> all_series() {
  return {entry<f16_f32_k8>(), entry<f16_f32_k16>(), entry<f16_f16_k8>(), entry<f16_f16_k16>(),
          entry<bf16_k8>(),    entry<bf16_k16>(),    entry<tf32_k4>(),    entry<tf32_k8>(),
          entry<f64_m8_k4>(),  entry<f64_k16>()};
}

int hex_digits(const Format& format) {
  return (1 + format.exponent_bits + format.fraction_bits + format.unused_bits + 3) / 4;
}

// FNV-1a, of a chunk's results.
std::uint32_t digest(const unsigned long long* results, std::size_t count) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (std::size_t i = 0; i < count; ++i) {
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ (results[i] >> (8 * byte) & 0xFFU)) * 0x100000001B3ULL;
    }
  }
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

// The tiles whose results are recorded: one of each kind, from all over.
unsigned shown_tile(unsigned kind, unsigned tiles) {
  return (kind + kinds * (97 * kind + 5)) % tiles / kinds * kinds + kind;
}

// Everything of one series, as lines of words.
struct Record {
  std::vector<std::string> digests;
  std::vector<std::vector<std::string>> shown;  // of each kind
};

std::string in_hex(unsigned long long value, int digits) {
  char text[24];
  std::snprintf(text, sizeof(text), "%0*llx", digits, value);
  return text;
}

Record computed(const Series& series, unsigned number, unsigned tiles) {
  const std::size_t of_tile = series.m * 8;
  unsigned long long* results = nullptr;
  check(cudaMallocManaged(&results, tiles * of_tile * sizeof(*results)));
  series.run(results, number, tiles);
  Record record;
  for (unsigned tile = 0; tile < tiles; tile += chunk) {
    const std::size_t count = std::min(chunk, tiles - tile) * of_tile;
    record.digests.push_back(in_hex(digest(results + tile * of_tile, count), 8));
  }
  for (unsigned kind = 0; kind < kinds; ++kind) {
    std::vector<std::string> words;
    const unsigned long long* const tile = results + shown_tile(kind, tiles) * of_tile;
    for (unsigned i = 0; i < results_shown; ++i) {
      words.push_back(in_hex(tile[i], hex_digits(series.output)));
    }
    record.shown.push_back(words);
  }
  check(cudaFree(results));
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
    print(record.digests);
    for (const auto& words : record.shown) print(words);
  }
  return 0;
}

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "matrix_products: %s\n", what.c_str());
  std::exit(2);
}

// The product behind a result, in hexadecimal numbers.
void print_operands(const Series& series, unsigned number, unsigned tile, unsigned index) {
  const auto line = [&](const char* what, Matrix matrix, const Format& format, unsigned count) {
    std::printf("  %s", what);
    for (unsigned l = 0; l < count; ++l) {
      const unsigned row = matrix == Matrix::b ? l : index / 8;
      const unsigned column = matrix == Matrix::a ? l : index % 8;
      const Element e{number, tile, matrix, row, column};
      std::printf(" %s", in_hex(bits_of(e, format), hex_digits(format)).c_str());
    }
    std::printf("\n");
  };
  line("a:", Matrix::a, series.inputs, series.k);
  line("b:", Matrix::b, series.inputs, series.k);
  line("c:", Matrix::c, series.output, 1);
}

// Says what differs first; whether nothing does.
bool is_equal(const Series& series, unsigned number, unsigned tiles, const Record& recorded) {
  const Record here = computed(series, number, tiles);
  for (unsigned kind = 0; kind < kinds; ++kind) {
    for (unsigned i = 0; i < results_shown; ++i) {
      if (here.shown[kind][i] == recorded.shown[kind][i]) continue;
      const unsigned tile = shown_tile(kind, tiles);
      std::printf("%s: tile %u, row %u, column %u: recorded %s, here %s\n", series.name, tile,
                  i / 8, i % 8, recorded.shown[kind][i].c_str(), here.shown[kind][i].c_str());
      print_operands(series, number, tile, i);
      return false;
    }
  }
  for (std::size_t i = 0; i < here.digests.size(); ++i) {
    if (here.digests[i] == recorded.digests[i]) continue;
    std::printf("%s: a result among those of tiles %zu to %zu differs\n", series.name, i * chunk,
                std::min<std::size_t>((i + 1) * chunk, tiles) - 1);
    return false;
  }
  std::printf("%s: equal, %u results\n", series.name, tiles * series.m * 8);
  return true;
}

int compare(const std::string& path) {
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
  bool all_equal = true;
  for (unsigned i = 0; i < series.size(); ++i) {
    Record recorded;
    recorded.digests.resize((tiles + chunk - 1) / chunk);
    recorded.shown.assign(kinds, std::vector<std::string>(results_shown));
    std::string name;
    file >> word >> name;
    for (std::string& one : recorded.digests) file >> one;
    for (auto& words : recorded.shown) {
      for (std::string& one : words) file >> one;
    }
    if (!file || word != "series" || name != series[i].name) {
      refuse(path + " lacks the series " + series[i].name);
    }
    all_equal = is_equal(series[i], i, tiles, recorded) && all_equal;
  }
  return all_equal ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 1) return write_recording(all_tiles);
  const std::string option = arguments[1];
  if (count == 3 && option == "--compare") return compare(arguments[2]);
  if (count == 3 && option == "--tiles") {
    unsigned tiles = 0;
    const char* const end = arguments[2] + std::strlen(arguments[2]);
    const auto [rest, error] = std::from_chars(arguments[2], end, tiles);
    if (error == std::errc() && rest == end && tiles > 0 && tiles % kinds == 0 &&
        tiles <= all_tiles) {
      return write_recording(tiles);
    }
    refuse("--tiles takes a multiple of 8 up to 8192");
  }
  refuse("usage: matrix_products [--tiles N | --compare FILE]");
}
