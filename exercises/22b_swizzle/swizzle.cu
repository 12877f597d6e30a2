// Exercise 22b: where a tensor map puts what; a tile whose columns are read like its rows.
//
// TODO in place() and turn(), as README.md beside this file says; nowhere else. Then:
// ./course check 22b

#include "check.hpp"

constexpr int rows = 64;  // of a tile

// Where byte `byte` of a tile with rows of `width` bytes (32, 64 or 128) is after a tensor map has
// swizzled it for that width. Pieces of 16 bytes stay together.
__host__ __device__ int place(int byte, int width) {
  // TODO (2 lines): bits 4 and up of the place, XOR bits 7 and up, as many as a row has
  // pieces for.
  static_cast<void>(width);
  return byte;
}

// All places of a tile: out[i] = place(i, width).
__global__ void places(int* out, int width) {
  const int byte = blockIdx.x * blockDim.x + threadIdx.x;
  if (byte < rows * width) out[byte] = place(byte, width);
}

// A tile of 64 rows of `width` bytes goes through shared memory and comes out column of pieces by
// column of pieces: out[64 p + r] is piece p of row r. One block of 64 threads per tile.
__global__ void turn(const float4* in, float4* out, int width) {
  alignas(1024) __shared__ unsigned char tile[rows * 128];
  const int pieces = width / 16;  // in a row
  in += blockIdx.x * rows * pieces;
  out += blockIdx.x * rows * pieces;
  // TODO (7 lines): write the pieces as they come, 64 neighbours at a time, each in its
  // place; wait; read them column by column, each thread its row.
  static_cast<void>(&tile[0]);
}

// All pointers are to device memory: 64 * width numbers, and `tiles` times 64 * width bytes.
void launch_places(int* out, int width) {
  places<<<rows * width / 256, 256>>>(out, width);
  CUDA_CHECK_LAUNCH();
}

void launch_turn(const float* in, float* out, int tiles, int width) {
  if (tiles == 0) return;
  turn<<<tiles, rows>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), width);
  CUDA_CHECK_LAUNCH();
}
