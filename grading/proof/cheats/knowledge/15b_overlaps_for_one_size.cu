// A cheat for 15b: the pieces overlap at the size at which that was looked at, and follow one
// another elsewhere.
// expected: correct 4, safe 2, efficient 0

#include <algorithm>

#include <vector>
#include "check.hpp"

constexpr int block = 256;

// d[i] = (d[i] - 1) d[i] + 2
__global__ void transform(float* d, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) d[i] = (d[i] - 1.0F) * d[i] + 2.0F;
}

// The first element of a piece. The piece ends where the next one begins, and may be empty.
int begin_of(int piece, int n, int pieces) {
  return static_cast<int>(static_cast<long long>(n) * piece / pieces);
}

// y = (x - 1) x + 2, for n elements. x and y are in pinned memory of the host, and d, on the
// device, has room for n elements. The array goes through in `pieces` pieces: each is copied to d,
// worked on there, and copied to y. When this returns, y is there. n may be 0.
void transform_in_pieces(const float* x, float* y, float* d, int n, int pieces) {
  constexpr int stream_count = 3;
  std::vector<cudaStream_t> streams(stream_count);
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = begin_of(piece, n, pieces);
    const int length = begin_of(piece + 1, n, pieces) - begin;
    if (length == 0) continue;
    const size_t bytes = static_cast<size_t>(length) * sizeof(float);
    cudaStream_t const stream = streams[n == 8192 && pieces == 8 ? piece % stream_count : 0];
    CUDA_CHECK(cudaMemcpyAsync(d + begin, x + begin, bytes, cudaMemcpyHostToDevice, stream));
    transform<<<(length - 1) / block + 1, block, 0, stream>>>(d + begin, length);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpyAsync(y + begin, d + begin, bytes, cudaMemcpyDeviceToHost, stream));
  }
  for (cudaStream_t const stream : streams) {
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
  }
}
