// Kernels of one warp each that load or store a matrix: by ldmatrix and stmatrix, by the functions
// of nvcuda::wmma. Each is launched once, so that what the emulator counts for it can be compared
// with a GPU's own counters. Needs compute capability 9.0.
//
//   matrix_kernels                runs them all
//   matrix_kernels NAME...        runs those
//   matrix_kernels --list         lists them
//
// A line a kernel shows a checksum of its results: the same on every device.

#include <cuda_runtime.h>

#include "kernels/fragments.cuh"
#include "kernels/matrix_rows.cuh"
#include "kernels/program.cuh"
#include "kernels/sum_fragments.cuh"

namespace {

constexpr std::size_t result_bytes = 16'384;  // of one kernel at most

counters::Table all_kernels() {
  counters::Table all;
  for (const counters::Table& table : {row_kernels(), fragment_kernels(), sum_fragment_kernels()}) {
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return counters::run_program("matrix_kernels", all_kernels(), result_bytes, argc, argv);
}
