// Surfaces: x counts bytes, and each boundary mode does its own. nvcc also compiles this file, but
// for what is looked at by the checks.

#include <string>

#include "textures/array_test.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#endif

namespace {

class TestSurface {
 public:
  explicit TestSurface(const cudaResourceDesc& resource) {
    REQUIRE(cudaCreateSurfaceObject(&surface_, &resource) == cudaSuccess);
  }
  ~TestSurface() { cudaDestroySurfaceObject(surface_); }
  TestSurface(const TestSurface&) = delete;
  TestSurface& operator=(const TestSurface&) = delete;
  cudaSurfaceObject_t get() const { return surface_; }

 private:
  cudaSurfaceObject_t surface_ = 0;
};

__global__ void number(cudaSurfaceObject_t s, int width) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  surf2Dwrite(static_cast<float>(y * width + x), s, x * static_cast<int>(sizeof(float)), y);
}
__global__ void read_back(cudaSurfaceObject_t s, float* out) {
  out[0] = surf2Dread<float>(s, 4, 1);
  surf2Dread(&out[1], s, -4, 1, cudaBoundaryModeZero);
  surf2Dread(&out[2], s, 400, 9, cudaBoundaryModeClamp);
  surf2Dwrite(77.0F, s, 400, 0, cudaBoundaryModeZero);
}
__global__ void layers_and_volumes(cudaSurfaceObject_t layers, cudaSurfaceObject_t volume,
                                   ushort2* out) {
  surf1DLayeredwrite(make_ushort2(1, 2), layers, 4, 1);
  surf3Dwrite(make_ushort2(3, 4), volume, 0, 1, 1);
  out[0] = surf1DLayeredread<ushort2>(layers, 4, 1);
  surf3Dread(&out[1], volume, 0, 1, 1);
}

}  // namespace

TEST_CASE("surfaces: what is written is there, also for the host") {
  const TestArray<float> array(make_cudaExtent(3, 2, 0), cudaArraySurfaceLoadStore);
  const TestSurface surface(array.resource());
  number<<<1, dim3(3, 2)>>>(surface.get(), 3);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  Shared<float> got(3);
  read_back<<<1, 1>>>(surface.get(), got.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(got[0] == 4);
  CHECK(got[1] == 0);
  CHECK(got[2] == 5);
  std::vector<float> all(6);
  REQUIRE(cudaMemcpy2DFromArray(all.data(), 12, array.get(), 0, 0, 12, 2, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  CHECK(all == std::vector<float>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("surfaces: layers and volumes; an array has to be meant for it") {
  const TestArray<ushort2> layers(make_cudaExtent(2, 0, 2),
                                  cudaArrayLayered | cudaArraySurfaceLoadStore);
  const TestArray<ushort2> volume(make_cudaExtent(2, 2, 2), cudaArraySurfaceLoadStore);
  const TestSurface a(layers.resource());
  const TestSurface b(volume.resource());
  Shared<ushort2> got(2);
  layers_and_volumes<<<1, 1>>>(a.get(), b.get(), got.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(got[0].y == 2);
  CHECK(got[1].x == 3);
  const TestArray<float> plain(make_cudaExtent(2, 2, 0));
  const cudaResourceDesc resource = plain.resource();
  cudaSurfaceObject_t none = 0;
  CHECK(cudaCreateSurfaceObject(&none, &resource) == cudaErrorInvalidValue);
  cudaGetLastError();
}

#ifdef CUDA_EMULATOR
namespace {

__global__ void beyond(cudaSurfaceObject_t s) {
  surf2Dwrite(1.0F, s, 12, static_cast<int>(threadIdx.x));
}
__global__ void fetch_one(cudaTextureObject_t t, float* out) {
  out[0] = tex1Dfetch<float>(t, 3);
}

// What the checks find in `work`, of which a kernel fails.
template <class Work>
emulator::Finding found_in(Work work) {
  emulator::set_checking(true);
  work();
  CHECK(cudaDeviceSynchronize() != cudaSuccess);
  const std::vector<emulator::Finding> found = emulator::findings();
  emulator::clear_findings();
  emulator::set_checking(false);
  cudaDeviceReset();
  cudaGetLastError();
  REQUIRE_FALSE(found.empty());
  return found[0];
}

__global__ void write_and_fetch(cudaSurfaceObject_t s, cudaTextureObject_t t, float* out,
                                int column) {
  surf2Dwrite(1.0F, s, 4, 1);
  __threadfence();
  out[0] = tex2D<float>(t, static_cast<float>(column), 1);
}

}  // namespace

TEST_CASE("textures: what the same kernel writes by a surface is not to be read") {
  const TestArray<float> array(make_cudaExtent(4, 2, 0), cudaArraySurfaceLoadStore,
                               std::vector<float>(8));
  const TestSurface surface(array.resource());
  const TestTexture texture(array.resource(), described(cudaAddressModeClamp, cudaFilterModePoint));
  Shared<float> out(1);
  emulator::set_checking(true);
  // Another element; then another launch; then the element itself.
  write_and_fetch<<<1, 1>>>(surface.get(), texture.get(), out.get(), 2);
  write_and_fetch<<<1, 1>>>(surface.get(), texture.get(), out.get(), 0);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(emulator::findings().empty());
  write_and_fetch<<<1, 1>>>(surface.get(), texture.get(), out.get(), 1);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<emulator::Finding> found = emulator::findings();
  emulator::clear_findings();
  emulator::set_checking(false);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "race");
  CHECK(found[0].what.find("has written through a surface") != std::string::npos);
}

TEST_CASE("surfaces: beside one, a kernel ends, and the checks say where") {
  const emulator::Finding found = found_in([] {
    const TestArray<float> array(make_cudaExtent(4, 2, 0), cudaArraySurfaceLoadStore);
    const TestSurface surface(array.resource());
    beyond<<<1, 3>>>(surface.get());
    cudaDeviceSynchronize();
  });
  CHECK(found.kind == "out-of-bounds");
  CHECK(found.what.find("4 bytes at (12, 2, 0) is outside the surface") != std::string::npos);
  CHECK(found.thread.x == 2);
  CHECK(found.place.line > 0);
}

TEST_CASE("textures: memory that has been freed, objects that have been destroyed") {
  for (const bool is_freed : {true, false}) {
    const emulator::Finding found = found_in([&] {
      float* memory = nullptr;
      REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
      Shared<float> out(1);
      cudaResourceDesc line{};
      line.resType = cudaResourceTypeLinear;
      line.res.linear = {memory, cudaCreateChannelDesc<float>(), 64};
      cudaTextureObject_t texture = 0;
      const cudaTextureDesc how = described(cudaAddressModeClamp, cudaFilterModePoint);
      REQUIRE(cudaCreateTextureObject(&texture, &line, &how, nullptr) == cudaSuccess);
      if (is_freed) {
        cudaFree(memory);
      } else {
        cudaDestroyTextureObject(texture);
      }
      fetch_one<<<1, 1>>>(texture, out.get());
      cudaDeviceSynchronize();
    });
    CHECK(found.kind == (is_freed ? "use-after-free" : "failed-kernel"));
  }
}
#endif
