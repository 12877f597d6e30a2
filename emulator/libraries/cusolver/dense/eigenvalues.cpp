/// \file
/// Eigenvalues of symmetric and Hermitian matrices, of pairs of them, and of many.

#include "libraries/cusolver/dense/eigenvalues.hpp"

#include "libraries/common/triangles.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

struct Range {  // which eigenvalues are wanted
  cusolverEigRange_t kind = CUSOLVER_EIG_RANGE_ALL;
  double low = 0;
  double high = 0;
  std::int64_t first = 1;
  std::int64_t last = 0;

  void check(Work& work, std::int64_t n) const {
    work.require(kind == CUSOLVER_EIG_RANGE_ALL || kind == CUSOLVER_EIG_RANGE_I ||
                     kind == CUSOLVER_EIG_RANGE_V,
                 "range is not valid");
    work.require(kind != CUSOLVER_EIG_RANGE_V || low < high, "vl is not below vu");
    work.require(kind != CUSOLVER_EIG_RANGE_I || (first >= 1 && first <= last && last <= n),
                 "il and iu are not numbers of eigenvalues");
  }
};

/// A problem, with B or without, by LAPACK or by Jacobi's rotations.
struct Eigenproblem {
  cusolverEigType_t type = CUSOLVER_EIG_TYPE_1;
  cusolverEigMode_t mode = CUSOLVER_EIG_MODE_NOVECTOR;
  cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
  std::int64_t n = 0;
  const void* A = nullptr;
  std::int64_t lda = 0;
  bool has_b = false;
  const void* B = nullptr;
  std::int64_t ldb = 0;
  const void* W = nullptr;
  Range range = {};
  bool has_params = false;
  JacobiParams* params = nullptr;
  std::int64_t count = 1;  // of matrices that follow each other

  bool is_upper() const { return uplo == CUBLAS_FILL_MODE_UPPER; }
  bool with_vectors() const { return mode == CUSOLVER_EIG_MODE_VECTOR; }
  /// What is also checked before the call.
  void check_kind(Work& work) const {
    work.require(!has_b || (type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3),
                 "itype is not valid");
    work.eigen_mode(mode);
    work.fill_mode(uplo);
    work.size("n", n);
    work.size("batchSize", count);
  }
  void check(Work& work) const {
    check_kind(work);
    work.leading_dimension("lda", lda, n);
    if (has_b) work.leading_dimension("ldb", ldb, n);
    range.check(work, n);
    work.require(!has_params || is_live(params), "params is not live");
  }
};

/// Solves A x = w x. \return info
template <class T>
int solve_one(const Eigenproblem& p, const Matrix<T>& a, std::vector<Real<T>>& values) {
  if (p.params == nullptr) return find_eigenvalues(p.is_upper(), a, values, p.with_vectors());
  complete(p.is_upper(), a);
  rotate_eigenvalues(a, values, p.with_vectors(), *p.params);
  return p.params->converged ? 0 : static_cast<int>(p.n + 1);
}

/// The same with B, by its factor: B = F F^H, where F is L or U^H. What takes A's place is
/// F^-1 A F^-H for the first type, F^H A F for the others.
template <class T>
int solve_pair(const Eigenproblem& p, const Matrix<T>& a, const Matrix<T>& b,
               std::vector<Real<T>>& values) {
  const bool upper = p.is_upper();
  if (const int order = cholesky(upper, b); order != 0) return static_cast<int>(p.n) + order;
  lapack::run(lapack::sygst<T>, static_cast<int>(p.type), triangle_letter(upper), p.n, a.data, a.ld,
              b.data, b.ld);
  const int info = solve_one(p, a, values);
  if (!p.with_vectors() || p.n == 0) return info;
  if (p.type != CUSOLVER_EIG_TYPE_3) {
    solve_triangle(upper, upper ? 'N' : 'C', false, b, a);
    return info;
  }
  const Triangle<const T> f{b.data, p.n, upper, Storage::full, b.ld, p.n - 1};
  for (std::int64_t j = 0; j < p.n; ++j) {
    multiply_by_triangle(f, {upper, upper, false}, Line<T>{a.column(j), p.n});
  }
  return info;
}

/// The eigenvalues of a range come first. \return how many they are
template <class T>
std::int64_t choose(const Eigenproblem& p, const Matrix<T>& a, std::vector<Real<T>>& values) {
  std::int64_t first = 0;
  std::int64_t last = p.n;
  if (p.range.kind == CUSOLVER_EIG_RANGE_I) {
    first = p.range.first - 1;
    last = p.range.last;
  } else if (p.range.kind == CUSOLVER_EIG_RANGE_V) {
    const auto at = [&](double bound) {
      return std::upper_bound(values.begin(), values.end(), static_cast<Real<T>>(bound)) -
             values.begin();
    };
    first = at(p.range.low);
    last = at(p.range.high);
  }
  for (std::int64_t j = first; j < last && first > 0; ++j) {
    values[static_cast<std::size_t>(j - first)] = values[static_cast<std::size_t>(j)];
    if (p.with_vectors()) std::copy_n(a.column(j), p.n, a.column(j - first));
  }
  return last - first;
}

/// \param found  on the host, null if nobody asks
template <class T, class Count>
void find(Work& work, const Eigenproblem& p, Count* found, WorkMemory space, int* info) {
  using R = Real<T>;
  const std::int64_t bytes = work_bytes<T>(p.n);
  for (std::int64_t k = 0; k < p.count; ++k) {
    const Matrix<T> a = square_at<T>(as<T>(p.A) + k * p.lda * p.n, p.n, p.lda);
    work.reads("A", a, p.uplo);
    work.writes("A", a);
  }
  const Matrix<T> b = square_at<T>(p.B, p.has_b ? p.n : 0, p.ldb);
  if (p.has_b) work.changes("B", b, p.uplo);
  R* const w = as<R>(p.W);
  work.writes("W", w, p.n * p.count);
  work.uses(space, bytes);
  work.writes("info", info, p.count);
  std::int64_t chosen = 0;
  for (std::int64_t k = 0; k < p.count && work.ok(); ++k) {
    const Local<T> a(square_at<T>(as<T>(p.A) + k * p.lda * p.n, p.n, p.lda));
    std::vector<R> values;
    info[k] = p.has_b ? solve_pair<T>(p, a, Local<T>(b), values) : solve_one<T>(p, a, values);
    if (static_cast<std::int64_t>(values.size()) == p.n) chosen = choose<T>(p, a, values);
    std::copy(values.begin(), values.end(), w + k * p.n);
  }
  if (p.params != nullptr) p.params->was_batch = p.count != 1;
  if (found == nullptr || !work.ok()) return;
  work.host_waits();
  work.end();
  *found = static_cast<Count>(chosen);
}

template <class T, class Count = int>
cusolverStatus_t eigenvalues(const char* function, const Context* handle, const Eigenproblem& p,
                             WorkMemory space, int* info, Count* found = nullptr) {
  const auto check = [=](Work& work) {
    p.check(work);
    if (found != nullptr) work.on_host("meig", found);
    work.space(space, work_bytes<T>(p.n));
  };
  const auto body = [=](Work& work) { find<T>(work, p, found, space, info); };
  return found != nullptr ? call_now(function, handle, check, body)
                          : call(function, handle, check, body);
}
template <class T, class Count>
cusolverStatus_t eigenvalues_of_range(const char* function, const Context* handle,
                                      const Eigenproblem& p, WorkMemory space, int* info,
                                      Count* found) {
  if (found != nullptr) return eigenvalues<T>(function, handle, p, space, info, found);
  Work work(function, handle);
  work.on_host("meig", found);
  return work.status();
}
template <class Size>
cusolverStatus_t size_of(const char* function, const Context* handle, const Eigenproblem& p,
                         Size* size, std::int64_t bytes = 1) {
  return size_call(
      function, handle,
      [&](Work& work) {
        p.check_kind(work);
        work.require(p.params == nullptr || is_live(p.params), "params is not live");
      },
      size, bytes * work_elements(p.n));
}

double number_at(cudaDataType type, const void* pointer) {
  if (pointer == nullptr) return 0;
  const bool is_float = type == CUDA_R_32F || type == CUDA_C_32F;
  return is_float ? static_cast<double>(*static_cast<const float*>(pointer))
                  : *static_cast<const double*>(pointer);
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

#define WORK (space_of<T>(work, lwork))
#define RANGE (Range{range, vl, vu, il, iu})
#define BOTH(real, complex, PARAMETERS, ...)                                 \
  CUSOLVER_REAL(real##_bufferSize, PARAMETERS##_BUFFER_SIZE,                 \
                size_of(__func__, handle, Eigenproblem{__VA_ARGS__}, lwork)) \
  CUSOLVER_COMPLEX(complex##_bufferSize, PARAMETERS##_BUFFER_SIZE,           \
                   size_of(__func__, handle, Eigenproblem{__VA_ARGS__}, lwork))
#define ALONE .mode = jobz, .uplo = uplo, .n = n, .A = A, .lda = lda, .W = W
#define PAIR                                                                                    \
  .type = itype, .mode = jobz, .uplo = uplo, .n = n, .A = A, .lda = lda, .has_b = true, .B = B, \
  .ldb = ldb, .W = W
#define FIND (eigenvalues<T>(__func__, handle, PROBLEM, WORK, info))
#define FIND_RANGE (eigenvalues_of_range<T>(__func__, handle, PROBLEM, WORK, info, meig))
// clang-format off
BOTH(syevd, heevd, EMULATOR_CUSOLVER_SYEVD, ALONE)
BOTH(syevdx, heevdx, EMULATOR_CUSOLVER_SYEVDX, ALONE, .range = RANGE)
BOTH(sygvd, hegvd, EMULATOR_CUSOLVER_SYGVD, PAIR)
BOTH(sygvdx, hegvdx, EMULATOR_CUSOLVER_SYGVDX, PAIR, .range = RANGE)
BOTH(syevj, heevj, EMULATOR_CUSOLVER_SYEVJ, ALONE, .has_params = true, .params = params)
BOTH(syevjBatched, heevjBatched, EMULATOR_CUSOLVER_SYEVJ_BATCHED, ALONE, .has_params = true, .params = params, .count = batchSize)
BOTH(sygvj, hegvj, EMULATOR_CUSOLVER_SYGVJ, PAIR, .has_params = true, .params = params)
#define PROBLEM Eigenproblem{ALONE}
CUSOLVER_REAL(syevd, EMULATOR_CUSOLVER_SYEVD, FIND)
CUSOLVER_COMPLEX(heevd, EMULATOR_CUSOLVER_SYEVD, FIND)
#undef PROBLEM
#define PROBLEM Eigenproblem{ALONE, .range = RANGE}
CUSOLVER_REAL(syevdx, EMULATOR_CUSOLVER_SYEVDX, FIND_RANGE)
CUSOLVER_COMPLEX(heevdx, EMULATOR_CUSOLVER_SYEVDX, FIND_RANGE)
#undef PROBLEM
#define PROBLEM Eigenproblem{PAIR}
CUSOLVER_REAL(sygvd, EMULATOR_CUSOLVER_SYGVD, FIND)
CUSOLVER_COMPLEX(hegvd, EMULATOR_CUSOLVER_SYGVD, FIND)
#undef PROBLEM
#define PROBLEM Eigenproblem{PAIR, .range = RANGE}
CUSOLVER_REAL(sygvdx, EMULATOR_CUSOLVER_SYGVDX, FIND_RANGE)
CUSOLVER_COMPLEX(hegvdx, EMULATOR_CUSOLVER_SYGVDX, FIND_RANGE)
#undef PROBLEM
#define PROBLEM Eigenproblem{ALONE, .has_params = true, .params = params}
CUSOLVER_REAL(syevj, EMULATOR_CUSOLVER_SYEVJ, FIND)
CUSOLVER_COMPLEX(heevj, EMULATOR_CUSOLVER_SYEVJ, FIND)
#undef PROBLEM
#define PROBLEM Eigenproblem{ALONE, .has_params = true, .params = params, .count = batchSize}
CUSOLVER_REAL(syevjBatched, EMULATOR_CUSOLVER_SYEVJ_BATCHED, FIND)
CUSOLVER_COMPLEX(heevjBatched, EMULATOR_CUSOLVER_SYEVJ_BATCHED, FIND)
#undef PROBLEM
#define PROBLEM Eigenproblem{PAIR, .has_params = true, .params = params}
CUSOLVER_REAL(sygvj, EMULATOR_CUSOLVER_SYGVJ, FIND)
CUSOLVER_COMPLEX(hegvj, EMULATOR_CUSOLVER_SYGVJ, FIND)
#undef PROBLEM
// clang-format on

#define PROBLEM_OF_ANY(...)                                                     \
  Eigenproblem {                                                                \
    .mode = jobz, .uplo = uplo, .n = n, .A = A, .lda = lda, .W = W, __VA_ARGS__ \
  }
#define RANGE_OF_ANY .range = {range, number_at(dataTypeA, vl), number_at(dataTypeA, vu), il, iu}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             std::int64_t n, cudaDataType dataTypeA, const void* A,
                                             std::int64_t lda, cudaDataType, const void* W,
                                             cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle, PROBLEM_OF_ANY(.count = 1), workspaceInBytesOnDevice,
                   sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, std::int64_t n,
                                  cudaDataType dataTypeA, void* A, std::int64_t lda, cudaDataType,
                                  void* W, cudaDataType computeType, void* bufferOnDevice,
                                  std::size_t workspaceInBytesOnDevice, void*, std::size_t,
                                  int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return eigenvalues<decltype(zero)>(function, handle, PROBLEM_OF_ANY(.count = 1),
                                       bytes_at(bufferOnDevice, workspaceInBytesOnDevice), info);
  });
}
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, cublasFillMode_t uplo,
    std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda, cudaDataType,
    const void* W, cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost, std::int64_t batchSize) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle, PROBLEM_OF_ANY(.count = batchSize), workspaceInBytesOnDevice,
                   sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                        std::int64_t n, cudaDataType dataTypeA, void* A,
                                        std::int64_t lda, cudaDataType, void* W,
                                        cudaDataType computeType, void* bufferOnDevice,
                                        std::size_t workspaceInBytesOnDevice, void*, std::size_t,
                                        int* info, std::int64_t batchSize) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return eigenvalues<decltype(zero)>(function, handle, PROBLEM_OF_ANY(.count = batchSize),
                                       bytes_at(bufferOnDevice, workspaceInBytesOnDevice), info);
  });
}
cusolverStatus_t cusolverDnXsyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, cusolverEigRange_t range,
    cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda,
    void* vl, void* vu, std::int64_t il, std::int64_t iu, std::int64_t*, cudaDataType,
    const void* W, cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle, PROBLEM_OF_ANY(RANGE_OF_ANY), workspaceInBytesOnDevice,
                   sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA,
                                   void* A, std::int64_t lda, void* vl, void* vu, std::int64_t il,
                                   std::int64_t iu, std::int64_t* meig64, cudaDataType, void* W,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   std::size_t workspaceInBytesOnDevice, void*, std::size_t,
                                   int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return eigenvalues_of_range<decltype(zero)>(function, handle, PROBLEM_OF_ANY(RANGE_OF_ANY),
                                                bytes_at(bufferOnDevice, workspaceInBytesOnDevice),
                                                info, meig64);
  });
}
