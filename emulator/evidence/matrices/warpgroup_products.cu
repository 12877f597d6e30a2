// What wgmma makes of a hundred thousand tiles of 64 rows: recorded on a GPU, and compared with
// what the emulator makes of the same.
//
//   warpgroup_products                      writes a recording to the standard output
//   warpgroup_products --tiles N [SERIES...]
//                                           of fewer tiles of each series, and of these series
//   warpgroup_products --compare FILE       compares this machine's tiles with it: the first tenth
//   warpgroup_products --compare-all FILE   all of them
//   warpgroup_products --show SERIES TILE [ROW COLUMN]
//                                           a tile, or one of its results and what it is made of
//
// A series is an instruction: a type of numbers, a width, a way to take its operands, and the
// number of them in a row. From tile to tile differ what the numbers are like, whether the first
// instruction adds to D, and how the operands are laid out in shared memory. A recording holds, of
// each series, digests of the first tenth of its tiles and of the others, one for each kind of
// numbers, and of each kind one result itself. Exit status: 0, 1 if something differs or is not
// recorded, 2 if the command line or the file is wrong.
//
// Compiled with MATRICES_OF_BYTES it is warpgroup_bytes, whose series are those of FP8: these have
// a recording of their own.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "group_kernel.cuh"
#include "group_operands.cuh"
#ifdef MATRICES_OF_BYTES
#include "group_byte_series.cuh"
#else
#include "group_series.cuh"
#endif
#include "recordings.cuh"

namespace {

using namespace matrices;  // NOLINT: the program is written in its terms

// Tiles of a series: those of narrow instructions cost less.
constexpr unsigned most_tiles = 2000;
constexpr unsigned tiles_of(unsigned n) {
  return n <= 64 ? most_tiles : 240;
}

struct Series {
  const char* name;
  const char* form;
  unsigned n;
  unsigned k;  // of an instruction
  unsigned steps;
  bool has_a_in_registers;
  int d_bits;
  void (*run)(unsigned long long* digests, std::uint32_t* results, unsigned results_of,
              unsigned number, unsigned first, unsigned tiles);
  std::string (*element)(const Element& e);
  Placement (*a_place)(const GroupChoice& choice);
  Placement (*b_place)(const GroupChoice& choice);
};

template <class S>
Series entry() {
  Series series{};
  series.name = S::name;
  series.form = S::form_name;
  series.n = S::n;
  series.steps = S::steps;
  series.k = bytes_of_step * 8 / bits_in(S::a_format);
  series.has_a_in_registers = S::form.has_a_in_registers;
  series.d_bits = bits_in(S::d_format);
  series.run = [](unsigned long long* digests, std::uint32_t* results, unsigned results_of,
                  unsigned number, unsigned first, unsigned tiles) {
    constexpr unsigned bytes = bytes_of_a<S> + bytes_of_b<S>;
    group_products<S><<<tiles, 128, bytes>>>(digests, results, results_of, number, first);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  };
  series.element = [](const Element& e) {
    if (e.matrix == Matrix::a) return in_hex(bits_of(e, S::a_format), bits_in(S::a_format));
    if (e.matrix == Matrix::b) return in_hex(bits_of(e, S::b_format), bits_in(S::b_format));
    return in_hex(bits_of(e, S::d_format), bits_in(S::d_format));
  };
  constexpr unsigned element = bits_in(S::a_format) / 8;
  series.a_place = [](const GroupChoice& choice) {
    return placement_of(choice.a_width, choice.is_a_across, S::form.turns_a, rows, element);
  };
  series.b_place = [](const GroupChoice& choice) {
    return placement_of(choice.b_width, choice.is_b_across, S::form.turns_b, S::n, element);
  };
  return series;
}

// Widths are multiples of 8; of integers, from 32 on, of 16.
template <template <unsigned> class Type, unsigned... i>
void add(std::vector<Series>& to, std::integer_sequence<unsigned, i...> /*widths*/) {
  (to.push_back(entry<Type<8 * (i + 1)>>()), ...);
}
#ifndef MATRICES_OF_BYTES
template <unsigned... i>
void add_integers(std::vector<Series>& to, std::integer_sequence<unsigned, i...> /*widths*/) {
  (to.push_back(entry < integers<i<3 ? 8 * (i + 1) : 16 * (i - 1)>>()), ...);
}
#endif
std::vector<Series> all_series() {
  std::vector<Series> series;
  constexpr auto widths = std::make_integer_sequence<unsigned, 32>();
#ifdef MATRICES_OF_BYTES
  add<bytes_f32>(series, widths);
  add<bytes_f16>(series, widths);
#else
  add<bf16_f32>(series, widths);
  add<f16_f32>(series, widths);
  add<f16_f16>(series, widths);
  add<tf32_f32>(series, widths);
  add_integers(series, std::make_integer_sequence<unsigned, 18>());
#endif
  return series;
}

// Of these tiles the first tenth, with as many of each kind.
unsigned first_of(unsigned tiles) {
  return (tiles / kinds + 9) / 10 * kinds;
}

// The result that is recorded of each kind: in the first tile of that kind.
struct ResultPlace {
  unsigned row, column;
};
ResultPlace shown_of(const Series& series, unsigned number, unsigned kind) {
  const std::uint64_t bits = mixed(number * kinds + kind);
  return {static_cast<unsigned>(bits % rows), static_cast<unsigned>((bits >> 32) % series.n)};
}

// What is recorded of a series, each one word for each kind.
struct Record {
  std::string shown[kinds];
  std::string first[kinds];
  std::string others[kinds];
};

void digest_tiles(const Series& series, unsigned number, unsigned from, unsigned to,
                  std::string (&words)[kinds], std::string* shown) {
  Managed<unsigned long long> digests(to - from + 1);
  const unsigned results_of = shown == nullptr ? 0 : kinds;
  Managed<std::uint32_t> results(std::size_t{results_of} * rows * series.n + 1);
  if (to > from) series.run(digests.get(), results.get(), results_of, number, from, to - from);
  unsigned long long sums[kinds] = {};
  for (unsigned tile = from; tile < to; ++tile) {
    sums[tile % kinds] += mixed(digests[tile - from] ^ mixed(tile));
  }
  for (unsigned kind = 0; kind < kinds; ++kind) {
    words[kind] = in_hex((sums[kind] ^ sums[kind] >> 32) & 0xFFFFFFFFU, 32);
    if (shown == nullptr) continue;
    const ResultPlace at = shown_of(series, number, kind);
    shown[kind] =
        in_hex(results[(std::size_t{kind} * rows + at.row) * series.n + at.column], series.d_bits);
  }
}

void print(const std::string (&words)[kinds]) {
  for (unsigned i = 0; i < kinds; ++i) {
    std::printf("%s%c", words[i].c_str(), i + 1 == kinds ? '\n' : ' ');
  }
}

unsigned number_of(const std::vector<Series>& series, std::string_view name) {
  unsigned number = 0;
  while (number < series.size() && series[number].name != name) ++number;
  if (number == series.size()) refuse("there is no series " + std::string(name));
  return number;
}

// Of all series if none is named.
int write_recording(unsigned most, const std::vector<std::string>& names) {
  const std::vector<Series> series = all_series();
  std::vector<unsigned> numbers;
  for (const std::string& name : names) numbers.push_back(number_of(series, name));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (unsigned i = 0; names.empty() && i < series.size(); ++i) numbers.push_back(i);
  write_head(most);
  std::printf("series %zu\n", numbers.size());
  for (const unsigned i : numbers) {
    const unsigned tiles = std::min(most, tiles_of(series[i].n));
    const unsigned first = first_of(tiles);
    Record record;
    digest_tiles(series[i], i, 0, first, record.first, record.shown);
    digest_tiles(series[i], i, first, tiles, record.others, nullptr);
    std::printf("%s\n", series[i].name);
    print(record.shown);
    print(record.first);
    print(record.others);
  }
  return 0;
}

void print_placement(const char* what, const Placement& placement) {
  std::printf("  %s: swizzle %u, %s\n", what, placement.width == 16 ? 0 : placement.width,
              placement.is_across ? "pieces across first" : "pieces down first");
}

void print_choice(const Series& series, unsigned number, unsigned tile) {
  const GroupChoice choice = choice_of(number, tile);
  std::printf("  wgmma.mma_async.sync.aligned.%s\n  %u in a row, the first one %s\n", series.form,
              series.steps, choice.adds ? "adds to D" : "does not add to D");
  if (!series.has_a_in_registers) print_placement("A", series.a_place(choice));
  print_placement("B", series.b_place(choice));
}

// The products behind a result, in hexadecimal numbers; a line for each instruction.
void print_operands(const Series& series, unsigned number, unsigned tile, ResultPlace at) {
  const auto elements = [&](const char* what, Matrix matrix, unsigned from, unsigned to) {
    std::printf("  %s", what);
    for (unsigned l = from; l < to; ++l) {
      const unsigned row = matrix == Matrix::b ? l : at.row;
      const unsigned column = matrix == Matrix::a ? l : at.column;
      std::printf(" %s", series.element({number, tile, matrix, row, column}).c_str());
    }
    std::printf("\n");
  };
  for (unsigned step = 0; step < series.steps; ++step) {
    elements("a:", Matrix::a, step * series.k, (step + 1) * series.k);
    elements("b:", Matrix::b, step * series.k, (step + 1) * series.k);
  }
  elements("d:", Matrix::c, 0, 1);
}

// Says what differs first; whether nothing does.
bool is_equal(const Series& series, unsigned number, unsigned tiles, bool all,
              const Record& recorded) {
  const unsigned first = first_of(tiles);
  Record here;
  digest_tiles(series, number, 0, first, here.first, here.shown);
  for (unsigned kind = 0; kind < kinds; ++kind) {
    if (here.shown[kind] == recorded.shown[kind]) continue;
    const ResultPlace at = shown_of(series, number, kind);
    std::printf("%s: tile %u, row %u, column %u: recorded %s, here %s\n", series.name, kind, at.row,
                at.column, recorded.shown[kind].c_str(), here.shown[kind].c_str());
    print_choice(series, number, kind);
    print_operands(series, number, kind, at);
    return false;
  }
  if (all) digest_tiles(series, number, first, tiles, here.others, nullptr);
  const auto differs = [&](unsigned kind, unsigned from, unsigned to) {
    std::printf("%s: a result differs in one of the tiles %u to %u (every 8th)\n", series.name,
                from + kind, to - kinds + kind);
    return false;
  };
  for (unsigned kind = 0; kind < kinds; ++kind) {
    if (here.first[kind] != recorded.first[kind]) return differs(kind, 0, first);
    if (all && here.others[kind] != recorded.others[kind]) return differs(kind, first, tiles);
  }
  return true;
}

int compare(const std::string& path, bool all) {
  std::ifstream file(path);
  const RecordingHeader head = read_head(file, path, most_tiles);
  std::string word;
  std::size_t count = 0;
  const std::vector<Series> series = all_series();
  if (!(file >> word >> count) || word != "series" || count == 0 || count > series.size()) {
    refuse(path + " is no recording, or cannot be read");
  }
  std::vector<std::pair<unsigned, Record>> recorded(count);
  unsigned least = 0;
  for (auto& [number, record] : recorded) {
    std::string name;
    file >> name;
    for (std::string& one : record.shown) file >> one;
    for (std::string& one : record.first) file >> one;
    for (std::string& one : record.others) file >> one;
    if (!file) refuse(path + " ends too early");
    number = number_of(series, name);
    if (number < least) refuse(path + " has the series " + name + " at the wrong place");
    least = number + 1;
  }
  unsigned recorded_tiles = 0;
  std::size_t results = 0;
  for (const auto& [i, record] : recorded) {
    const unsigned tiles = std::min(head.tiles, tiles_of(series[i].n));
    recorded_tiles += tiles;
    results += std::size_t{tiles} * rows * series[i].n;
  }
  std::printf("recorded on %s: %zu series, %u tiles, %zu results\n", head.device.c_str(), count,
              recorded_tiles, results);
  unsigned equal = 0;
  unsigned compared = 0;
  for (const auto& [i, record] : recorded) {
    const unsigned tiles = std::min(head.tiles, tiles_of(series[i].n));
    compared += all ? tiles : first_of(tiles);
    if (is_equal(series[i], i, tiles, all, record)) ++equal;
  }
  std::printf("%u of %zu series are equal, in %u tiles\n", equal, count, compared);
  if (count < series.size()) std::printf("%zu are not recorded\n", series.size() - count);
  return equal == series.size() ? 0 : 1;
}

int show(int count, char** arguments) {
  const std::vector<Series> series = all_series();
  const unsigned number = number_of(series, arguments[0]);
  const Series& one = series[number];
  const unsigned tile = number_in(arguments[1], tiles_of(one.n), "there are not so many tiles");
  Managed<unsigned long long> digest(1);
  Managed<std::uint32_t> results(std::size_t{rows} * one.n);
  one.run(digest.get(), results.get(), 1, number, tile, 1);
  std::printf("%s: tile %u\n", one.name, tile);
  print_choice(one, number, tile);
  if (count == 4) {
    const ResultPlace at{number_in(arguments[2], rows, "there are rows 0 to 63"),
                         number_in(arguments[3], one.n, "there are not so many columns")};
    print_operands(one, number, tile, at);
    std::printf("  D: %s\n", in_hex(results[at.row * one.n + at.column], one.d_bits).c_str());
    return 0;
  }
  for (unsigned i = 0; i < rows * one.n; ++i) {
    std::printf("%s%c", in_hex(results[i], one.d_bits).c_str(),
                i % one.n + 1 == one.n ? '\n' : ' ');
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
#ifdef MATRICES_OF_BYTES
  program_name = "warpgroup_bytes";
#else
  program_name = "warpgroup_products";
#endif
  if (count == 1) return write_recording(most_tiles, {});
  const std::string option = arguments[1];
  if (count == 3 && option == "--compare") return compare(arguments[2], false);
  if (count == 3 && option == "--compare-all") return compare(arguments[2], true);
  if ((count == 4 || count == 6) && option == "--show") return show(count - 2, arguments + 2);
  if (count >= 3 && option == "--tiles") {
    const unsigned tiles = tiles_in(arguments[2], most_tiles);
    return write_recording(tiles, {arguments + 3, arguments + count});
  }
  refuse(std::string("usage: ") + program_name +
         " [--tiles N [SERIES...] | --compare FILE | --compare-all FILE | --show SERIES TILE [ROW "
         "COLUMN]]");
}
