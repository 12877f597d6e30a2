// Chapter 15, first lesson: one sum, cut into chunks, over several streams.
#pragma once

#include "course.hpp"

constexpr int block = 256;

__global__ void add(const float* x, const float* y, float* z, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

// z = x + y, all three in the host's memory, with buffers on the device; and the number of chunks
// into which it is cut.
struct Sum {
  const float* x;
  const float* y;
  float* z;
  float* d_x;
  float* d_y;
  float* d_z;
  size_t n;
  int chunks;
};

// Streams, made once: creating one takes far longer than using it.
class Streams {
 public:
  explicit Streams(int count) : streams_(static_cast<size_t>(count)) {
    for (cudaStream_t& stream : streams_) CUDA_CHECK(cudaStreamCreate(&stream));
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    for (cudaStream_t stream : streams_) CUDA_WARN(cudaStreamDestroy(stream));
  }

  int count() const { return static_cast<int>(streams_.size()); }
  // The chunks take turns: with four streams chunk 5 is in stream 1.
  cudaStream_t of(int chunk) const { return streams_[static_cast<size_t>(chunk % count())]; }
  void wait() const {
    for (cudaStream_t stream : streams_) CUDA_CHECK(cudaStreamSynchronize(stream));
  }

 private:
  std::vector<cudaStream_t> streams_;
};

struct Chunk {
  size_t begin;
  size_t length;  // 0 if the chunks before have taken everything
};

// Whole blocks, so that each chunk begins at a sector's boundary. The last chunks have the rest.
Chunk chunk_of(const Sum& sum, int c) {
  const size_t count = static_cast<size_t>(sum.chunks);
  const size_t whole = ((sum.n + count - 1) / count + block - 1) / block * block;
  const size_t begin = std::min(sum.n, whole * static_cast<size_t>(c));
  return {begin, std::min(whole, sum.n - begin)};
}

// The three parts of a chunk's work. Each returns at once: it only enqueues work in the stream.
void copy_in(const Sum& sum, const Chunk& chunk, cudaStream_t stream) {
  const size_t bytes = chunk.length * sizeof(float);
  if (bytes == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(sum.d_x + chunk.begin, sum.x + chunk.begin, bytes,
                             cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaMemcpyAsync(sum.d_y + chunk.begin, sum.y + chunk.begin, bytes,
                             cudaMemcpyHostToDevice, stream));
}

void add_up(const Sum& sum, const Chunk& chunk, cudaStream_t stream) {
  if (chunk.length == 0) return;
  const auto blocks = static_cast<unsigned>((chunk.length - 1) / block + 1);
  add<<<blocks, block, 0, stream>>>(sum.d_x + chunk.begin, sum.d_y + chunk.begin,
                                    sum.d_z + chunk.begin, chunk.length);
  CUDA_CHECK_LAUNCH();
}

void copy_out(const Sum& sum, const Chunk& chunk, cudaStream_t stream) {
  if (chunk.length == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(sum.z + chunk.begin, sum.d_z + chunk.begin,
                             chunk.length * sizeof(float), cudaMemcpyDeviceToHost, stream));
}

// As in every chapter so far: everything in the default stream, and the host waits for the copies.
void one_after_the_other(const Sum& sum, const Streams&) {
  const size_t bytes = sum.n * sizeof(float);
  if (bytes == 0) return;
  CUDA_CHECK(cudaMemcpy(sum.d_x, sum.x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(sum.d_y, sum.y, bytes, cudaMemcpyHostToDevice));
  add_up(sum, {0, sum.n}, nullptr);
  CUDA_CHECK(cudaMemcpy(sum.z, sum.d_z, bytes, cudaMemcpyDeviceToHost));
}

// The trap: copies in streams, and a launch that names none. The legacy default stream waits for
// all earlier work in other streams, and all later work there waits for the default stream.
void kernels_in_default(const Sum& sum, const Streams& streams) {
  for (int c = 0; c < sum.chunks; ++c) {
    const Chunk chunk = chunk_of(sum, c);
    copy_in(sum, chunk, streams.of(c));
    add_up(sum, chunk, nullptr);
    copy_out(sum, chunk, streams.of(c));
  }
  streams.wait();
}

// All parts of a chunk, then all parts of the next one.
void depth_first(const Sum& sum, const Streams& streams) {
  for (int c = 0; c < sum.chunks; ++c) {
    const Chunk chunk = chunk_of(sum, c);
    copy_in(sum, chunk, streams.of(c));
    add_up(sum, chunk, streams.of(c));
    copy_out(sum, chunk, streams.of(c));
  }
  streams.wait();
}

// The same part of one chunk in each stream, then the next part: round by round.
void breadth_first(const Sum& sum, const Streams& streams) {
  for (int first = 0; first < sum.chunks; first += streams.count()) {
    const int end = std::min(first + streams.count(), sum.chunks);
    for (int c = first; c < end; ++c) copy_in(sum, chunk_of(sum, c), streams.of(c));
    for (int c = first; c < end; ++c) add_up(sum, chunk_of(sum, c), streams.of(c));
    for (int c = first; c < end; ++c) copy_out(sum, chunk_of(sum, c), streams.of(c));
  }
  streams.wait();
}
