// Arrays: which there are, and what is copied to them and from them. nvcc also compiles this file.

#include <numeric>

#include "textures/array_test.hpp"

namespace {

constexpr auto invalid = cudaErrorInvalidValue;
constexpr auto to_device = cudaMemcpyHostToDevice;
constexpr auto to_host = cudaMemcpyDeviceToHost;

std::vector<int> counting(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

cudaError_t make(cudaChannelFormatDesc description, cudaExtent extent, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &description, extent, flags);
  if (error == cudaSuccess) CHECK(cudaFreeArray(array) == cudaSuccess);
  cudaGetLastError();
  return error;
}

}  // namespace

TEST_CASE("arrays: elements have 1, 2 or 4 components of 8, 16 or 32 bits, all alike") {
  const cudaExtent line = make_cudaExtent(5, 0, 0);
  CHECK(make(cudaCreateChannelDesc<float4>(), line) == cudaSuccess);
  CHECK(make(cudaCreateChannelDesc<uchar2>(), line) == cudaSuccess);
  CHECK(make(cudaCreateChannelDesc<short>(), line) == cudaSuccess);
  CHECK(make(cudaCreateChannelDescHalf2(), line) == cudaSuccess);
  CHECK(make(cudaCreateChannelDesc<float3>(), line) != cudaSuccess);
  CHECK(make(cudaCreateChannelDesc<double>(), line) != cudaSuccess);
  CHECK(make(cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned), line) !=
        cudaSuccess);
  CHECK(make(cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat), line) != cudaSuccess);
}

TEST_CASE("arrays: the flags and the sides say which kind") {
  const auto d = cudaCreateChannelDesc<float>();
  CHECK(make(d, make_cudaExtent(4, 3, 0)) == cudaSuccess);
  CHECK(make(d, make_cudaExtent(4, 3, 2)) == cudaSuccess);
  CHECK(make(d, make_cudaExtent(4, 0, 7), cudaArrayLayered) == cudaSuccess);
  CHECK(make(d, make_cudaExtent(4, 4, 6), cudaArrayCubemap) == cudaSuccess);
  CHECK(make(d, make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered) == cudaSuccess);
  CHECK(make(d, make_cudaExtent(0, 3, 0)) == invalid);
  CHECK(make(d, make_cudaExtent(4, 0, 7)) == invalid);
  CHECK(make(d, make_cudaExtent(4, 4, 5), cudaArrayCubemap) == invalid);
  CHECK(make(d, make_cudaExtent(4, 3, 6), cudaArrayCubemap) == invalid);
  CHECK(make(d, make_cudaExtent(4, 3, 2), cudaArrayTextureGather) == invalid);
  CHECK(make(d, make_cudaExtent(1U << 20U, 3, 0)) == invalid);

  const TestArray<float> array(make_cudaExtent(4, 3, 0), cudaArraySurfaceLoadStore);
  cudaChannelFormatDesc description{};
  cudaExtent extent{};
  unsigned flags = 0;
  REQUIRE(cudaArrayGetInfo(&description, &extent, &flags, array.get()) == cudaSuccess);
  CHECK(description.x == 32);
  CHECK(description.y == 0);
  CHECK(description.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 4);
  CHECK(extent.height == 3);
  CHECK(extent.depth == 0);
  CHECK(flags == cudaArraySurfaceLoadStore);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);
}

TEST_CASE("arrays: rows travel there and back, to any place in them") {
  constexpr std::size_t width = 5;
  constexpr std::size_t height = 4;
  const std::vector<int> sent = counting(width * height);
  const TestArray<int> array(make_cudaExtent(width, height, 0));
  const TestArray<int> other(make_cudaExtent(width, height, 0));
  constexpr std::size_t row = width * sizeof(int);
  CHECK(cudaMemcpy2DToArray(array.get(), 0, 0, sent.data(), row, row, height, to_device) ==
        cudaSuccess);
  // Two columns and two rows, from (1, 1) to (3, 2) of the other.
  CHECK(cudaMemcpy2DArrayToArray(other.get(), 12, 2, array.get(), 4, 1, 8, 2) == cudaSuccess);
  std::vector<int> got(4);
  CHECK(cudaMemcpy2DFromArray(got.data(), 8, other.get(), 12, 2, 8, 2, to_host) == cudaSuccess);
  CHECK(got == std::vector<int>{7, 8, 12, 13});
  CHECK(cudaMemcpy2DFromArray(got.data(), 8, other.get(), 16, 2, 8, 2, to_host) == invalid);
  CHECK(cudaMemcpy2DFromArray(got.data(), 8, other.get(), 12, 3, 8, 2, to_host) == invalid);
  CHECK(cudaMemcpy2DFromArray(got.data(), 4, other.get(), 12, 2, 8, 2, to_host) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2DFromArray(got.data(), 8, other.get(), 12, 2, 8, 2, to_device) ==
        cudaErrorInvalidMemcpyDirection);
  cudaGetLastError();
}

TEST_CASE("arrays: cudaMemcpy3D counts their elements") {
  const std::vector<int> sent = counting(2 * 3 * 4);
  const TestArray<int> array(make_cudaExtent(2, 3, 4), 0, sent);
  std::vector<int> got(4);
  cudaMemcpy3DParms copy{};
  copy.srcArray = array.get();
  copy.srcPos = make_cudaPos(1, 1, 2);
  copy.dstPtr = make_cudaPitchedPtr(got.data(), sizeof(int), 1, 2);
  copy.extent = make_cudaExtent(1, 2, 2);
  copy.kind = to_host;
  REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
  const auto at = [&](int x, int y, int z) { return sent[(z * 3 + y) * 2 + x]; };
  CHECK(got == std::vector<int>{at(1, 1, 2), at(1, 2, 2), at(1, 1, 3), at(1, 2, 3)});
  copy.srcPos.z = 3;
  CHECK(cudaMemcpy3D(&copy) == invalid);
  cudaGetLastError();
}

TEST_CASE("arrays: each level of a mipmapped one is half as large") {
  const auto d = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels = nullptr;
  REQUIRE(cudaMallocMipmappedArray(&levels, &d, make_cudaExtent(8, 4, 0), 9) == cudaSuccess);
  cudaArray_t level = nullptr;
  cudaExtent extent{};
  REQUIRE(cudaGetMipmappedArrayLevel(&level, levels, 2) == cudaSuccess);
  REQUIRE(cudaArrayGetInfo(nullptr, &extent, nullptr, level) == cudaSuccess);
  CHECK(extent.width == 2);
  CHECK(extent.height == 1);
  CHECK(cudaGetMipmappedArrayLevel(&level, levels, 3) == cudaSuccess);
  CHECK(cudaGetMipmappedArrayLevel(&level, levels, 4) == invalid);
  CHECK(cudaFreeMipmappedArray(levels) == cudaSuccess);
  cudaGetLastError();
}
