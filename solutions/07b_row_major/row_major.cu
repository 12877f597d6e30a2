//@stub
//@ // Exercise 07b, a bug hunt: products of row-major matrices by cuBLAS.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 07b
//@solution
// Exercise 07b: products of row-major matrices by cuBLAS. The model solution.
//
// Each matrix that goes in or comes out is seen by the library as its transpose. So it has to be
// asked for the transpose of what is wanted: of A B that is B^T A^T, the transposes of both, which
// it sees anyway, in the other order. No byte is moved.
//@end

#include "cublas.hpp"

const float one = 1.0F;
const float zero = 0.0F;

// Nothing to multiply? Then C, m x n, is all 0, which the library need not be asked for: it takes
// no leading dimension of 0.
bool is_empty(float* C, int m, int n, int k) {
  const size_t elements = static_cast<size_t>(m) * n;
  if (elements != 0 && k != 0) return false;
  if (elements != 0) CUDA_CHECK(cudaMemset(C, 0, elements * sizeof(float)));
  return true;
}

// C = A B. A is m x k, B is k x n, C is m x n, all row-major without gaps and in device memory.
// m, n and k may be 0. C may hold anything before.
void launch_multiply(cublasHandle_t handle, const float* A, const float* B, float* C, int m, int n,
                     int k) {
  if (is_empty(C, m, n, k)) return;
  //@stub
  //@ CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, A, k, B, n, &one, C, n));
  //@solution
  // It sees B^T (n x k) and A^T (k x m), and leaves C^T (n x m) behind, which we see as C.
  CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
  //@end
}

// C = A B^T, the same but that B is n x k: row j of B is multiplied with row i of A.
void launch_multiply_transposed(cublasHandle_t handle, const float* A, const float* B, float* C,
                                int m, int n, int k) {
  if (is_empty(C, m, n, k)) return;
  //@stub
  //@ cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &one, B, n, A, k, &zero, C, n);
  //@solution
  // C^T = B A^T. It sees B^T, k x n as it is stored, and has to transpose it back.
  CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, B, k, A, k, &zero, C, n));
  //@end
}
