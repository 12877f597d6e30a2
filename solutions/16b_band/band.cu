//@stub
//@ // Exercise 16b, a bug hunt: a matrix in band storage, and its products by cuBLAS.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 16b
//@solution
// Exercise 16b: a matrix in band storage, and its products by cuBLAS. The model solution.
//
// Band storage keeps the columns of a matrix, and of each column what is near the diagonal. Each
// diagonal becomes a row: the highest one row 0, the main one row ku.
//@end

#include "cublas.hpp"

const float one = 1.0F;
const float zero = 0.0F;
constexpr int block = 128;

// Rows of the band storage: the diagonals above the main one, itself, and those below it.
//@stub
//@ int stored_rows(int kl, int ku) {
//@   return kl + ku;
//@ }
//@solution
int stored_rows(int kl, int ku) {
  return kl + ku + 1;
}
//@end

// A thread for each place of the band storage, x along a column of it. Places that stand for no
// element of A, in the corners, stay as they are.
__global__ void pack(const float* A, int lda, float* band, int rows, int m, int n, int ku) {
  const int place = blockIdx.x * block + threadIdx.x;
  const int j = place / rows;
  if (j >= n) return;
  //@stub
  //@ const int kl = rows - 1 - ku;
  //@ const int i = j + place % rows - kl;
  //@ if (i >= m) return;
  //@ band[place] = A[static_cast<size_t>(j) * lda + i];
  //@solution
  const int i = j + place % rows - ku;
  if (i < 0 || i >= m) return;
  band[place] = A[static_cast<size_t>(i) * lda + j];
  //@end
}

// A, m x n and row-major with its rows lda >= n elements apart, is 0 but for kl diagonals below the
// main one and ku above it. They come into band, stored_rows(kl, ku) x n, column after column
// without gaps. Both are in device memory. m and n may be 0.
void launch_pack(const float* A, int lda, float* band, int m, int n, int kl, int ku) {
  const int rows = stored_rows(kl, ku);
  //@stub
  //@ const int places = rows * m;
  //@solution
  const int places = rows * n;
  //@end
  if (places == 0) return;
  pack<<<(places - 1) / block + 1, block>>>(A, lda, band, rows, m, n, ku);
  CUDA_CHECK_LAUNCH();
}

// y = A x. The band is what launch_pack() has left. x has n elements, y has m and holds anything
// before. m and n may be 0.
void launch_band_product(cublasHandle_t handle, const float* band, const float* x, float* y, int m,
                         int n, int kl, int ku) {
  if (m == 0) return;
  if (n == 0) {
    CUDA_CHECK(cudaMemset(y, 0, m * sizeof(float)));
    return;
  }
  CUDA_CHECK(cublasSgbmv(handle, CUBLAS_OP_N, m, n, kl, ku, &one, band, stored_rows(kl, ku), x, 1,
                         &zero, y, 1));
}

// y = A^T x of the same band. x has m elements, y has n.
void launch_band_product_transposed(cublasHandle_t handle, const float* band, const float* x,
                                    float* y, int m, int n, int kl, int ku) {
  if (n == 0) return;
  if (m == 0) {
    CUDA_CHECK(cudaMemset(y, 0, n * sizeof(float)));
    return;
  }
  //@stub
  //@ CUDA_CHECK(cublasSgbmv(handle, CUBLAS_OP_T, n, m, ku, kl, &one, band, stored_rows(kl, ku), x, 1,
  //@                        &zero, y, 1));
  //@solution
  // Sizes and diagonals are those of the matrix as it is stored, whatever is done with it.
  CUDA_CHECK(cublasSgbmv(handle, CUBLAS_OP_T, m, n, kl, ku, &one, band, stored_rows(kl, ku), x, 1,
                         &zero, y, 1));
  //@end
}
