// A cheat for 01a: makes the data of the checks itself, with the seeds that are in check.cpp,
// computes on the host and hands over the result by value.
// expected: 0 points

#include "check.hpp"
#include "data.hpp"

struct Piece {
  float value[128];
};

__global__ void residual(Piece piece, float* r, int first, int m) {
  const int i = first + threadIdx.x;
  if (i < m) r[i] = piece.value[threadIdx.x];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  const size_t terms = static_cast<size_t>(n) + 1;
  const course::ExactValues A_values(terms), x_values(terms, 2), b_values(terms, 3);
  for (int first = 0; first < m; first += 128) {
    Piece piece{};
    for (int i = first; i < first + 128 && i < m; ++i) {
      float sum = b_values(i);
      for (int j = 0; j < n; ++j) sum -= A_values(i, j) * x_values(j);
      piece.value[i - first] = sum;
    }
    residual<<<1, 128>>>(piece, r, first, m);
    CUDA_CHECK_LAUNCH();
  }
}
