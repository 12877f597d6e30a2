/// \file
/// cublasXt: matrices are copied to the device, cuBLAS multiplies there, and the result is copied
/// back.

#include "cublasXt.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <set>
#include <vector>

struct cublasXtContext {
  cublasHandle_t blas = nullptr;
  bool has_device = false;
  int block = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace {

bool is_operation(cublasOperation_t value) {
  return value == CUBLAS_OP_N || value == CUBLAS_OP_T || value == CUBLAS_OP_C;
}

// As it is stored, op(A) has `rows` rows and `columns` columns. With an invalid op() there is
// nothing to copy: cuBLAS refuses it.
struct Shape {
  std::size_t rows, columns;
};
Shape stored(cublasOperation_t operation, std::size_t rows, std::size_t columns) {
  if (!is_operation(operation)) return {0, 0};
  return operation == CUBLAS_OP_N ? Shape{rows, columns} : Shape{columns, rows};
}

// A call with the matrices that it has brought to the device.
class XtCall {
 public:
  explicit XtCall(cublasXtHandle_t handle) : handle_(handle) {
    if (handle == nullptr || !handle->has_device) status_ = CUBLAS_STATUS_NOT_INITIALIZED;
  }
  ~XtCall() {
    for (const Copy& copy : copies_) (void)cudaFree(copy.there);
  }
  XtCall(const XtCall&) = delete;
  XtCall& operator=(const XtCall&) = delete;

  template <class T>
  struct DeviceMatrix {
    T* data;
    std::int64_t ld;
  };

  // What cuBLAS would refuse it gets as it is.
  template <class T>
  DeviceMatrix<T> read(const T* data, Shape shape, std::size_t ld) {
    return bring(const_cast<T*>(data), shape, ld, true, false);
  }
  template <class T>
  DeviceMatrix<T> update(T* data, Shape shape, std::size_t ld, bool is_read = true) {
    return bring(data, shape, ld, is_read, true);
  }

  // `multiply`, with cuBLAS's handle.
  template <class Multiply>
  cublasStatus_t run(Multiply multiply) {
    if (status_ != CUBLAS_STATUS_SUCCESS) return status_;
    status_ = multiply(handle_->blas);
    for (const Copy& copy : copies_) {
      if (status_ != CUBLAS_STATUS_SUCCESS || !copy.is_written) continue;
      if (cudaMemcpy2D(copy.here, copy.pitch, copy.there, copy.width, copy.width, copy.columns,
                       cudaMemcpyDefault) != cudaSuccess) {
        status_ = CUBLAS_STATUS_EXECUTION_FAILED;
      }
    }
    return status_;
  }

 private:
  struct Copy {
    void* here;
    void* there;
    std::size_t pitch, width, columns;  // bytes, bytes, columns
    bool is_written;
  };

  template <class T>
  DeviceMatrix<T> bring(T* data, Shape shape, std::size_t ld, bool is_read, bool is_written) {
    const DeviceMatrix<T> as_it_is = {data, static_cast<std::int64_t>(ld)};
    const bool is_refused = data == nullptr || ld < std::max<std::size_t>(shape.rows, 1);
    if (status_ != CUBLAS_STATUS_SUCCESS || is_refused || shape.rows == 0 || shape.columns == 0) {
      return as_it_is;
    }
    Copy copy = {data, nullptr, ld * sizeof(T), shape.rows * sizeof(T), shape.columns, is_written};
    if (cudaMalloc(&copy.there, copy.width * copy.columns) != cudaSuccess) {
      status_ = CUBLAS_STATUS_ALLOC_FAILED;
      return as_it_is;
    }
    copies_.push_back(copy);
    if (is_read && cudaMemcpy2D(copy.there, copy.width, copy.here, copy.pitch, copy.width,
                                copy.columns, cudaMemcpyDefault) != cudaSuccess) {
      status_ = CUBLAS_STATUS_EXECUTION_FAILED;
    }
    return {static_cast<T*>(copy.there), static_cast<std::int64_t>(shape.rows)};
  }

  cublasXtHandle_t handle_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  std::vector<Copy> copies_;
};

bool is_zero(float value) {
  return value == 0.0F;
}
bool is_zero(double value) {
  return value == 0.0;
}
bool is_zero(cuComplex value) {
  return value.x == 0.0F && value.y == 0.0F;
}
bool is_zero(cuDoubleComplex value) {
  return value.x == 0.0 && value.y == 0.0;
}

std::int64_t whole(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

// A is beside B, which is m x n, on this side, and is square.
Shape square_beside(cublasSideMode_t side, std::size_t m, std::size_t n) {
  if (side != CUBLAS_SIDE_LEFT && side != CUBLAS_SIDE_RIGHT) return {0, 0};
  const std::size_t extent = side == CUBLAS_SIDE_LEFT ? m : n;
  return {extent, extent};
}

// Makes of a packed triangle a square whose other triangle is nobody's. False if it cannot be read.
template <class T>
bool unpack(const T* packed, cublasFillMode_t uplo, std::size_t n, std::vector<T>& square) {
  std::vector<T> triangle(n * (n + 1) / 2);
  if (cudaMemcpy(triangle.data(), packed, triangle.size() * sizeof(T), cudaMemcpyDefault) !=
      cudaSuccess) {
    return false;
  }
  square.resize(n * n);
  auto next = triangle.begin();
  for (std::size_t column = 0; column < n; ++column) {
    const bool is_upper = uplo == CUBLAS_FILL_MODE_UPPER;
    const std::size_t first = is_upper ? 0 : column;
    const std::size_t end = is_upper ? column + 1 : n;
    for (std::size_t row = first; row < end; ++row) square[row + column * n] = *next++;
  }
  return true;
}

template <class T, class Function>
cublasStatus_t gemm(Function function, cublasXtHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, std::size_t m, std::size_t n, std::size_t k,
                    const T* alpha, const T* A, std::size_t lda, const T* B, std::size_t ldb,
                    const T* beta, T* C, std::size_t ldc) {
  XtCall call(handle);
  const auto a = call.read(A, stored(transa, m, k), lda);
  const auto b = call.read(B, stored(transb, k, n), ldb);
  const auto c = call.update(C, {m, n}, ldc, beta != nullptr && !is_zero(*beta));
  return call.run([&](cublasHandle_t blas) {
    return function(blas, transa, transb, whole(m), whole(n), whole(k), alpha, a.data, a.ld, b.data,
                    b.ld, beta, c.data, c.ld);
  });
}

template <class T, class Factor, class Function>
cublasStatus_t rank_k(Function function, cublasXtHandle_t handle, cublasFillMode_t uplo,
                      cublasOperation_t trans, std::size_t n, std::size_t k, const Factor* alpha,
                      const T* A, std::size_t lda, const Factor* beta, T* C, std::size_t ldc) {
  XtCall call(handle);
  const auto a = call.read(A, stored(trans, n, k), lda);
  const auto c = call.update(C, {n, n}, ldc);  // the other triangle stays
  return call.run([&](cublasHandle_t blas) {
    return function(blas, uplo, trans, whole(n), whole(k), alpha, a.data, a.ld, beta, c.data, c.ld);
  });
}

template <class T, class Factor, class Function>
cublasStatus_t rank_2k(Function function, cublasXtHandle_t handle, cublasFillMode_t uplo,
                       cublasOperation_t trans, std::size_t n, std::size_t k, const T* alpha,
                       const T* A, std::size_t lda, const T* B, std::size_t ldb, const Factor* beta,
                       T* C, std::size_t ldc) {
  XtCall call(handle);
  const auto a = call.read(A, stored(trans, n, k), lda);
  const auto b = call.read(B, stored(trans, n, k), ldb);
  const auto c = call.update(C, {n, n}, ldc);
  return call.run([&](cublasHandle_t blas) {
    return function(blas, uplo, trans, whole(n), whole(k), alpha, a.data, a.ld, b.data, b.ld, beta,
                    c.data, c.ld);
  });
}

template <class T, class Function>
cublasStatus_t symm(Function function, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, std::size_t m, std::size_t n, const T* alpha, const T* A,
                    std::size_t lda, const T* B, std::size_t ldb, const T* beta, T* C,
                    std::size_t ldc) {
  XtCall call(handle);
  const auto a = call.read(A, square_beside(side, m, n), lda);
  const auto b = call.read(B, {m, n}, ldb);
  const auto c = call.update(C, {m, n}, ldc, beta != nullptr && !is_zero(*beta));
  return call.run([&](cublasHandle_t blas) {
    return function(blas, side, uplo, whole(m), whole(n), alpha, a.data, a.ld, b.data, b.ld, beta,
                    c.data, c.ld);
  });
}

template <class T, class Function>
cublasStatus_t spmm(Function function, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, std::size_t m, std::size_t n, const T* alpha,
                    const T* AP, const T* B, std::size_t ldb, const T* beta, T* C,
                    std::size_t ldc) {
  const std::size_t extent = square_beside(side, m, n).rows;
  std::vector<T> square;
  if (AP != nullptr && !unpack(AP, uplo, extent, square)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return symm(function, handle, side, uplo, m, n, alpha, square.empty() ? nullptr : square.data(),
              std::max<std::size_t>(extent, 1), B, ldb, beta, C, ldc);
}

template <class T, class Function>
cublasStatus_t trmm(Function function, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    std::size_t m, std::size_t n, const T* alpha, const T* A, std::size_t lda,
                    const T* B, std::size_t ldb, T* C, std::size_t ldc) {
  XtCall call(handle);
  const auto a = call.read(A, square_beside(side, m, n), lda);
  const auto b = call.read(B, {m, n}, ldb);
  const auto c = call.update(C, {m, n}, ldc, false);
  return call.run([&](cublasHandle_t blas) {
    return function(blas, side, uplo, trans, diag, whole(m), whole(n), alpha, a.data, a.ld, b.data,
                    b.ld, c.data, c.ld);
  });
}

template <class T, class Function>
cublasStatus_t trsm(Function function, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    std::size_t m, std::size_t n, const T* alpha, const T* A, std::size_t lda, T* B,
                    std::size_t ldb) {
  XtCall call(handle);
  const auto a = call.read(A, square_beside(side, m, n), lda);
  const auto b = call.update(B, {m, n}, ldb);
  return call.run([&](cublasHandle_t blas) {
    return function(blas, side, uplo, trans, diag, whole(m), whole(n), alpha, a.data, a.ld, b.data,
                    b.ld);
  });
}

bool is_routine(cublasXtBlasOp_t operation, cublasXtOpType_t type) {
  return operation >= CUBLASXT_GEMM && operation < CUBLASXT_ROUTINE_MAX && type >= CUBLASXT_FLOAT &&
         type <= CUBLASXT_DOUBLECOMPLEX;
}

bool are_devices(int count, const int* devices) {
  int there = 0;
  if (count < 1 || devices == nullptr || cudaGetDeviceCount(&there) != cudaSuccess) return false;
  const std::set<int> each(devices, devices + count);
  return each.size() == static_cast<std::size_t>(count) && *each.begin() >= 0 &&
         *each.rbegin() < there;
}

}  // namespace

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  auto* const made = new (std::nothrow) cublasXtContext;
  if (made == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  const cublasStatus_t status = cublasCreate(&made->blas);
  if (status != CUBLAS_STATUS_SUCCESS) {
    delete made;
    return status;
  }
  *handle = made;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status = cublasDestroy(handle->blas);
  delete handle;
  return status;
}

cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int* nbBoards) {
  if (nbBoards == nullptr || !are_devices(nbDevices, deviceId)) return CUBLAS_STATUS_INVALID_VALUE;
  *nbBoards = nbDevices;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtMaxBoards(int* nbGpuBoards) {
  if (nbGpuBoards == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return cudaGetDeviceCount(nbGpuBoards) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                        : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!are_devices(nbDevices, deviceId)) return CUBLAS_STATUS_INVALID_VALUE;
  handle->has_device = true;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int extent) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (extent < 1) return CUBLAS_STATUS_INVALID_VALUE;
  handle->block = extent;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* extent) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (extent == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *extent = handle->block;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode != CUBLASXT_PINNING_DISABLED && mode != CUBLASXT_PINNING_ENABLED) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->pinning;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                     cublasXtOpType_t type, void* blasFunctor) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_routine(blasOp, type) || blasFunctor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                   cublasXtOpType_t type, float ratio) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_routine(blasOp, type) || !(ratio >= 0.0F && ratio <= 1.0F)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return CUBLAS_STATUS_SUCCESS;
}

// Each function hands its arguments on to the one above that has cuBLAS's function as well.

#define XT_ONE(Letter, Real, name, PARAMETERS, way, blas, ...)   \
  cublasStatus_t cublasXt##Letter##name PARAMETERS(Real) {       \
    return way<Real>(cublas##Letter##blas, handle, __VA_ARGS__); \
  }
#define XT_COMPLEX(name, PARAMETERS, way, blas, ...)             \
  XT_ONE(C, cuComplex, name, PARAMETERS, way, blas, __VA_ARGS__) \
  XT_ONE(Z, cuDoubleComplex, name, PARAMETERS, way, blas, __VA_ARGS__)
#define XT_ALL(name, PARAMETERS, way, blas, ...)              \
  XT_ONE(S, float, name, PARAMETERS, way, blas, __VA_ARGS__)  \
  XT_ONE(D, double, name, PARAMETERS, way, blas, __VA_ARGS__) \
  XT_COMPLEX(name, PARAMETERS, way, blas, __VA_ARGS__)

XT_ALL(gemm, EMULATOR_XT_GEMM, gemm, gemm_v2_64, transa, transb, m, n, k, alpha, A, lda, B, ldb,
       beta, C, ldc)
XT_ALL(syrk, EMULATOR_XT_SYRK, rank_k, syrk_v2_64, uplo, trans, n, k, alpha, A, lda, beta, C, ldc)
XT_COMPLEX(herk, EMULATOR_XT_HERK, rank_k, herk_v2_64, uplo, trans, n, k, alpha, A, lda, beta, C,
           ldc)
XT_ALL(syr2k, EMULATOR_XT_SYR2K, rank_2k, syr2k_v2_64, uplo, trans, n, k, alpha, A, lda, B, ldb,
       beta, C, ldc)
XT_ALL(syrkx, EMULATOR_XT_SYR2K, rank_2k, syrkx_64, uplo, trans, n, k, alpha, A, lda, B, ldb, beta,
       C, ldc)
XT_COMPLEX(her2k, EMULATOR_XT_HER2K, rank_2k, her2k_v2_64, uplo, trans, n, k, alpha, A, lda, B, ldb,
           beta, C, ldc)
XT_COMPLEX(herkx, EMULATOR_XT_HER2K, rank_2k, herkx_64, uplo, trans, n, k, alpha, A, lda, B, ldb,
           beta, C, ldc)
XT_ALL(symm, EMULATOR_XT_SYMM, symm, symm_v2_64, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C,
       ldc)
XT_COMPLEX(hemm, EMULATOR_XT_SYMM, symm, hemm_v2_64, side, uplo, m, n, alpha, A, lda, B, ldb, beta,
           C, ldc)
XT_ALL(spmm, EMULATOR_XT_SPMM, spmm, symm_v2_64, side, uplo, m, n, alpha, AP, B, ldb, beta, C, ldc)
XT_ALL(trmm, EMULATOR_XT_TRMM, trmm, trmm_v2_64, side, uplo, trans, diag, m, n, alpha, A, lda, B,
       ldb, C, ldc)
XT_ALL(trsm, EMULATOR_XT_TRSM, trsm, trsm_v2_64, side, uplo, trans, diag, m, n, alpha, A, lda, B,
       ldb)

}  // extern "C"
