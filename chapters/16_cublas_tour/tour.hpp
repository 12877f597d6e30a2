// What all lessons of the tour share: matrices and vectors in the library's layout, numbers whose
// sums are exact, and code that runs a rung, compares it with our reference and reports it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "course.hpp"
#include "cublas.hpp"

// The index of element (i, j) of a column-major matrix whose columns begin ld elements apart. In
// NVIDIA's examples it is the macro IDX2C. The row comes first: swapped, it is another matrix.
constexpr size_t idx2c(int i, int j, int ld) {
  return static_cast<size_t>(j) * ld + i;
}

const float one = 1.0F;
const float zero = 0.0F;

// Fills the gaps between columns and elements: no call may change it ...
constexpr float gap = 77.0F;
// ... and fills what no call may even read: the NaN would show in the result at once.
inline const float forbidden = std::nanf("");

// A column-major matrix in the host's memory.
template <class T>
struct Matrix {
  Matrix(int m, int n, int ld_) : rows(m), cols(n), ld(ld_), elements(idx2c(0, n, ld_), T(gap)) {}

  T& operator()(int i, int j) { return elements[idx2c(i, j, ld)]; }
  const T& operator()(int i, int j) const { return elements[idx2c(i, j, ld)]; }

  int rows;
  int cols;
  int ld;
  std::vector<T> elements;
};

// n numbers on the host, a stride apart. With a negative stride BLAS counts from the end: element 0
// is the last in memory.
template <class T>
struct Vector {
  Vector(int n_, int stride_)
      : n(n_), stride(stride_), elements(n_ == 0 ? 0 : (n_ - 1) * std::abs(stride_) + 1, T(gap)) {}

  T& operator[](int i) { return elements[place(i)]; }
  const T& operator[](int i) const { return elements[place(i)]; }
  size_t place(int i) const {
    const int at = stride < 0 ? (i - (n - 1)) * stride : i * stride;
    return static_cast<size_t>(at);
  }

  int n;
  int stride;
  std::vector<T> elements;
};

// Small whole numbers, so that sums of `terms` products are exact in every order.
template <class T>
Matrix<T> exact_matrix(int m, int n, int ld, int terms, int seed) {
  Matrix<T> A(m, n, ld);
  const course::ExactValues values(static_cast<size_t>(terms), static_cast<size_t>(seed));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) A(i, j) = static_cast<T>(values(i, j));
  }
  return A;
}

template <class T>
Vector<T> exact_strided(int n, int stride, int terms, int seed) {
  Vector<T> x(n, stride);
  const course::ExactValues values(static_cast<size_t>(terms), static_cast<size_t>(seed));
  for (int i = 0; i < n; ++i) x[i] = static_cast<T>(values(i));
  return x;
}

// NaNs are unequal, even to themselves; their bits may be equal.
inline bool same_bits(const void* a, const void* b, size_t bytes) {
  return std::memcmp(a, b, bytes) == 0;
}

// Bit for bit, the gaps as well; only the sign of a zero may differ.
template <class T>
course::Verdict same_elements(const std::vector<T>& got, const std::vector<T>& expected) {
  size_t wrong = 0;
  std::string first;
  for (size_t k = 0; k < expected.size(); ++k) {
    if (got[k] == expected[k] || same_bits(&got[k], &expected[k], sizeof(T))) continue;
    if (wrong++ == 0) first = ", the first at place " + std::to_string(k) + " in memory";
  }
  return {wrong == 0,
          std::to_string(wrong) + " of " + std::to_string(expected.size()) + " wrong" + first};
}

// The handle of the tour, and its report.
class Tour {
 public:
  Tour(const course::Options& options, course::Report& report)
      : options_(options), report_(report) {
    CUDA_CHECK(cublasCreate(&handle_));
  }
  Tour(const Tour&) = delete;
  Tour& operator=(const Tour&) = delete;
  ~Tour() { CUDA_WARN(cublasDestroy(handle_)); }

  cublasHandle_t handle() const { return handle_; }
  const course::Options& options() const { return options_; }
  bool all_right() const { return all_right_; }
  void note(const std::string& line) { report_.note(line); }

  void check(const std::string& name, const std::string& data, const course::Verdict& verdict) {
    report_.check(name, data, verdict);
    all_right_ = all_right_ && verdict.passed;
  }

  // A rung whose result is an array on the device; the call gets its address.
  template <class T, class Call>
  void rung(const std::string& name, const course::Work& work, const std::vector<T>& before,
            const std::vector<T>& expected, Call call) {
    course::DeviceArray<T> result(before);
    const course::Timing timing = TIME_EVENTS(options_, result.copy_from(before), call(result));
    check(name, "exact data", same_elements(result.to_host(), expected));
    report_.add(name, timing, work);
  }

  // A rung whose result is one number on the host.
  template <class T, class Call>
  void number_rung(const std::string& name, const course::Work& work, T expected, Call call) {
    T result = static_cast<T>(-123);
    const course::Timing timing =
        TIME_EVENTS(options_, result = static_cast<T>(-123), call(&result));
    check(name, "exact data", same_elements<T>({result}, {expected}));
    report_.add(name, timing, work);
  }

  // A rung with its own check.
  template <class Restore, class Call, class Judge>
  void judged_rung(const std::string& name, const course::Work& work, Restore restore, Call call,
                   Judge judge) {
    const course::Timing timing = TIME_EVENTS(options_, restore(), call());
    check(name, "its data", judge());
    report_.add(name, timing, work);
  }

 private:
  const course::Options& options_;
  course::Report& report_;
  cublasHandle_t handle_ = nullptr;
  bool all_right_ = true;
};

// Bytes moved and operations done, for a report.
template <class T>
course::Work work_of(double elements, double operations) {
  return {elements * sizeof(T), operations};
}
