/// @file
/// What the bench measures: every chapter's kernels, and the shapes. A kernel is one line in
/// chapter_NN.cu, a shape one line in shapes.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"

namespace course::measure {

/// y = A x with A of m x n floats, everything on the device.
using SgemvLauncher = std::function<void(const float* A, const float* x, float* y, int m, int n)>;
/// y = a x + y with n elements, everything on the device.
using SaxpyLauncher = std::function<void(std::size_t n, float a, const float* x, float* y)>;

/// A matrix-vector product.
struct SgemvKernel {
  std::string chapter;  ///< "06_unroll"
  std::string name;     ///< as the chapter's own report has it: "float4"
  Layout layout;        ///< of A
  SgemvLauncher launch;
  /// What is on its way at most, in bytes, by the kernel's design; empty if nobody has counted.
  std::function<double(int m, int n)> bytes_in_flight = {};
};

/// A SAXPY.
struct SaxpyKernel {
  std::string chapter;
  std::string name;
  SaxpyLauncher launch;
};

/// All there is, in the order of the report.
struct Registry {
  std::vector<SgemvKernel> sgemv;
  std::vector<SaxpyKernel> saxpy;

  void add(SgemvKernel kernel) { sgemv.push_back(std::move(kernel)); }
  void add(SaxpyKernel kernel) { saxpy.push_back(std::move(kernel)); }
};

/// Extent of a matrix.
struct MatrixShape {
  int rows;
  int cols;
  bool whole_ladder = false;  ///< or chapter 07's kernels only: the best, and the library
};

// The first of each kind is all that --quick measures.
std::vector<MatrixShape> matrix_shapes();
std::vector<std::size_t> vector_sizes();

// One function a chapter, in chapter_NN.cu.
void add_chapter_00(Registry& registry);
void add_chapter_01(Registry& registry);
void add_chapter_02(Registry& registry);
void add_chapter_03(Registry& registry);
void add_chapter_04(Registry& registry);
void add_chapter_05(Registry& registry);
void add_chapter_06(Registry& registry);
void add_chapter_07(Registry& registry);

/// Every chapter's kernels.
Registry all_kernels();

}  // namespace course::measure
