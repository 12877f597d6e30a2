// Lesson 2: what a handle remembers: where numbers are (pointer mode), whether the order of sums
// may change (atomics mode), the precision of products (math mode), workspace and stream. And the
// logger, which belongs to the program, not to the handle.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tour.hpp"

constexpr int steps = 10;  // dot and axpy, one after the other

// y = y + (x . r) x, several times. With pointers to the host each dot has to come back before axpy
// can be called with it: the host waits `steps` times.
void steps_by_way_of_the_host(cublasHandle_t handle, int n, const float* x, const float* r,
                              float* y) {
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  for (int step = 0; step < steps; ++step) {
    float alpha = 0;
    CUDA_CHECK(cublasSdot(handle, n, x, 1, r, 1, &alpha));
    CUDA_CHECK(cublasSaxpy(handle, n, &alpha, x, 1, y, 1));
  }
}

// With pointers to the device the number stays there, and the host runs ahead. The most common
// mistake: the mode belongs to the handle, so the next call also uses it. Restore it.
void steps_on_the_device(cublasHandle_t handle, int n, const float* x, const float* r, float* y,
                         float* d_alpha) {
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  for (int step = 0; step < steps; ++step) {
    CUDA_CHECK(cublasSdot(handle, n, x, 1, r, 1, d_alpha));
    CUDA_CHECK(cublasSaxpy(handle, n, d_alpha, x, 1, y, 1));
  }
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

inline void pointer_mode(Tour& tour, int n) {
  // Values of 1 and -1: their dot is a whole number of at most n.
  const Vector<float> x = exact_strided<float>(n, 1, 1 << 24, 1);
  const Vector<float> r = exact_strided<float>(n, 1, 1 << 24, 2);
  const Vector<float> y = exact_strided<float>(n, 1, 1 << 24, 3);
  double dot = 0;
  for (int i = 0; i < n; ++i) dot += x[i] * r[i];
  Vector<float> after = y;
  for (int i = 0; i < n; ++i) after[i] = static_cast<float>(y[i] + steps * dot * x[i]);
  const course::DeviceArray<float> d_x(x.elements);
  const course::DeviceArray<float> d_r(r.elements);
  course::DeviceArray<float> d_alpha(1);
  const course::Work work = work_of<float>(5.0 * n * steps, 4.0 * n * steps);
  tour.rung("steps, host pointer", work, y.elements, after.elements,
            [&](float* d_y) { steps_by_way_of_the_host(tour.handle(), n, d_x, d_r, d_y); });
  tour.rung("steps, dev. pointer", work, y.elements, after.elements,
            [&](float* d_y) { steps_on_the_device(tour.handle(), n, d_x, d_r, d_y, d_alpha); });
}

// How many different results, bit for bit, the same call gives in 20 runs. May the library let
// blocks add to y in the order in which they finish? Only a few functions have such a kernel; symv
// is one.
int different_results(cublasHandle_t handle, cublasAtomicsMode_t mode, int n, const float* A,
                      const float* x, course::DeviceArray<float>& y) {
  CUDA_CHECK(cublasSetAtomicsMode(handle, mode));
  std::set<std::vector<float>> results;
  for (int run = 0; run < 20; ++run) {
    y.poison();
    CUDA_CHECK(cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, n, &one, A, n, x, 1, &zero, y, 1));
    results.insert(y.to_host());
  }
  CUDA_CHECK(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_NOT_ALLOWED));
  return static_cast<int>(results.size());
}

inline void atomics_mode(Tour& tour, int n) {
  const std::vector<float> A = course::random_vector(static_cast<size_t>(n) * n, 1);
  const std::vector<float> x = course::random_vector(static_cast<size_t>(n), 2);
  std::vector<double> y(x.size());
  std::vector<double> magnitude(x.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double term = static_cast<double>(A[idx2c(std::max(i, j), std::min(i, j), n)]) * x[j];
      y[i] += term;
      magnitude[i] += std::fabs(term);
    }
  }
  const course::DeviceArray<float> d_A(A);
  const course::DeviceArray<float> d_x(x);
  course::DeviceArray<float> d_y(x.size());
  const auto show = [&](const char* name, cublasAtomicsMode_t mode) {
    const int different = different_results(tour.handle(), mode, n, d_A, d_x, d_y);
    tour.check(name, "random data",
               course::verify_bounded(d_y.to_host().data(), y.data(), magnitude.data(), y.size(), 1,
                                      y.size()));
    tour.note(std::string(name) + ": different results in 20 runs: " + std::to_string(different));
  };
  show("symv, atomics not allowed", CUBLAS_ATOMICS_NOT_ALLOWED);
  show("symv, atomics allowed", CUBLAS_ATOMICS_ALLOWED);
}

// A way to multiply floats, and half a unit in the last place of the type to which the library may
// round them.
struct Precision {
  const char* name;
  cublasMath_t mode;            // the handle's ...
  cublasComputeType_t compute;  // ... and the call's
  double unit;
};
constexpr Precision precisions[] = {
    {"default", CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F, 0x1p-24},
    {"pedantic", CUBLAS_PEDANTIC_MATH, CUBLAS_COMPUTE_32F_PEDANTIC, 0x1p-24},
    {"TF32 by mode", CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_COMPUTE_32F, 0x1p-11},
    {"TF32 by call", CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_FAST_TF32, 0x1p-11},
    {"FP16 by call", CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_FAST_16F, 0x1p-11},
    {"BF16 by call", CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_FAST_16BF, 0x1p-8}};

// C = A B. The most common mistake: a mode left on the handle, with which other code's products
// have only ten bits. A and B stay floats in any mode; the library rounds internally.
void multiply_as(cublasHandle_t handle, const Precision& precision, int m, int n, int k,
                 const float* A, const float* B, float* C) {
  if (m == 0 || n == 0 || k == 0) return;
  CUDA_CHECK(cublasSetMathMode(handle, precision.mode));
  CUDA_CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, A, CUDA_R_32F, m, B,
                          CUDA_R_32F, k, &zero, C, CUDA_R_32F, m, precision.compute,
                          CUBLAS_GEMM_DEFAULT));
  CUDA_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
}

// Random floats have 24 bits, and a mode with fewer loses some. Errors are relative to the sum of
// the absolute terms of an element.
inline void math_mode(Tour& tour, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  const std::vector<float> A = course::random_vector(idx2c(0, k, m), 1);
  const std::vector<float> B = course::random_vector(idx2c(0, n, k), 2);
  std::vector<double> C(idx2c(0, n, m));
  std::vector<double> magnitude(C.size());
  for (int j = 0; j < n; ++j) {
    for (int p = 0; p < k; ++p) {
      const double b = B[idx2c(p, j, k)];
      for (int i = 0; i < m; ++i) {
        const double term = A[idx2c(i, p, m)] * b;
        C[idx2c(i, j, m)] += term;
        magnitude[idx2c(i, j, m)] += std::fabs(term);
      }
    }
  }
  const course::DeviceArray<float> d_A(A);
  const course::DeviceArray<float> d_B(B);
  course::DeviceArray<float> d_C(C.size());
  for (const Precision& precision : precisions) {
    double worst = 0;
    const auto judge = [&] {
      const std::vector<float> got = d_C.to_host();
      for (size_t e = 0; e < C.size(); ++e) {
        const double error = std::fabs(got[e] - C[e]) / magnitude[e];
        worst = error >= 0 ? std::max(worst, error) : INFINITY;  // a NaN is not a small error
      }
      // Two factors, each rounded, in the worst case by truncation; and the additions in float.
      const double allowed = 4 * precision.unit + 2 * k * 0x1p-24;
      char text[128];
      std::snprintf(text, sizeof text, "largest error %.1e, allowed %.1e", worst, allowed);
      return course::Verdict{worst <= allowed, text};
    };
    const std::string name = std::string("gemm, ") + precision.name;
    tour.judged_rung(
        name, {4.0 * m * n, 2.0 * m * n * k}, [&] { d_C.poison(); },
        [&] { multiply_as(tour.handle(), precision, m, n, k, d_A, d_B, d_C); }, judge);
    char text[96];
    std::snprintf(text, sizeof text, "%-20s largest error %.1e of the terms", (name + ":").c_str(),
                  worst);
    tour.note(text);
  }
}

// A workspace of ours for the library, and a stream of ours. The most common mistake: the order.
// cublasSetStream() restores the library's own workspace.
inline void workspace_and_stream(Tour& tour, int m, int n) {
  if (m == 0 || n == 0) return;
  const Matrix<float> A = exact_matrix<float>(m, n, m, n, 1);
  const Vector<float> x = exact_strided<float>(n, 1, n, 2);
  const Vector<float> before(m, 1);
  Vector<float> after(m, 1);
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += A(i, j) * x[j];
    after[i] = static_cast<float>(sum);
  }
  const course::DeviceArray<float> d_A(A.elements);
  const course::DeviceArray<float> d_x(x.elements);
  course::DeviceArray<char> workspace(size_t{4} << 20, course::unset);

  cudaStream_t stream = nullptr;  // neither it nor the default stream waits for the other
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cublasSetStream(handle, stream));
  CUDA_CHECK(cublasSetWorkspace(handle, static_cast<char*>(workspace), workspace.bytes()));
  tour.rung("gemv, own stream", course::sgemv_work(m, n), before.elements, after.elements,
            [&](float* y) {
              CUDA_CHECK(cudaDeviceSynchronize());  // y was written in the default stream
              CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, d_A, m, d_x, 1, &zero, y, 1));
              CUDA_CHECK(cudaStreamSynchronize(stream));  // and is read there
            });
  CUDA_CHECK(cublasDestroy(handle));
  CUDA_CHECK(cudaStreamDestroy(stream));
}

inline std::string log_of_callback;

// The logger reports every call and its arguments, to a file, to stdout or stderr, or to a function
// of ours. It needs no new build: CUBLAS_LOGINFO_DBG=1 CUBLAS_LOGDEST_DBG=stdout in the environment
// do the same.
inline void logger(Tour& tour, int n) {
  if (n == 0) return;
  const std::string file =
      std::filesystem::temp_directory_path() / ("cublas_tour_" + std::to_string(getpid()) + ".log");
  const Vector<float> x = exact_strided<float>(n, 1, 4, 1);
  course::DeviceArray<float> d_x(x.elements);
  const float two = 2;
  log_of_callback.clear();
  CUDA_CHECK(cublasLoggerConfigure(1, 0, 0, file.c_str()));
  CUDA_CHECK(cublasSetLoggerCallback([](const char* text) { log_of_callback += text; }));
  CUDA_CHECK(cublasSscal(tour.handle(), n, &two, d_x, 1));
  CUDA_CHECK(cublasSetLoggerCallback(nullptr));
  CUDA_CHECK(cublasLoggerConfigure(0, 0, 0, nullptr));
  const bool told = log_of_callback.find("cublasSscal") != std::string::npos;
  tour.check("logger", "a call of cublasSscal", {told, "the callback was not told of it"});

  std::ifstream log(file);
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  tour.note(std::string("logger: the callback ") + (told ? "was" : "was not") +
            " told of cublasSscal, the file " +
            (text.find("cublasSscal") != std::string::npos ? "was" : "was not"));
  std::filesystem::remove(file);
}

void settings(Tour& tour, int m, int n, int k) {
  if (m != 0) pointer_mode(tour, m);
  if (m != 0) atomics_mode(tour, m);
  math_mode(tour, m, n, k);
  workspace_and_stream(tour, m, n);
  logger(tour, n);
}
