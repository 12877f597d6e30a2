/// @file
/// What the program of every chapter that multiplies matrices must do, whatever its kernels.
#pragma once

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

namespace course::testing {

/// Extents of C = A B: C is m x n, and k terms make each of its elements.
struct GemmShape {
  int m;
  int n;
  int k;
};

std::vector<std::string> gemm_arguments(GemmShape shape, const std::vector<std::string>& more);

/// Extents around warps and tiles, in combinations: every pair of two of them occurs as (m, n), as
/// (m, k) and as (n, k).
std::vector<GemmShape> mixed_gemm_shapes();

/// Runs the program with one shape: it must report these kernels, in this order, all verified.
ProgramRun check_gemm_shape(const std::string& program, GemmShape shape,
                            const std::vector<std::string>& kernels,
                            const std::vector<std::string>& more = {});

void check_gemm_shapes(const std::string& program, const std::vector<std::string>& kernels,
                       const std::vector<std::string>& more = {});

/// What cannot be done is refused in one line, with status 2, and before anything is allocated.
void check_gemm_refusals(const std::string& program);

}  // namespace course::testing
