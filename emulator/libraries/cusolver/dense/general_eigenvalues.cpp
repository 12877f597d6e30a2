/// \file
/// Eigenvalues and eigenvectors of general matrices.

#include "libraries/cusolver/dense/lapack.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

struct GeneralEigenproblem {
  cusolverEigMode_t left;
  cusolverEigMode_t right;
  std::int64_t n;
  cudaDataType type;
  void* A;
  std::int64_t lda;
  cudaDataType type_of_values;
  void* W;
  cudaDataType type_of_left;
  std::int64_t ldvl;
  cudaDataType type_of_right;
  void* VR;
  std::int64_t ldvr;

  bool with_vectors() const { return right == CUSOLVER_EIG_MODE_VECTOR; }
  bool types_fit(cudaDataType compute_type) const {
    const bool values_fit = type_of_values == type ||
                            (type == CUDA_R_32F && type_of_values == CUDA_C_32F) ||
                            (type == CUDA_R_64F && type_of_values == CUDA_C_64F);
    return values_fit && type_of_left == type && type_of_right == type && compute_type == type;
  }
  void check(Work& work) const {
    if (left != CUSOLVER_EIG_MODE_NOVECTOR) {
      work.refuse(CUSOLVER_STATUS_INTERNAL_ERROR,
                  "jobvl is not CUSOLVER_EIG_MODE_NOVECTOR: cuSOLVER has no left eigenvectors");
    }
    work.eigen_mode(right);
    work.size("n", n);
    work.leading_dimension("lda", lda, n);
    work.leading_dimension("ldvl", ldvl, 1);
    work.leading_dimension("ldvr", ldvr, with_vectors() ? n : 1);
  }
};

/// Calls `use` with a 0 of the type.
template <class Use>
cusolverStatus_t with_types(const char* function, const Context* handle,
                            const GeneralEigenproblem& g, cudaDataType compute_type, Use use) {
  if (g.types_fit(compute_type)) {
    return with_type(function, handle, g.type, compute_type, use, CUSOLVER_STATUS_INVALID_VALUE);
  }
  Work work(function, handle);
  work.require(false, "the types do not match");
  return work.status();
}

template <class T>
void find(Work& work, const GeneralEigenproblem& g, const void* space, int* info) {
  using R = Real<T>;
  if (g.n == 0) return;  // info is not written either
  const Matrix<T> a = square_at<T>(g.A, g.n, g.lda);
  const Matrix<T> vectors = square_at<T>(g.VR, g.with_vectors() ? g.n : 0, g.ldvr);
  work.changes("A", a);
  work.writes("W", as<R>(g.W), 2 * g.n);
  work.writes("VR", vectors);
  work.uses({space, work_bytes<T>(g.n)}, work_bytes<T>(g.n));
  work.writes("info", info, 1);
  if (!work.ok()) return;
  for (std::int64_t j = 0; j < g.n && g.n > 1; ++j) {  // a single one is its own eigenvalue
    for (std::int64_t i = 0; i < g.n; ++i) {
      if (std::isfinite(std::real(a(i, j))) && std::isfinite(std::imag(a(i, j)))) continue;
      *info = 0;
      return work.refuse(CUSOLVER_STATUS_INTERNAL_ERROR, "A has a number that is not finite");
    }
  }
  const Local<T> local(a);
  const Local<T> right_vectors(vectors);
  const char right = g.with_vectors() ? 'V' : 'N';
  if constexpr (is_complex<T>) {
    std::vector<R> real_work(static_cast<std::size_t>(2 * g.n));
    *info = lapack::with_work<T>([&](T* more, std::int64_t length) {
      return lapack::run(lapack::geev<T>, 'N', right, g.n, local.data, local.ld, as<T>(g.W),
                         nullptr, 1, right_vectors.data, right_vectors.ld, more, length,
                         real_work.data());
    });
  } else {
    std::vector<R> real(static_cast<std::size_t>(g.n));
    std::vector<R> imaginary(real.size());
    *info = lapack::run_with_work<T>(lapack::geev<T>, 'N', right, g.n, local.data, local.ld,
                                     real.data(), imaginary.data(), nullptr, 1, right_vectors.data,
                                     right_vectors.ld);
    const bool is_apart = g.type_of_values == g.type;  // real parts, and then imaginary ones
    for (std::size_t j = 0; j < real.size(); ++j) {
      as<R>(g.W)[is_apart ? j : 2 * j] = real[j];
      as<R>(g.W)[is_apart ? real.size() + j : 2 * j + 1] = imaginary[j];
    }
  }
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

#define GENERAL(A, W, VR)                                                                  \
  (GeneralEigenproblem{jobvl, jobvr, n, dataTypeA, A, lda, dataTypeW, W, dataTypeVL, ldvl, \
                       dataTypeVR, VR, ldvr})

cusolverStatus_t cusolverDnXgeev_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
    std::int64_t n, cudaDataType dataTypeA, const void*, std::int64_t lda, cudaDataType dataTypeW,
    const void*, cudaDataType dataTypeVL, const void*, std::int64_t ldvl, cudaDataType dataTypeVR,
    const void*, std::int64_t ldvr, cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  const GeneralEigenproblem g = GENERAL(nullptr, nullptr, nullptr);
  return with_types(function, handle, g, computeType, [&](auto zero) {
    return size_call(
        function, handle, [&](Work& work) { g.check(work); }, workspaceInBytesOnDevice,
        work_bytes<decltype(zero)>(n));
  });
}
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, std::int64_t n,
                                 cudaDataType dataTypeA, void* A, std::int64_t lda,
                                 cudaDataType dataTypeW, void* W, cudaDataType dataTypeVL, void*,
                                 std::int64_t ldvl, cudaDataType dataTypeVR, void* VR,
                                 std::int64_t ldvr, cudaDataType computeType, void* bufferOnDevice,
                                 std::size_t, void*, std::size_t, int* info) {
  const char* const function = __func__;
  const GeneralEigenproblem g = GENERAL(A, W, VR);
  return with_types(function, handle, g, computeType, [&](auto zero) {
    // Of the work's size an H200 takes no notice. It waits for results on the host: no graph.
    const cusolverStatus_t status = call_now(
        function, handle, [&](Work& work) { g.check(work); },
        [&](Work& work) { find<decltype(zero)>(work, g, bufferOnDevice, info); });
    // What bufferSize refuses so is, in the call itself, an error of the library's.
    return status == CUSOLVER_STATUS_INVALID_VALUE ? CUSOLVER_STATUS_INTERNAL_ERROR : status;
  });
}
