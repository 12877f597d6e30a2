// Chapter 20: C = A B, past cuBLAS. Chapter 19 ended with a thread that has 8 x 8 sums; all its
// other work now moves to other warps, or to another time:
//
//   2 to 5 stages      tiles are copied asynchronously, into this many stages
//   register prefetch  the next step's numbers are read while this step's are multiplied
//   8 x 16             and a thread has 128 sums
//   producer warps     four warps only copy, the others only multiply
//   stream-k           what fills no whole round of the GPU is divided by steps, not by tiles
//   packed             A is transposed first: then one instruction copies a tile of it
//   small blocks       several per multiprocessor, for small and thin products
//   ours               the function that chooses among them
//   Strassen           one level of it: fewer operations, not faster ones
//
// The parts are in tiles.hpp, sums.hpp, epilogue.hpp, producer_warps.hpp, pack.hpp, early.hpp,
// many.hpp, thin.hpp, costs.hpp, best_sgemm.hpp and strassen.hpp.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson gemm_pipeline.cu -o gemm_pipeline
//   -lcublas

#include "best_sgemm.hpp"
#include "course.hpp"
#include "cublas.hpp"
#include "sampled_rows.hpp"
#include "strassen.hpp"
#include "sums.hpp"
#include "tiles.hpp"

using ours::Algorithm;
using ours::Decomposition;
using ours::Plan;
using ours::Product;
using ours::Sums;
using ours::Tile;

// ---------------------------------------------------------------- every thread copies

// One tile of C per block. While a stage is multiplied, the copies of the next ones are in flight.
// `floats`: of B, per copy.
template <class T, int floats>
__global__ void __launch_bounds__(T::threads, 2)
    gemm_stages(const Product g, const Plan plan, const bool wide) {
  extern __shared__ float4 shared[];
  float* stages = reinterpret_cast<float*>(shared);
  const std::uint32_t first_stage = ours::shared_address(stages);
  const int2 place = plan.place_of(blockIdx.x);
  const int row = place.x * T::rows;
  const int col = place.y * T::cols;
  const auto prefetch = [&](int step) {
    if (step < plan.steps) {
      const std::uint32_t stage = first_stage + step % T::stages * T::floats * 4;
      ours::copy_A<T, T::threads>(stage, g, row, step * T::depth, threadIdx.x);
      ours::copy_B<T, T::threads, floats>(stage, g, step * T::depth, col, threadIdx.x);
    }
    __pipeline_commit();  // one batch per step, even if it is empty
  };

  if (floats > 1) ours::clear_columns<T>(stages, g.n - col);
  Sums<T> sums;
  sums.clear();
  for (int step = 0; step < T::stages - 1; ++step) prefetch(step);
  for (int step = 0; step < plan.steps; ++step) {
    __pipeline_wait_prior(T::stages - 2);  // this thread's copies of this step have arrived ...
    __syncthreads();                       // ... all threads', and all have read the previous stage
    prefetch(step + T::stages - 1);        // which receives the copies of a later step
    sums.steps(stages + step % T::stages * T::floats);
  }
  sums.settle(plan.one);
  sums.write(g.C + row * g.ldc + col, g.ldc, g.m - row, g.n - col, wide, g.alpha, g.beta);
}

// ---------------------------------------------------------------- launchers

Product plain(const float* A, const float* B, float* C, int m, int n, int k) {
  return {m, n, k, A, k, B, n, C, n, 1.0F, 0.0F};
}

template <int stages>
void launch_stages(const float* A, const float* B, float* C, int m, int n, int k) {
  using T = Tile<128, 128, 16, 8, 8, stages>;
  ours::launch_tiles<T>(gemm_stages<T, 4>, gemm_stages<T, 1>, plain(A, B, C, m, n, k));
}

template <class T>
void launch_ahead(const float* A, const float* B, float* C, int m, int n, int k) {
  ours::launch_ahead<T>(plain(A, B, C, m, n, k));
}

// One for all launches: it has buffers for partial sums and for packed matrices.
ours::Sgemm& sgemm() {
  static ours::Sgemm only;
  return only;
}

template <Algorithm algorithm, Decomposition decomposition>
void launch_algorithm(const float* A, const float* B, float* C, int m, int n, int k) {
  sgemm().run(algorithm, plain(A, B, C, m, n, k), decomposition);
}

void launch_ours(const float* A, const float* B, float* C, int m, int n, int k) {
  sgemm()(m, n, k, 1.0F, A, k, B, n, 0.0F, C, n);
}

void launch_strassen(const float* A, const float* B, float* C, int m, int n, int k) {
  static ours::Strassen strassen(sgemm());
  strassen(m, n, k, A, k, B, n, C, n);
}

// As in chapter 08: read as column-major, our C is C^T = B^T A^T.
void launch_general_cublas(int m, int n, int k, float alpha, const float* A, std::int64_t lda,
                           const float* B, std::int64_t ldb, float beta, float* C,
                           std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    CUDA_CHECK(cublasCreate(&made));
    CUDA_CHECK(cublasSetMathMode(made, CUBLAS_DEFAULT_MATH));  // plain FP32, as ours: no TF32
    return made;
  }();
  CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B,
                         static_cast<int>(ldb), A, static_cast<int>(lda), &beta, C,
                         static_cast<int>(ldc)));
}

void launch_cublas(const float* A, const float* B, float* C, int m, int n, int k) {
  launch_general_cublas(m, n, k, 1.0F, A, std::max(k, 1), B, n, 0.0F, C, n);
}

using Square = Tile<128, 128, 16, 8, 8, 3>;
using Large = Tile<256, 128, 32, 8, 16, 3>;

const std::vector<course::GemmRung> kernels = {
    {"2 stages", launch_stages<2>},
    {"3 stages", launch_stages<3>},
    {"4 stages", launch_stages<4>},
    {"5 stages", launch_stages<5>},
    {"register prefetch", launch_ahead<Square>},
    {"8 x 16", launch_ahead<Large>},
    {"producer warps", launch_algorithm<Algorithm::large, Decomposition::data_parallel>},
    {"stream-k", launch_algorithm<Algorithm::large, Decomposition::stream_k>},
    {"packed", launch_algorithm<Algorithm::packed, Decomposition::by_model>},
    {"small blocks", launch_algorithm<Algorithm::many, Decomposition::by_model>},
    {"ours", launch_ours},
    {"cuBLAS", launch_cublas}};

// Why the device cannot run a kernel; empty if it can.
std::string missing(const std::string& kernel) {
  const bool hopper = kernel == "producer warps" || kernel == "stream-k" || kernel == "packed";
  if (hopper && !ours::has_bulk_copies()) return "it needs compute capability 9.0";
  const int bytes = kernel == "8 x 16"     ? Large::bytes
                    : kernel == "5 stages" ? Tile<128, 128, 16, 8, 8, 5>::bytes
                    : kernel == "4 stages" ? Tile<128, 128, 16, 8, 8, 4>::bytes
                                           : 0;
  if (bytes > course::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) {
    return "it needs " + std::to_string(bytes) + " bytes of shared memory per block";
  }
  return "";
}

std::vector<course::GemmRung> kernels_here() {
  std::vector<course::GemmRung> here;
  for (const course::GemmRung& kernel : kernels) {
    const std::string why = missing(kernel.name);
    if (why.empty()) {
      here.push_back(kernel);
    } else {
      std::fprintf(stderr, "left out: %s: %s\n", kernel.name.c_str(), why.c_str());
    }
  }
  return here;
}

// Strassen's sums satisfy no bound for each element separately: a small element gets the errors of
// large ones. The bound is on the largest error, relative to the largest sum of magnitudes.
course::Verdict verify_strassen(const std::vector<float>& C, const course::GemmProblem& problem) {
  if (problem.magnitude.empty()) return course::verify(C, problem);
  double error = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < C.size(); ++i) {
    const double off = std::abs(C[i] - problem.reference[i]);
    error = std::max(error, off <= error ? error : off >= 0.0 ? off : HUGE_VAL);  // no NaN passes
    largest = std::max(largest, problem.magnitude[i]);
  }
  const double bound = 16.0 * std::ldexp(1.0, -24) * std::sqrt(problem.k) * largest;
  return {error <= bound, "the largest error is " + std::to_string(error) + ", of at most " +
                              std::to_string(bound)};
}

void verify_and_time_strassen(const course::Options& options, course::Report& report) {
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  const int k = static_cast<int>(options.inner);
  for (const course::Data data : {course::Data::exact, options.data}) {
    const course::GemmProblem problem =
        course::make_gemm(data, options.rows, options.cols, options.inner, options.seed);
    const course::DeviceArray<float> A(problem.A);
    const course::DeviceArray<float> B(problem.B);
    course::DeviceArray<float> C(options.rows * options.cols);
    if (data == course::Data::exact) {
      launch_strassen(A, B, C, m, n, k);
      report.check("Strassen", "exact data", verify_strassen(C.to_host(), problem));
      if (options.data != data) continue;
    }
    const course::Timing timing =
        TIME_EVENTS(options, C.poison(), launch_strassen(A, B, C, m, n, k));
    report.check("Strassen", "timed data", verify_strassen(C.to_host(), problem));
    report.add("Strassen", timing, course::gemm_work(options.rows, options.cols, options.inner));
    break;
  }
}

// The root of the mean square of C's errors, as a part of C's: at 64 rows, against FP64.
double relative_error(const course::SampledRows& rows, const std::vector<float>& C) {
  double off = 0.0;
  double all = 0.0;
  rows.verify(C, [&](const float* got, const double* expected, const double* /*magnitude*/,
                     std::size_t m, std::size_t n) {
    for (std::size_t i = 0; i < m * n; ++i) {
      off += (got[i] - expected[i]) * (got[i] - expected[i]);
      all += expected[i] * expected[i];
    }
    return course::Verdict{true, ""};
  });
  return std::sqrt(off / all);
}

// Strassen's time and errors beside those of `ours`, for square matrices of random numbers.
void note_strassen(const course::Options& options, course::Report& report) {
  report.note(
      "Strassen and ours: milliseconds (median), and errors as parts of C (root of the mean");
  report.note("square) at 64 rows, against FP64:");
  report.note("m, n, k    ours ms  Strassen ms   ours / Strassen   error ours  error Strassen");
  for (const int size :
       course::on_emulator ? std::vector<int>{128} : std::vector<int>{2048, 4096, 8192, 12288}) {
    const std::size_t extent = static_cast<std::size_t>(size);
    course::HostMatrix a(extent * extent);
    course::HostMatrix b(extent * extent);
    fill_matrix(a.data(), extent, extent, course::Layout::row_major,
                course::RandomValues(options.seed));
    fill_matrix(b.data(), extent, extent, course::Layout::row_major,
                course::RandomValues(~options.seed));
    const course::SampledRows rows(a, b, extent, extent, extent);
    const course::DeviceArray<float> A(a);
    const course::DeviceArray<float> B(b);
    course::DeviceArray<float> C(extent * extent);
    course::Options few = options;
    few.repeat = 20;
    const course::Timing ours =
        TIME_EVENTS(few, C.poison(), launch_ours(A, B, C, size, size, size));
    const double error = relative_error(rows, C.to_host());
    const course::Timing strassen =
        TIME_EVENTS(few, C.poison(), launch_strassen(A, B, C, size, size, size));
    const double error_strassen = relative_error(rows, C.to_host());
    char times[64] = "      -            -                 -";  // an emulator's are no GPU's
    if (!course::on_emulator) {
      std::snprintf(times, sizeof times, "%7.3f  %11.3f  %16.3f", ours.median_ms,
                    strassen.median_ms, ours.median_ms / strassen.median_ms);
    }
    char line[120];
    std::snprintf(line, sizeof line, "%7d    %s   %10.2e  %14.2e", size, times, error,
                  error_strassen);
    report.note(line);
  }
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_gemm_options(
      argc, argv, "20_gemm_pipeline", "C = A B, with producer warps and stream-k: past cuBLAS.");
  course::Report report(options, course::CeilingKind::fma);

  course::verify_and_time(options, report, kernels_here());
  verify_and_time_strassen(options, report);
  note_strassen(options, report);

  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
