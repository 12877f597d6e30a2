// Micro-kernels, each named for the pattern of its accesses to memory. Each is launched once, so
// that what the emulator counts for it can be compared with a GPU's own counters, kernel by kernel.
//
//   micro_kernels                runs them all
//   micro_kernels NAME...        runs those
//   micro_kernels --list         lists them
//
// A line a kernel shows a checksum of its results: the same on every device.

#include <cuda_runtime.h>

#include <vector>

#include "kernels/arrays.cuh"
#include "kernels/atomics.cuh"
#include "kernels/blocks.cuh"
#include "kernels/branches.cuh"
#include "kernels/elements.cuh"
#include "kernels/loops.cuh"
#include "kernels/natural.cuh"
#include "kernels/program.cuh"
#include "kernels/shared.cuh"
#include "kernels/shared_algorithms.cuh"
#include "kernels/shared_elements.cuh"
#include "kernels/strides.cuh"
#include "kernels/structures.cuh"

using counters::Table;

namespace {

Table all_kernels() {
  Table all;
  for (const Table& table :
       {stride_kernels(), element_kernels(), structure_kernels(), branch_kernels(), loop_kernels(),
        block_kernels(), shared_kernels(), shared_element_kernels(), shared_algorithm_kernels(),
        atomic_kernels(), natural_kernels()}) {
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

void set_coefficients() {
  const std::vector<float> constants = {3, -1, 2, 1, -2, 4, 5, -3, 1, 2, 3, -4, 2, 1, -1, 6};
  COUNTERS_CHECK(cudaMemcpyToSymbol(coefficients, constants.data(), sizeof coefficients));
}

}  // namespace

int main(int argc, char** argv) {
  return counters::run_program("micro_kernels", all_kernels(), counters::out_bytes, argc, argv,
                               set_coefficients);
}
