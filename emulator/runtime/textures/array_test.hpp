#pragma once
/// \file
/// What the tests of arrays, textures and surfaces share. nvcc compiles them as well.

#include <vector>

#include "tests/kernel_test.hpp"

/// An array for the length of a scope, filled from the host.
template <class T>
class TestArray {
 public:
  explicit TestArray(cudaExtent extent, unsigned flags = 0, const std::vector<T>& values = {}) {
    const cudaChannelFormatDesc description = cudaCreateChannelDesc<T>();
    REQUIRE(cudaMalloc3DArray(&array_, &description, extent, flags) == cudaSuccess);
    if (!values.empty()) fill(extent, values);
  }
  ~TestArray() { cudaFreeArray(array_); }
  TestArray(const TestArray&) = delete;
  TestArray& operator=(const TestArray&) = delete;

  cudaArray_t get() const { return array_; }

  cudaResourceDesc resource() const {
    cudaResourceDesc result{};
    result.resType = cudaResourceTypeArray;
    result.res.array.array = array_;
    return result;
  }

 private:
  void fill(cudaExtent extent, const std::vector<T>& values) {
    if (extent.height == 0) extent.height = 1;
    if (extent.depth == 0) extent.depth = 1;
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(values.data()), extent.width * sizeof(T),
                                      extent.width, extent.height);
    copy.dstArray = array_;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
  }

  cudaArray_t array_ = nullptr;
};

/// A texture object for the length of a scope.
class TestTexture {
 public:
  TestTexture(const cudaResourceDesc& resource, const cudaTextureDesc& how) {
    REQUIRE(cudaCreateTextureObject(&texture_, &resource, &how, nullptr) == cudaSuccess);
  }
  ~TestTexture() { cudaDestroyTextureObject(texture_); }
  TestTexture(const TestTexture&) = delete;
  TestTexture& operator=(const TestTexture&) = delete;
  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

inline cudaTextureDesc described(cudaTextureAddressMode address, cudaTextureFilterMode filter,
                                 bool is_normalised = false,
                                 cudaTextureReadMode mode = cudaReadModeElementType) {
  cudaTextureDesc how{};
  for (auto& one : how.addressMode) one = address;
  how.filterMode = filter;
  how.readMode = mode;
  how.normalizedCoords = is_normalised ? 1 : 0;
  return how;
}
