// Chapter 11: B = Aᵀ, in nine kernels, each compared with a copy of the same number of bytes.
//
// A transpose reads every element once and writes it once, as a copy does, and computes nothing. So
// all that counts is how it goes through memory: along the rows of A, along the rows of B, or both,
// through a tile in shared memory. Then banks matter, and the width of a load.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson transpose.cu -o transpose

#include "any_shape.hpp"
#include "banks.hpp"
#include "chunks.hpp"
#include "course.hpp"
#include "device_matrices.hpp"
#include "in_memory.hpp"
#include "tiles.hpp"

using TwoBytes = std::uint16_t;  // a half, a bfloat16, a short: only the bits count

// A matrix of m x n and memory for one of n x m, both on the device and aligned by cudaMalloc().
template <class E>
struct Transpose {
  const E* A;
  E* B;
  int m, n;
};

int pieces(size_t length, int piece) {
  return static_cast<int>((length + piece - 1) / piece);
}
unsigned tiles_of(int m, int n, int wide, int tall) {
  return static_cast<unsigned>(static_cast<size_t>(pieces(n, wide)) * pieces(m, tall));
}

template <class E>
void launch_copy(const Transpose<E>& t) {
  const size_t count = static_cast<size_t>(t.m) * t.n;
  copy<<<blocks_of_256(count * sizeof(E) / 16 + 1), 256>>>(t.A, t.B, count);
  CUDA_CHECK_LAUNCH();
}

// Kernels with one thread, or a few, for each element of a tile.
template <class E, class Kernel>
void launch_tiles(const Transpose<E>& t, Kernel kernel, int wide, int block_height) {
  if (t.m == 0 || t.n == 0) return;
  const unsigned tiles = tiles_of(t.m, t.n, wide, side);
  kernel<<<tiles, dim3(side, block_height)>>>(t.A, t.B, t.m, t.n);
  CUDA_CHECK_LAUNCH();
}

template <class E>
void launch_by_rows(const Transpose<E>& t) {
  launch_tiles(t, by_rows<E>, side, side);
}
template <class E>
void launch_by_columns(const Transpose<E>& t) {
  launch_tiles(t, by_columns<E>, side, side);
}
template <class E>
void launch_tile(const Transpose<E>& t) {
  launch_tiles(t, through_tile<E, 0>, side, side);
}
template <class E>
void launch_padded(const Transpose<E>& t) {
  launch_tiles(t, through_tile<E, a_word<E>>, side, side);
}
template <class E>
void launch_two_a_thread(const Transpose<E>& t) {
  launch_tiles(t, two_a_thread<E>, 2 * side, side);
}
template <class E>
void launch_four_a_thread(const Transpose<E>& t) {
  launch_tiles(t, four_a_thread<E>, side, block_rows);
}
template <class E>
void launch_swizzled(const Transpose<E>& t) {
  launch_tiles(t, swizzled<E>, side, block_rows);
}

// How many rows of tiles form a band: all of them, so that rows of B are written from end to end.
// But if rows of A are short, the cache holds many whole ones, and narrow bands are faster.
int band(int across, int down) {
  return across <= 32 ? 8 : down;
}

template <class E>
void launch_by_chunks(const Transpose<E>& t) {
  if (t.m == 0 || t.n == 0) return;
  constexpr int wide = squares_wide * chunk<E>;
  constexpr int threads = squares_wide * squares_tall<E>;
  constexpr int bytes = tile_bytes<E>;
  const int across = pieces(t.n, wide);
  const int down = pieces(t.m, rows_a_tile);
  const auto kernel = by_chunks<E>;
  // More than 48 KB of shared memory must be requested.
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const auto tiles = static_cast<unsigned>(static_cast<size_t>(across) * down);
  kernel<<<tiles, threads, bytes>>>(t.A, t.B, t.m, t.n, band(across, down));
  CUDA_CHECK_LAUNCH();
}

template <class E, int down>
void launch_by_windows(const Transpose<E>& t) {
  if (t.m == 0 || t.n == 0) return;
  using T = Tile<E, down>;
  // If rows of B begin in the middle of a sector, windows begin up to a sector earlier than tiles,
  // and the last of them may not reach the end.
  const int late = t.m % T::sector == 0 ? 0 : T::sector - 1;
  const int across = pieces(t.n, T::wide);
  const int tiles_down = pieces(static_cast<size_t>(t.m) + late, T::tall);
  const auto kernel = by_windows<E, down>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::bytes));
  const auto tiles = static_cast<unsigned>(static_cast<size_t>(across) * tiles_down);
  kernel<<<tiles, warps * 32, T::bytes>>>(t.A, t.B, t.m, t.n, across, tiles_down,
                                          band(across, tiles_down));
  CUDA_CHECK_LAUNCH();
}

bool takes_any(int /*m*/, int /*n*/) {
  return true;
}
// Each row of A and of B begins at a multiple of 16 bytes.
template <class E>
bool takes_whole_chunks(int m, int n) {
  return m % chunk<E> == 0 && n % chunk<E> == 0;
}

template <class E>
struct TransposeRung {
  const char* name;
  void (*launch)(const Transpose<E>&);
  bool (*takes)(int m, int n) = takes_any;
  bool transposes = true;
};

template <class E>
const std::vector<TransposeRung<E>> rungs = {
    {"copy", launch_copy<E>, takes_any, false},
    {"by rows", launch_by_rows<E>},
    {"by columns", launch_by_columns<E>},
    {"tile", launch_tile<E>},
    {"padded", launch_padded<E>},
    {"two each", launch_two_a_thread<E>},
    {"four each", launch_four_a_thread<E>},
    {"swizzled", launch_swizzled<E>},
    {"16 bytes", launch_by_chunks<E>, takes_whole_chunks<E>},
    {"any shape", launch_by_windows<E, 16>},
};

// A kernel's name if it has variants for both sizes of elements.
template <class E>
std::string full_name(const TransposeRung<E>& rung) {
  return rung.name + std::string(sizeof(E) == 2 ? ", 2 bytes" : "");
}

template <class E>
void verify_all(DeviceMatrices<E>& matrices, const Transpose<E>& t, course::Report& report) {
  for (const TransposeRung<E>& rung : rungs<E>) {
    if (!rung.takes(t.m, t.n)) {
      report.note(full_name(rung) + ": left out, as rows do not begin at multiples of 16 bytes");
      continue;
    }
    matrices.poison();
    rung.launch(t);
    report.check(full_name(rung), "whole numbers", matrices.verify(rung.transposes));
  }
}

template <class E>
void time_all(const course::Options& options, DeviceMatrices<E>& matrices, const Transpose<E>& t,
              course::Report& report) {
  const auto bytes = static_cast<double>(matrices.count() * sizeof(E));
  for (const TransposeRung<E>& rung : rungs<E>) {
    if (!rung.takes(t.m, t.n)) continue;
    const course::Timing timing = TIME_EVENTS(options, matrices.poison(), rung.launch(t));
    report.add(full_name(rung), timing, {2 * bytes, 0});
  }
}

void run_bank_kernels(const course::Options& options, course::Report& report) {
  for (const BankKernel& kernel : bank_kernels) {
    const int threads = side * kernel.rows;
    course::DeviceArray<int> out(threads);
    out.poison();
    kernel.launch(out);
    const std::vector<int> found = out.to_host();
    int wrong = 0;
    for (int k = 0; k < threads; ++k) wrong += found[k] != number_found(kernel, k);
    report.check(kernel.name, "their numbers",
                 {wrong == 0, std::to_string(wrong) + " threads have found a wrong number"});
  }
  report.note("Conflicts of one block (set in one order, read in the other):");
  for (const BankKernel& kernel : bank_kernels) {
    course::DeviceArray<int> out(side * kernel.rows);
    const course::Timing timing = TIME_EVENTS(options, out.poison(), kernel.launch(out));
    const auto conflicts = std::to_string(timing.traffic.shared_bank_conflicts);
    if (timing.counted) report.note("  " + std::string(kernel.name) + ": " + conflicts);
  }
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "11_transpose";
  defaults.description =
      "The transpose of a matrix: nine kernels and a copy, for elements of 4 bytes and of 2.";
  defaults.on_gpu = {16384, 16384};
  defaults.on_emulator = {256, 384};
  defaults.emulator = course::on_emulator;
  defaults.choose_data = false;
  bool banks = false;
  defaults.add("--banks", &banks, "the small kernels on banks as well");
  const course::Options options = course::parse_options(argc, argv, defaults);
  const auto bytes = static_cast<double>(options.rows * options.cols * sizeof(float));
  course::require_memory(options, 1e6, 3 * bytes);
  course::Report report(options, course::CeilingKind::copy);
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  DeviceMatrices<float> floats(m, n);
  DeviceMatrices<TwoBytes> halves(m, n);
  const Transpose<float> of_floats{floats.a(), floats.b(), m, n};
  const Transpose<TwoBytes> of_halves{halves.a(), halves.b(), m, n};
  verify_all(floats, of_floats, report);
  verify_all(halves, of_halves, report);
  time_all(options, floats, of_floats, report);
  time_all(options, halves, of_halves, report);
  if (banks) run_bank_kernels(options, report);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
