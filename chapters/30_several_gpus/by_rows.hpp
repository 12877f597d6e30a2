/// @file
/// Chapter 30: products by rows. Each device has some rows of A. The vector or the matrix that all
/// of them need comes from device 0, and the results go back there, piece by piece behind the
/// computing.
#pragma once

#include "cublas.hpp"
#include "numbers.hpp"

namespace gpus {

/// y = A x: one warp per row.
__global__ void sgemv(const float* A, const float* x, float* y, int m, int n) {
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (row >= m) return;
  float sum = 0;
  const float* const of_row = A + static_cast<std::size_t>(row) * n;
#pragma unroll 8
  for (int j = lane; j < n; j += 32) sum += of_row[j] * x[j];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0U, sum, step);
  if (lane == 0) y[row] = sum;
}

/// C = A B, or y = A x if B has one column; all row-major, A of m x k cut by rows.
class ByRows {
 public:
  ByRows(const Group& group, std::size_t m, std::size_t n, std::size_t k)
      : group_(group), m_(m), n_(n), k_(k), A_(group), B_(group), C_(group) {
    group.for_each([&](int me) {
      A_.add(part(me).count() * k);
      B_.add(k * n);
      C_.add(me == 0 ? m * n : part(me).count() * n);
      handles_.push_back(nullptr);
      CUDA_CHECK(cublasCreate(&handles_[me]));
      ready_.push_back(std::make_unique<Event>(me));
      launch_fill(A_[me], part(me).count() * k, part(me).first * k, 0);
      if (me == 0) launch_fill(B_[0], k * n, 0, series_of_B);
    });
    group.synchronise();
  }
  ByRows(const ByRows&) = delete;
  ByRows& operator=(const ByRows&) = delete;
  ~ByRows() {
    group_.for_each([&](int me) { CUDA_WARN(cublasDestroy(handles_[me])); });
  }

  Part part(int me) const { return {m_, me, group_.size()}; }
  void poison() const {
    C_.poison();
    for (int me = 1; me < group_.size(); ++me) {
      const OnDevice there(me);
      CUDA_CHECK(cudaMemset(B_[me], 0xFF, k_ * n_ * sizeof(float)));
    }
    group_.synchronise();
  }
  course::Verdict verify() const {
    const OnDevice there(0);
    return verify_product(C_[0], {m_, n_, k_, 1}, 0);
  }

  /// y = A x: x goes to all; each y comes back in pieces of rows.
  void sgemv_by_rows(int pieces) const {
    begin_copies();
    for (int me = 1; me < group_.size(); ++me) {
      CUDA_CHECK(cudaMemcpyPeerAsync(B_[me], me, B_[0], 0, k_ * sizeof(float), group_.copies(me)));
      group_.wait(group_.stream(me), group_.copies(me), me);
    }
    for (int piece = 0; piece < pieces; ++piece) {
      group_.for_each([&](int me) {
        const Part rows(part(me).count(), piece, pieces);
        if (rows.count() == 0) return;
        const auto count = static_cast<int>(rows.count());
        sgemv<<<(count + 7) / 8, 256, 0, group_.stream(me)>>>(
            A_[me] + rows.first * k_, B_[me], C_[me] + rows.first, count, static_cast<int>(k_));
        CUDA_CHECK_LAUNCH();
        if (me == 0) return;
        group_.wait(group_.copies(me), group_.stream(me), me);
        CUDA_CHECK(cudaMemcpyPeerAsync(C_[0] + part(me).first + rows.first, 0, C_[me] + rows.first,
                                       me, rows.count() * sizeof(float), group_.copies(me)));
      });
    }
    end_copies();
  }

  /// C = A B: B goes to all and C comes back in panels of columns.
  void sgemm_by_rows(int panels) const {
    begin_copies();
    for (int panel = 0; panel < panels; ++panel) {  // copies in: as many ahead as there are
      const Part columns(n_, panel, panels);
      for (int me = 1; me < group_.size(); ++me) copy_panel(columns, me, B_[0], B_[me], k_);
      group_.for_each([&](int me) { multiply(me, columns); });
    }
    end_copies();
  }

 private:
  // Copies begin when device 0, and the device itself, have come to this point.
  void begin_copies() const {
    group_.fork();
    for (int me = 0; me < group_.size(); ++me)
      group_.wait(group_.copies(me), group_.stream(me), me);
  }
  void end_copies() const {
    for (int me = 0; me < group_.size(); ++me) {
      group_.wait(group_.stream(me), group_.copies(me), me);
      group_.wait(group_.stream(me), group_.results(me), me);
    }
    group_.join();
  }
  void copy_panel(const Part& columns, int me, const float* from, float* to,
                  std::size_t rows) const {
    const std::size_t pitch = n_ * sizeof(float);
    CUDA_CHECK(cudaMemcpy2DAsync(to + columns.first, pitch, from + columns.first, pitch,
                                 columns.count() * sizeof(float), rows, cudaMemcpyDefault,
                                 group_.copies(me)));
  }
  // A panel of C on device me, and back to device 0. cuBLAS's matrices are column-major: to it,
  // ours are transposed, and C' = B' A'.
  void multiply(int me, const Part& columns) const {
    const cudaStream_t stream = group_.stream(me);
    const int n = static_cast<int>(columns.count()), m = static_cast<int>(part(me).count());
    if (n == 0 || m == 0) return;
    if (me > 0) {
      CUDA_CHECK(cudaEventRecord(*ready_[me], group_.copies(me)));
      CUDA_CHECK(cudaStreamWaitEvent(stream, *ready_[me]));
    }
    CUDA_CHECK(cublasSetStream(handles_[me], stream));
    const float one = 1, zero = 0;
    const int ld = static_cast<int>(n_), k = static_cast<int>(k_);
    CUDA_CHECK(cublasSgemm(handles_[me], CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                           B_[me] + columns.first, ld, A_[me], k, &zero, C_[me] + columns.first,
                           ld));
    if (me == 0) return;
    group_.wait(group_.results(me), stream, me);
    const std::size_t pitch = n_ * sizeof(float);
    CUDA_CHECK(cudaMemcpy2DAsync(C_[0] + part(me).first * n_ + columns.first, pitch,
                                 C_[me] + columns.first, pitch, columns.count() * sizeof(float),
                                 part(me).count(), cudaMemcpyDefault, group_.results(me)));
  }
  const Group& group_;
  std::size_t m_, n_, k_;
  Arrays<float> A_, B_, C_;
  std::vector<cublasHandle_t> handles_;
  std::vector<std::unique_ptr<Event>> ready_;
};

}  // namespace gpus
