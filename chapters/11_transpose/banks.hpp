// Chapter 11, on banks: blocks of one tile that write shared memory in one order and read it in
// another. They are so small that you can work out every conflict by hand.
//
// Word w of shared memory is in bank w mod 32. A bank delivers one word at a time: of a warp's 32
// words, the bank that holds the most determines the number of wavefronts.
#pragma once

#include "in_memory.hpp"

constexpr int flat = 16;  // rows of the tile that is not square: 16 x 32

// Each thread writes its own number to an element, and reads one that another thread has written.
// Numbers run along the rows of the block.
__device__ inline int my_number() {
  return threadIdx.y * side + threadIdx.x;
}

// A row is 32 contiguous words.
__global__ void rows_then_rows(int* out) {
  __shared__ int tile[side][side];
  tile[threadIdx.y][threadIdx.x] = my_number();
  __syncthreads();
  out[my_number()] = tile[threadIdx.y][threadIdx.x];
}

// A column is 32 words in one bank.
__global__ void columns_then_columns(int* out) {
  __shared__ int tile[side][side];
  tile[threadIdx.x][threadIdx.y] = my_number();
  __syncthreads();
  out[my_number()] = tile[threadIdx.x][threadIdx.y];
}

// As a transpose does: along one, then along the other.
__global__ void columns_then_rows(int* out) {
  __shared__ int tile[side][side];
  tile[threadIdx.x][threadIdx.y] = my_number();
  __syncthreads();
  out[my_number()] = tile[threadIdx.y][threadIdx.x];
}

template <int padding>
__global__ void rows_then_columns(int* out) {
  __shared__ int tile[side][side + padding];
  tile[threadIdx.y][threadIdx.x] = my_number();
  __syncthreads();
  out[my_number()] = tile[threadIdx.x][threadIdx.y];
}

// The same with a size given at launch. The kernel computes the positions of rows itself.
__global__ void rows_then_columns_dynamic(int* out, int padding) {
  extern __shared__ int words[];
  const int pitch = side + padding;
  words[threadIdx.y * pitch + threadIdx.x] = my_number();
  __syncthreads();
  out[my_number()] = words[threadIdx.x * pitch + threadIdx.y];
}

// A tile of 16 rows. A warp that goes down its columns takes 16 elements of one and 16 of the next.
template <int padding>
__global__ void flat_rows_then_columns(int* out) {
  __shared__ int tile[flat][side + padding];
  tile[threadIdx.y][threadIdx.x] = my_number();
  __syncthreads();
  out[my_number()] = tile[my_number() % flat][my_number() / flat];
}

__global__ void flat_rows_then_columns_dynamic(int* out, int padding) {
  extern __shared__ int words[];
  const int pitch = side + padding;
  words[threadIdx.y * pitch + threadIdx.x] = my_number();
  __syncthreads();
  out[my_number()] = words[my_number() % flat * pitch + my_number() / flat];
}

template <int padding>
void launch_dynamic(int* out) {
  const size_t bytes = side * (side + padding) * sizeof(int);
  rows_then_columns_dynamic<<<1, dim3(side, side), bytes>>>(out, padding);
}
template <int padding>
void launch_flat_dynamic(int* out) {
  const size_t bytes = flat * (side + padding) * sizeof(int);
  flat_rows_then_columns_dynamic<<<1, dim3(side, flat), bytes>>>(out, padding);
}

// If the order of writes and reads is the same, each thread reads its own. Else it is a transpose.
struct BankKernel {
  const char* name;
  int rows;
  bool transposes;
  void (*launch)(int* out);
};

const std::vector<BankKernel> bank_kernels = {
    {"rows, rows", side, false, [](int* out) { rows_then_rows<<<1, dim3(side, side)>>>(out); }},
    {"columns, columns", side, false,
     [](int* out) { columns_then_columns<<<1, dim3(side, side)>>>(out); }},
    {"columns, rows", side, true,
     [](int* out) { columns_then_rows<<<1, dim3(side, side)>>>(out); }},
    {"rows, columns", side, true,
     [](int* out) { rows_then_columns<0><<<1, dim3(side, side)>>>(out); }},
    {"rows, columns, padded", side, true,
     [](int* out) { rows_then_columns<1><<<1, dim3(side, side)>>>(out); }},
    {"dynamic", side, true, launch_dynamic<0>},
    {"dynamic, padded", side, true, launch_dynamic<1>},
    {"16 x 32", flat, true,
     [](int* out) { flat_rows_then_columns<0><<<1, dim3(side, flat)>>>(out); }},
    {"16 x 32, padded by 1", flat, true,
     [](int* out) { flat_rows_then_columns<1><<<1, dim3(side, flat)>>>(out); }},
    {"16 x 32, padded by 2", flat, true,
     [](int* out) { flat_rows_then_columns<2><<<1, dim3(side, flat)>>>(out); }},
    {"16 x 32, dynamic", flat, true, launch_flat_dynamic<0>},
    {"16 x 32, dynamic, padded by 2", flat, true, launch_flat_dynamic<2>},
};

// The number that thread `thread` has to read.
inline int number_found(const BankKernel& kernel, int thread) {
  return kernel.transposes ? thread % kernel.rows * side + thread / kernel.rows : thread;
}
