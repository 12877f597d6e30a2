/// @file
/// What a chapter has measured. A kernel is one line in its chapter's measure.cu; the bench,
/// ./course measure, takes all of them and brings the shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"
#include "launchers.hpp"
#include "verify.hpp"

namespace course {
struct Ceiling;  // in ceiling.hpp, which is for nvcc
struct Options;
}  // namespace course

namespace course::measure {

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
  bool drawn = false;  ///< measured at shapes drawn at random, too
};

/// A SAXPY.
struct SaxpyKernel {
  std::string chapter;
  std::string name;
  SaxpyLauncher launch;
};

/// A product of matrices.
struct GemmKernel {
  std::string chapter;
  std::string name;
  GemmLauncher launch;
  bool large = false;  ///< measured at products that most kernels would take seconds for, too
  bool drawn = false;  ///< measured at shapes drawn at random, too
};

/// C = alpha A B + beta C, row-major; ld: distance from one row to the next, in elements.
using GeneralGemmLauncher =
    std::function<void(int m, int n, int k, float alpha, const float* A, std::int64_t lda,
                       const float* B, std::int64_t ldb, float beta, float* C, std::int64_t ldc)>;

/// A product as BLAS has it, measured at shapes drawn at random.
struct GeneralGemmKernel {
  std::string chapter;
  std::string name;
  GeneralGemmLauncher launch;
  GeneralGemmLauncher library;  ///< what it is compared with
};

/// C = A B, row-major, in BF16: the bits of each number.
using ShortGemmLauncher = std::function<void(const std::uint16_t* A, const std::uint16_t* B,
                                             std::uint16_t* C, int m, int n, int k)>;

/// A product of matrices of BF16, measured at shapes drawn at random.
struct ShortGemmKernel {
  std::string chapter;
  std::string name;
  std::string bound;  ///< the name of a ceiling
  ShortGemmLauncher launch;
  ShortGemmLauncher library;    ///< what it is compared with
  ShortGemmLauncher reference;  ///< whose results are right
};

/// A solver of a problem, and how to see whether it did.
struct Competitor {
  std::string name;
  std::function<void()>
      restore;  ///< untimed, before each launch: outputs poisoned, inputs as they were
  std::function<void()> launch;
  std::function<Verdict()> verify;  ///< what the last launch left
  double bytes = 0;                 ///< that it must move, if not as many as the problem says
};

/// A problem that is like none of the above: a chapter brings its data and its competitors along.
struct Problem {
  std::string chapter;
  std::size_t rows = 0;   ///< elements, or rows of a row-major matrix
  std::size_t cols = 1;   ///< 1: a vector
  double bytes = 0;       ///< that must be moved
  double operations = 0;  ///< that must be done
  std::string bound;      // the name of a ceiling
  double host_bytes = 0;  ///< what make() allocates, at most
  double device_bytes = 0;
  std::string library;  ///< the competitor that all are measured against
  /// Makes the data, which goes when the competitors do.
  std::function<std::vector<Competitor>()> make;
  std::size_t inner = 0;  ///< k of a product of matrices, which is rows x cols; 0: not a product
};

/// Problems of one chapter that are drawn at random; of each only the first competitor that is not
/// the library is measured, with a cold cache.
struct DrawnProblems {
  std::string chapter;
  /// One of them: the same for the same number and seed.
  std::function<Problem(int number, std::uint64_t seed)> draw;
};

/// What bounds problems of one chapter only: tensor cores, say.
struct OwnCeiling {
  std::string chapter;
  std::string name;  ///< as Problem::bound has it
  /// Measures operations, and how long they take.
  std::function<Ceiling(const Options& options)> measure;
};

/// All there is, in the order of the report.
struct Registry {
  std::vector<SgemvKernel> sgemv;
  std::vector<SaxpyKernel> saxpy;
  std::vector<GemmKernel> gemm;
  std::vector<GeneralGemmKernel> general_gemm;
  std::vector<ShortGemmKernel> short_gemm;
  std::vector<OwnCeiling> ceilings;
  std::vector<DrawnProblems> drawn_problems;
  std::vector<Problem> problems;  ///< a chapter's smallest first: --quick takes the first of each

  void add(SgemvKernel kernel) { sgemv.push_back(std::move(kernel)); }
  void add(SaxpyKernel kernel) { saxpy.push_back(std::move(kernel)); }
  void add(GemmKernel kernel) { gemm.push_back(std::move(kernel)); }
  void add(GeneralGemmKernel kernel) { general_gemm.push_back(std::move(kernel)); }
  void add(ShortGemmKernel kernel) { short_gemm.push_back(std::move(kernel)); }
  void add(OwnCeiling ceiling) { ceilings.push_back(std::move(ceiling)); }
  void add(DrawnProblems drawn) { drawn_problems.push_back(std::move(drawn)); }
  void add(Problem problem) { problems.push_back(std::move(problem)); }
};

}  // namespace course::measure
