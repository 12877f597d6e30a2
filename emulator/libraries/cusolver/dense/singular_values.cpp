/// \file
/// Singular values, with all vectors, some of them, or none.

#include "libraries/cusolver/dense/singular_values.hpp"

#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

/// How many vectors are wanted of one side, and where.
struct Vectors {
  std::int64_t count = 0;
  const void* data = nullptr;
  std::int64_t ld = 1;
  std::int64_t distance = 0;  // of those of a batch
  bool adjoint = false;       // V^H
  bool in_place = false;      // of A
};

struct SingularValueProblem {
  std::int64_t m = 0;
  std::int64_t n = 0;
  const void* A = nullptr;
  std::int64_t lda = 1;
  std::int64_t distance = 0;
  const void* S = nullptr;
  std::int64_t values = 0;
  std::int64_t values_distance = 0;
  Vectors u = {};
  Vectors v = {};
  bool has_params = false;
  JacobiParams* params = nullptr;
  std::int64_t count = 1;
  bool is_tall = false;   // it has to be
  bool keeps_a = false;   // A is not written
  int bad_mode = 0;       // the number of the argument that is not a known one
  bool tells = false;     // of refused arguments, by the numbers that they have for gesvd
  std::int64_t most = 0;  // rows and columns, if there is a limit
  bool has_rank = true;   // it is within the matrix

  std::int64_t lesser() const { return std::min(m, n); }
  /// What is also checked before the call.
  void check_kind(Work& work) const {
    work.require(bad_mode == 0, "a mode is not valid", -bad_mode);
    work.size("m", m, -3);
    work.size("n", n, -4);
    work.leading_dimension("lda", lda, m, -6);
    if (u.count > 0 && !u.in_place) work.leading_dimension("ldu", u.ld, m, -9);
    if (v.count > 0 && !v.in_place) {
      work.leading_dimension(v.adjoint ? "ldvt" : "ldv", v.ld, v.adjoint ? v.count : n, -11);
    }
    work.require(!has_params || is_live(params), "params is not live");
    work.size("batchSize", count);
  }
  void check(Work& work) const {
    check_kind(work);
    work.require(!is_tall || m >= n, "m is less than n", 0);
    work.require(most == 0 || (m <= most && n <= most),
                 "m or n is more than " + std::to_string(most));
    work.require(has_rank, "rank is none of the matrix");
  }
  std::int64_t work_length() const { return work_elements(m, n); }
};

template <class T>
Matrix<T> place_of(const SingularValueProblem& p, const Vectors& vectors, std::int64_t rows,
                   std::int64_t i) {
  if (vectors.in_place) {
    return {as<T>(p.A) + i * p.distance, vectors.adjoint ? vectors.count : rows,
            vectors.adjoint ? rows : vectors.count, p.lda};
  }
  T* const data = as<T>(vectors.data) + i * vectors.distance;
  if (vectors.adjoint) return {data, vectors.count, rows, vectors.ld};
  return {data, rows, vectors.count, vectors.ld};
}
template <class T>
void write(const Matrix<T>& vectors, bool adjoint, const Matrix<T>& to) {
  for (std::int64_t j = 0; j < to.columns; ++j) {
    for (std::int64_t i = 0; i < to.rows; ++i) {
      to(i, j) = adjoint ? conjugate(vectors(j, i)) : vectors(i, j);
    }
  }
}

/// \param left  on the host, the norm of what is left of each matrix; may be null
template <class T>
void find(Work& work, const SingularValueProblem& p, WorkMemory space, int* info, double* left) {
  using R = Real<T>;
  const auto a_of = [&](std::int64_t i) {
    return Matrix<T>{as<T>(p.A) + i * p.distance, p.m, p.n, p.lda};
  };
  const auto s_of = [&](std::int64_t i) { return as<R>(p.S) + i * p.values_distance; };
  for (std::int64_t i = 0; i < p.count; ++i) {
    work.reads("A", a_of(i));
    if (!p.keeps_a) work.writes("A", a_of(i));
    work.writes("S", s_of(i), p.values);
    if (p.u.count > 0) work.writes("U", place_of<T>(p, p.u, p.m, i));
    if (p.v.count > 0) work.writes(p.v.adjoint ? "VT" : "V", place_of<T>(p, p.v, p.n, i));
  }
  work.uses(space, p.work_length() * static_cast<std::int64_t>(sizeof(T)));
  work.writes("info", info, p.count);
  std::vector<double> residuals;
  for (std::int64_t i = 0; i < p.count && work.ok(); ++i) {
    SingularValues<T> found(a_of(i), p.u.count, p.v.count);
    if (p.params != nullptr) {
      rotate_singular_values(a_of(i), found, *p.params);
      p.params->was_batch = p.count != 1;
      found.info = p.params->converged ? 0 : static_cast<int>(p.lesser() + 1);
    } else {
      find_singular_values(a_of(i), found);
    }
    if (left != nullptr) {
      // With fewer values than there are, the others are left.
      auto all = static_cast<double>(found.residual(a_of(i)));
      for (auto k = static_cast<std::size_t>(p.values); k < found.values.size(); ++k) {
        all = std::hypot(all, static_cast<double>(found.values[k]));
      }
      residuals.push_back(all);
    }
    std::copy_n(found.values.begin(), p.values, s_of(i));
    if (p.u.count > 0) write<T>(found.u, false, place_of<T>(p, p.u, p.m, i));
    if (p.v.count > 0) write<T>(found.v, p.v.adjoint, place_of<T>(p, p.v, p.n, i));
    info[i] = found.info;
  }
  if (left == nullptr || !work.ok()) return;
  work.host_waits();
  work.end();
  std::copy(residuals.begin(), residuals.end(), left);
}

template <class T>
cusolverStatus_t singular_values(const char* function, const Context* handle,
                                 const SingularValueProblem& p, WorkMemory space, int* info,
                                 double* left = nullptr) {
  const auto check = [=](Work& work) {
    p.check(work);
    work.space(space, p.work_length() * static_cast<std::int64_t>(sizeof(T)));
    if (left != nullptr) work.on_host("the norm of what is left", left);
  };
  const auto body = [=](Work& work) { find<T>(work, p, space, info, left); };
  return left != nullptr ? call_now(function, handle, check, body)
                         : call(function, handle, check, body, p.tells ? info : nullptr);
}
template <class Size>
cusolverStatus_t size_of(const char* function, const Context* handle, const SingularValueProblem& p,
                         Size* size, std::int64_t bytes = 1) {
  return size_call(
      function, handle, [&](Work& work) { p.check_kind(work); }, size, bytes * p.work_length());
}

struct SvdArguments {  // a matrix, and where its values and vectors go
  std::int64_t m, n;
  const void* A;
  std::int64_t lda;
  const void* S;
  const void* U;
  std::int64_t ldu;
  const void* V;
  std::int64_t ldv;
};

// As gesvd takes it, by letters.
SingularValueProblem by_letters(const SvdArguments& g, signed char of_u, signed char of_v) {
  SingularValueProblem p{.m = g.m, .n = g.n, .A = g.A, .lda = g.lda, .S = g.S};
  const auto is_one = [](signed char letter) {
    return letter == 'A' || letter == 'S' || letter == 'O' || letter == 'N';
  };
  const auto count = [&](signed char letter, std::int64_t all) {
    return letter == 'A' ? all : letter == 'N' ? 0 : p.lesser();
  };
  p.is_tall = true;
  p.bad_mode = !is_one(of_u) ? 1 : !is_one(of_v) || (of_u == 'O' && of_v == 'O') ? 2 : 0;
  p.values = p.lesser();
  p.u = {count(of_u, g.m), g.U, g.ldu, 0, false, of_u == 'O'};
  p.v = {count(of_v, g.n), g.V, g.ldv, 0, true, of_v == 'O'};
  return p;
}

bool is_mode(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR;
}
// As gesvdj takes it.
SingularValueProblem by_mode(const SvdArguments& g, cusolverEigMode_t mode, bool econ) {
  SingularValueProblem p{.m = g.m, .n = g.n, .A = g.A, .lda = g.lda, .S = g.S};
  p.bad_mode = is_mode(mode) ? 0 : 1;
  p.values = p.lesser();
  if (mode == CUSOLVER_EIG_MODE_VECTOR) {
    p.u = {.count = econ ? p.lesser() : g.m, .data = g.U, .ld = g.ldu};
    p.v = {.count = econ ? p.lesser() : g.n, .data = g.V, .ld = g.ldv};
  }
  return p;
}
SingularValueProblem telling(SingularValueProblem p) {
  p.tells = true;
  return p;
}
SingularValueProblem with_params(SingularValueProblem p, JacobiParams* params) {
  p.has_params = true;
  p.params = params;
  return p;
}
SingularValueProblem in_batch(SingularValueProblem p, std::int64_t count) {
  p.count = count;
  p.most = 32;
  p.distance = p.lda * p.n;
  p.values_distance = p.lesser();
  p.u.distance = p.u.ld * p.m;
  p.v.distance = p.v.ld * p.n;
  return p;
}
// The first singular values only.
SingularValueProblem of_rank(SingularValueProblem p, std::int64_t rank) {
  p.has_rank = rank >= 0 && rank <= std::max<std::int64_t>(p.lesser(), 0);
  p.values = rank;
  if (p.u.count > 0) p.u.count = rank;
  if (p.v.count > 0) p.v.count = rank;
  return p;
}
SingularValueProblem with_strides(SingularValueProblem p, std::int64_t rank, std::int64_t count,
                                  std::int64_t a, std::int64_t s, std::int64_t u, std::int64_t v) {
  p = of_rank(p, rank);
  p.is_tall = true;
  p.keeps_a = true;
  p.count = count;
  p.distance = a;
  p.values_distance = s;
  p.u.distance = u;
  p.v.distance = v;
  return p;
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

CUSOLVER_ALL(gesvd_bufferSize, EMULATOR_CUSOLVER_GESVD_BUFFER_SIZE,
             size_call(
                 __func__, handle, [](Work&) {}, lwork, work_elements(m, n)))
#define GIVEN (SvdArguments{m, n, A, lda, S, U, ldu, V, ldv})
CUSOLVER_ALL(gesvd, EMULATOR_CUSOLVER_GESVD,
             singular_values<T>(__func__, handle,
                                telling(by_letters({m, n, A, lda, S, U, ldu, VT, ldvt}, jobu,
                                                   jobvt)),
                                space_of<T>(work, lwork), info))
CUSOLVER_ALL(gesvdj_bufferSize, EMULATOR_CUSOLVER_GESVDJ_BUFFER_SIZE,
             size_of(__func__, handle, with_params(by_mode(GIVEN, jobz, econ != 0), params), lwork))
CUSOLVER_ALL(gesvdj, EMULATOR_CUSOLVER_GESVDJ,
             singular_values<T>(__func__, handle,
                                with_params(by_mode(GIVEN, jobz, econ != 0), params),
                                space_of<T>(work, lwork), info))
CUSOLVER_ALL(gesvdjBatched_bufferSize, EMULATOR_CUSOLVER_GESVDJ_BATCHED_BUFFER_SIZE,
             size_of(__func__, handle,
                     in_batch(with_params(by_mode(GIVEN, jobz, false), params), batchSize), lwork))
CUSOLVER_ALL(gesvdjBatched, EMULATOR_CUSOLVER_GESVDJ_BATCHED,
             singular_values<T>(__func__, handle,
                                in_batch(with_params(by_mode(GIVEN, jobz, false), params),
                                         batchSize),
                                space_of<T>(work, lwork), info))
#define STRIDED                                                                                  \
  (with_strides(by_mode({m, n, d_A, lda, d_S, d_U, ldu, d_V, ldv}, jobz, true), rank, batchSize, \
                strideA, strideS, strideU, strideV))
CUSOLVER_ALL(gesvdaStridedBatched_bufferSize, EMULATOR_CUSOLVER_GESVDA_STRIDED_BATCHED_BUFFER_SIZE,
             size_of(__func__, handle, STRIDED, lwork))
CUSOLVER_ALL(gesvdaStridedBatched, EMULATOR_CUSOLVER_GESVDA_STRIDED_BATCHED,
             singular_values<T>(__func__, handle, STRIDED, space_of<T>(d_work, lwork), d_info,
                                h_R_nrmF))

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobvt,
    std::int64_t m, std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda,
    cudaDataType, const void* S, cudaDataType, const void* U, std::int64_t ldu, cudaDataType,
    const void* VT, std::int64_t ldvt, cudaDataType computeType,
    std::size_t* workspaceInBytesOnDevice, std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle, by_letters({m, n, A, lda, S, U, ldu, VT, ldvt}, jobu, jobvt),
                   workspaceInBytesOnDevice, sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                  signed char jobvt, std::int64_t m, std::int64_t n,
                                  cudaDataType dataTypeA, void* A, std::int64_t lda, cudaDataType,
                                  void* S, cudaDataType, void* U, std::int64_t ldu, cudaDataType,
                                  void* VT, std::int64_t ldvt, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice, void*,
                                  std::size_t, int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return singular_values<decltype(zero)>(
        function, handle, by_letters({m, n, A, lda, S, U, ldu, VT, ldvt}, jobu, jobvt),
        bytes_at(bufferOnDevice, workspaceInBytesOnDevice), info);
  });
}
cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, int econ, std::int64_t m,
    std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda, cudaDataType,
    const void* S, cudaDataType, const void* U, std::int64_t ldu, cudaDataType, const void* V,
    std::int64_t ldv, cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle, by_mode(GIVEN, jobz, econ != 0), workspaceInBytesOnDevice,
                   sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t,
                                   cusolverEigMode_t jobz, int econ, std::int64_t m, std::int64_t n,
                                   cudaDataType dataTypeA, void* A, std::int64_t lda, cudaDataType,
                                   void* S, cudaDataType, void* U, std::int64_t ldu, cudaDataType,
                                   void* V, std::int64_t ldv, cudaDataType computeType,
                                   void* bufferOnDevice, std::size_t workspaceInBytesOnDevice,
                                   void*, std::size_t, int* d_info, double* h_err_sigma) {
  if (h_err_sigma != nullptr) *h_err_sigma = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return singular_values<decltype(zero)>(function, handle, by_mode(GIVEN, jobz, econ != 0),
                                           bytes_at(bufferOnDevice, workspaceInBytesOnDevice),
                                           d_info);
  });
}
// Computed, where a GPU estimates by random vectors.
static SingularValueProblem by_random(const SvdArguments& g, signed char of_u, signed char of_v,
                                      std::int64_t k) {
  SingularValueProblem p = by_mode(g, CUSOLVER_EIG_MODE_VECTOR, true);
  p.bad_mode = of_u != 'S' && of_u != 'N' ? 1 : of_v != 'S' && of_v != 'N' ? 2 : 0;
  p = of_rank(p, k);
  if (of_u == 'N') p.u = {};
  if (of_v == 'N') p.v = {};
  return p;
}
cusolverStatus_t cusolverDnXgesvdr_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobv,
    std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t, std::int64_t,
    cudaDataType dataTypeA, const void* A, std::int64_t lda, cudaDataType, const void* Srand,
    cudaDataType, const void* Urand, std::int64_t ldUrand, cudaDataType, const void* Vrand,
    std::int64_t ldVrand, cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle,
                   by_random({m, n, A, lda, Srand, Urand, ldUrand, Vrand, ldVrand}, jobu, jobv, k),
                   workspaceInBytesOnDevice, sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                   signed char jobv, std::int64_t m, std::int64_t n, std::int64_t k,
                                   std::int64_t, std::int64_t, cudaDataType dataTypeA, void* A,
                                   std::int64_t lda, cudaDataType, void* Srand, cudaDataType,
                                   void* Urand, std::int64_t ldUrand, cudaDataType, void* Vrand,
                                   std::int64_t ldVrand, cudaDataType computeType,
                                   void* bufferOnDevice, std::size_t workspaceInBytesOnDevice,
                                   void*, std::size_t, int* d_info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return singular_values<decltype(zero)>(
        function, handle,
        by_random({m, n, A, lda, Srand, Urand, ldUrand, Vrand, ldVrand}, jobu, jobv, k),
        bytes_at(bufferOnDevice, workspaceInBytesOnDevice), d_info);
  });
}
