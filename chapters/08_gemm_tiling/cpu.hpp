// C = A B on the CPU, all matrices row-major: A is m x k, B is k x n, C is m x n.
#pragma once

#include <cstddef>
#include <vector>

#include "launchers.hpp"

void cpu_naive(const float* A, const float* B, float* C, std::size_t m, std::size_t n,
               std::size_t k);
void cpu_reordered(const float* A, const float* B, float* C, std::size_t m, std::size_t n,
                   std::size_t k);
void cpu_columns(const float* A, const float* B, float* C, std::size_t m, std::size_t n,
                 std::size_t k, int threads);

// Whether OpenBLAS is available for comparison: the program was compiled with -DCOURSE_OPENBLAS.
bool has_openblas();
void cpu_openblas(const float* A, const float* B, float* C, std::size_t m, std::size_t n,
                  std::size_t k, int threads);

// All of them; those that can share their work appear a second time with this many threads.
std::vector<course::GemmOnCpu> cpu_products(int threads);
