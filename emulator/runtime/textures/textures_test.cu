// Textures: what they give at a coordinate, by the formulas of the CUDA C++ Programming Guide
// ("Texture Fetching"), which are written down here once more. nvcc compiles this file as well.

#include <cmath>

#include "textures/array_test.hpp"

namespace {

template <class T>
__global__ void read_line(T* out, cudaTextureObject_t t, const float* x) {
  out[threadIdx.x] = tex1D<T>(t, x[threadIdx.x]);
}
template <class T>
__global__ void read_plane(T* out, cudaTextureObject_t t, const float2* x) {
  tex2D(&out[threadIdx.x], t, x[threadIdx.x].x, x[threadIdx.x].y);
}
template <class T>
__global__ void read_elements(T* out, cudaTextureObject_t t, int first) {
  out[threadIdx.x] = tex1Dfetch<T>(t, first + static_cast<int>(threadIdx.x));
}
__global__ void read_others(float* out, cudaTextureObject_t volume, cudaTextureObject_t layers,
                            cudaTextureObject_t cube) {
  out[0] = tex3D<float>(volume, 1.5F, 0.5F, 1.5F);
  out[1] = tex3D<float>(volume, 1.0F, 1.0F, 1.0F);
  for (int layer = -1; layer < 4; ++layer) {
    out[3 + layer] = tex2DLayered<float>(layers, 1.5F, 0.5F, layer);
  }
  const float3 to[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int face = 0; face < 6; ++face) {
    out[7 + face] = texCubemap<float>(cube, to[face].x, to[face].y, to[face].z);
  }
  // On the face of +x, s runs against z and t against y.
  out[13] = texCubemap<float>(cube, 1.0F, 0.5F, 0.5F);
  out[14] = texCubemap<float>(cube, 1.0F, 0.5F, -0.5F);
}
__global__ void gather_one(float4* out, cudaTextureObject_t t, float x, float y, float2* grads) {
  out[0] = tex2Dgather<float4>(t, x, y);
  const float at = tex2DLod<float>(t, x, y, 3.0F);  // there is one level only
  const float2 d = make_float2(4, 4);
  grads[0] = make_float2(at, tex2DGrad<float>(t, x, y, d, d));
}
__global__ void read_level(float* out, cudaTextureObject_t t, const float* level) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.5F, 0.5F, level[threadIdx.x]);
}

// The guide's formulas for one dimension and floats. Coordinates are wrapped and mirrored before
// they become indices, as it says.
float expected(const std::vector<float>& texels, float x, const cudaTextureDesc& how) {
  const auto n = static_cast<float>(texels.size());
  const cudaTextureAddressMode mode = how.addressMode[0];
  const auto fetched = [&](float index) {
    if (how.normalizedCoords != 0 && mode == cudaAddressModeWrap) {
      index -= n * std::floor(index / n);
    } else if (how.normalizedCoords != 0 && mode == cudaAddressModeMirror) {
      const float turn = std::floor(index / n);
      const float rest = index - n * turn;
      index = std::fmod(std::fabs(turn), 2.0F) == 0 ? rest : n - 1 - rest;
    } else if (mode == cudaAddressModeBorder) {
      if (index < 0 || index >= n) return how.borderColor[0];
    } else {
      index = std::fmin(std::fmax(index, 0.0F), n - 1);
    }
    return texels[static_cast<std::size_t>(index)];
  };
  if (how.normalizedCoords != 0) x *= n;
  if (how.filterMode == cudaFilterModePoint) return fetched(std::floor(x));
  const float shifted = x - 0.5F;
  const float weight = std::round((shifted - std::floor(shifted)) * 256) / 256;
  return (1 - weight) * fetched(std::floor(shifted)) + weight * fetched(std::floor(shifted) + 1);
}

}  // namespace

TEST_CASE("textures: every address mode with both filters, inside and outside") {
  const std::vector<float> texels = {3, -1, 8, 20};
  const TestArray<float> array(make_cudaExtent(4, 0, 0), 0, texels);
  constexpr unsigned count = 257;
  Shared<float> x(count);
  Shared<float> got(count);
  for (const bool is_normalised : {false, true}) {
    for (unsigned i = 0; i < count; ++i) {
      const float at = (static_cast<float>(i) - 96) / 16;
      x[i] = is_normalised ? at / 4 : at;
    }
    for (const auto mode : {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap,
                            cudaAddressModeMirror}) {
      for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        cudaTextureDesc how = described(mode, filter, is_normalised);
        how.borderColor[0] = 2;
        const TestTexture texture(array.resource(), how);
        read_line<<<1, count>>>(got.get(), texture.get(), x.get());
        REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
        CAPTURE(static_cast<int>(mode));
        CAPTURE(static_cast<int>(filter));
        for (unsigned i = 0; i < count; ++i) {
          CAPTURE(x[i]);
          CHECK(got[i] == expected(texels, x[i], how));
        }
      }
    }
  }
}

TEST_CASE("textures: a weight has 8 bits behind the point") {
  const TestArray<float> array(make_cudaExtent(2, 0, 0), 0, {0, 256});
  const TestTexture texture(array.resource(),
                            described(cudaAddressModeClamp, cudaFilterModeLinear));
  Shared<float> x(3);
  Shared<float> got(3);
  x[0] = 0.5F + 100.0F / 256;
  x[1] = 0.5F + 100.25F / 256;
  x[2] = 1.5F - 0.25F / 256;
  read_line<<<1, 3>>>(got.get(), texture.get(), x.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(got[0] == 100);
  CHECK(got[1] == 100);
  CHECK(got[2] == 256);
}

TEST_CASE("textures: integers of all sizes, and as numbers from -1 to 1") {
  Shared<float2> x(4);
  for (unsigned i = 0; i < 4; ++i) x[i] = make_float2(0.5F + i % 2, 0.5F + i / 2);
  const auto how = described(cudaAddressModeClamp, cudaFilterModePoint);
  {
    const TestArray<char4> array(make_cudaExtent(2, 2, 0), 0,
                                 {{1, 2, 3, 4}, {5, 6, 7, 8}, {-128, 127, -127, 0}, {9, 9, 9, 9}});
    Shared<char4> got(4);
    const TestTexture plain(array.resource(), how);
    read_plane<<<1, 4>>>(got.get(), plain.get(), x.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(got[1].z == 7);
    CHECK(got[2].x == -128);
    const TestTexture numbers(array.resource(), described(cudaAddressModeClamp, cudaFilterModePoint,
                                                          false, cudaReadModeNormalizedFloat));
    Shared<float4> floats(4);
    read_plane<<<1, 4>>>(floats.get(), numbers.get(), x.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(floats[2].x == -1);
    CHECK(floats[2].y == 1);
    CHECK(floats[2].z == -1);
    CHECK(floats[0].w == doctest::Approx(4.0 / 127));
  }
  const TestArray<unsigned short> shorts(make_cudaExtent(2, 2, 0), 0, {0, 65535, 13107, 7});
  const TestTexture numbers(shorts.resource(), described(cudaAddressModeClamp, cudaFilterModeLinear,
                                                         false, cudaReadModeNormalizedFloat));
  Shared<float> got(4);
  read_plane<<<1, 4>>>(got.get(), numbers.get(), x.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(got[1] == 1);
  CHECK(got[2] == doctest::Approx(0.2));
}

TEST_CASE("textures: in memory, and in rows of memory") {
  float* memory = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&memory, &pitch, 3 * sizeof(float), 2) == cudaSuccess);
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  REQUIRE(cudaMemcpy2D(memory, pitch, values.data(), 12, 12, 2, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  cudaResourceDesc rows{};
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 3, 2, pitch};
  const auto how = described(cudaAddressModeClamp, cudaFilterModeLinear);
  Shared<float2> x(1);
  x[0] = make_float2(2, 1);
  Shared<float> got(5);
  {
    const TestTexture texture(rows, how);
    read_plane<<<1, 1>>>(got.get(), texture.get(), x.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(got[0] == 4);
  }
  cudaResourceDesc line{};
  line.resType = cudaResourceTypeLinear;
  line.res.linear = {memory, cudaCreateChannelDesc<float>(), 12};
  {
    const TestTexture texture(line, how);  // whose filter does not matter
    read_elements<<<1, 5>>>(got.get(), texture.get(), -1);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned i = 0; i < 5; ++i) CHECK(got[i] == (i == 0 || i == 4 ? 0 : values[i - 1]));
  }
  {
    // Longer than the memory, which ends after the third element of the second row.
    Shared<float> longer(2);
    line.res.linear.sizeInBytes = 1 << 20;
    const TestTexture texture(line, how);
    const int last = static_cast<int>(pitch / sizeof(float)) + 2;
    read_elements<<<1, 1>>>(longer.get(), texture.get(), last);
    read_elements<<<1, 1>>>(longer.get() + 1, texture.get(), 1 << 17);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(longer[0] == 6);
    CHECK(longer[1] == 0);
    line.res.linear.sizeInBytes = 12;
  }
  cudaTextureObject_t none = 0;
  rows.res.pitch2D.pitchInBytes = 20;
  CHECK(cudaCreateTextureObject(&none, &rows, &how, nullptr) != cudaSuccess);
  line.res.linear.devPtr = memory + 1;
  CHECK(cudaCreateTextureObject(&none, &line, &how, nullptr) != cudaSuccess);
  line.res.linear.devPtr = memory;
  line.res.linear.desc = cudaCreateChannelDesc<int>();
  auto refused =
      described(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  CHECK(cudaCreateTextureObject(&none, &line, &refused, nullptr) == cudaErrorInvalidNormSetting);
  const TestArray<int> integers(make_cudaExtent(2, 2, 0));
  const cudaResourceDesc in_array = integers.resource();
  CHECK(cudaCreateTextureObject(&none, &in_array, &how, nullptr) == cudaErrorInvalidFilterSetting);
  cudaGetLastError();
  cudaFree(memory);
}

TEST_CASE("textures: volumes, layers, cubes") {
  std::vector<float> values(2 * 2 * 6);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const std::vector<float> eight(values.begin(), values.begin() + 8);
  const std::vector<float> twelve(values.begin(), values.begin() + 12);
  const TestArray<float> volume(make_cudaExtent(2, 2, 2), 0, eight);
  const TestArray<float> layers(make_cudaExtent(2, 2, 3), cudaArrayLayered, twelve);
  const TestArray<float> cube(make_cudaExtent(2, 2, 6), cudaArrayCubemap, values);
  const TestTexture a(volume.resource(), described(cudaAddressModeClamp, cudaFilterModeLinear));
  const TestTexture b(layers.resource(), described(cudaAddressModeClamp, cudaFilterModePoint));
  const TestTexture c(cube.resource(), described(cudaAddressModeClamp, cudaFilterModePoint, true));
  Shared<float> got(15);
  read_others<<<1, 1>>>(got.get(), a.get(), b.get(), c.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(got[0] == 5);
  CHECK(got[1] == 3.5F);
  // A layer that is not there is the nearest one.
  for (const auto& [at, layer] : {std::pair(2, 0), {3, 0}, {4, 1}, {5, 2}, {6, 2}}) {
    CHECK(got[static_cast<unsigned>(at)] == static_cast<float>(4 * layer + 1));
  }
  for (unsigned face = 0; face < 6; ++face)
    CHECK(got[7 + face] == static_cast<float>(4 * face + 3));
  CHECK(got[13] == 0);
  CHECK(got[14] == 1);
}

TEST_CASE("textures: gathering, and levels") {
  const TestArray<float> array(make_cudaExtent(2, 2, 0), cudaArrayTextureGather, {1, 2, 3, 4});
  const TestTexture texture(array.resource(),
                            described(cudaAddressModeClamp, cudaFilterModeLinear));
  Shared<float4> got(1);
  Shared<float2> others(1);
  gather_one<<<1, 1>>>(got.get(), texture.get(), 1.0F, 1.0F, others.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(got[0].x == 3);
  CHECK(got[0].y == 4);
  CHECK(got[0].z == 2);
  CHECK(got[0].w == 1);
  CHECK(others[0].x == 2.5F);
  CHECK(others[0].y == 2.5F);

  const auto d = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels = nullptr;
  REQUIRE(cudaMallocMipmappedArray(&levels, &d, make_cudaExtent(4, 4, 0), 3) == cudaSuccess);
  for (unsigned level = 0; level < 3; ++level) {
    cudaArray_t one = nullptr;
    REQUIRE(cudaGetMipmappedArrayLevel(&one, levels, level) == cudaSuccess);
    const std::vector<float> values(16, static_cast<float>(10 * level));
    const std::size_t side = 4U >> level;
    REQUIRE(cudaMemcpy2DToArray(one, 0, 0, values.data(), 4 * side, 4 * side, side,
                                cudaMemcpyHostToDevice) == cudaSuccess);
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  cudaTextureDesc how = described(cudaAddressModeClamp, cudaFilterModeLinear, true);
  how.mipmapFilterMode = cudaFilterModeLinear;
  how.maxMipmapLevelClamp = 2;
  Shared<float> wanted(4);
  Shared<float> read(4);
  wanted[1] = 0.5F;
  wanted[2] = 1.25F;
  wanted[3] = 7;
  {
    const TestTexture mipmapped(resource, how);
    read_level<<<1, 4>>>(read.get(), mipmapped.get(), wanted.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  CHECK(read[0] == 0);
  CHECK(read[1] == 5);
  CHECK(read[2] == 12.5F);
  CHECK(read[3] == 20);
  CHECK(cudaFreeMipmappedArray(levels) == cudaSuccess);
}
