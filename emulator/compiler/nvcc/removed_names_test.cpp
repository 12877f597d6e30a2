// emucc --cuda=12 and --cuda=11: programs with names that CUDA has removed.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

}  // namespace

TEST_CASE("emucc: --cuda=12 takes what CUDA 13 has removed, and says what took its place") {
  const Scratch scratch;
  scratch.write("old.cu", R"(
#include <cstdio>
__global__ void sum(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {  // without the others
    for (int d = 8; d > 0; d /= 2) v += __shfl_down(v, d, 16);
    if (__any(v == 120) && __ballot(1) == 0xFFFF && !__all(v == 120)) *out = __shfl(v, 0);
  }
}
int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  cudaMemPrefetchAsync(out, 4, 0);
  sum<<<1, 32>>>(out);
  cudaThreadSynchronize();
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int version;
  cudaRuntimeGetVersion(&version);
  printf("%d %d %d %d %d %d\n", *out, p.clockRate, p.maxTexture1DLinear, p.computeMode,
         CUDART_VERSION, version);
}
)");
  Result result = scratch.run(emucc + "--cuda=12 --run old.cu");
  CHECK(result.status == 0);
  CHECK(result.output == "120 0 268435456 0 12090 12090\n");
  CHECK(contains(result.errors,
                 "old.cu:15:3: note: 'cudaThreadSynchronize': CUDA 13 has removed "
                 "it; instead: cudaDeviceSynchronize()\n"));
  CHECK(contains(result.errors, "old.cu:6:41: note: '__shfl_down': CUDA 13 has removed it"));
  CHECK(
      contains(result.errors, "note: 'cudaMemPrefetchAsync': CUDA 13 has changed its parameters"));
  CHECK(contains(result.errors, "note: 'clockRate': CUDA 13 has removed this member"));
  CHECK_FALSE(contains(result.errors, "warning"));
  CHECK(scratch.run(emucc + "--cuda=12 -w -c old.cu").errors == "");

  // Without it g++'s errors stay, and each name is explained once.
  result = scratch.run(emucc + "-c old.cu");
  CHECK(result.status != 0);
  CHECK(contains(result.errors,
                 "emucc: 'cudaThreadSynchronize': CUDA 13 has removed it, and emucc --cuda=12 "
                 "takes it; or write cudaDeviceSynchronize()\n"));
  CHECK(contains(result.errors,
                 "emucc: 'clockRate': CUDA 13 has removed this member of "
                 "cudaDeviceProp, and emucc --cuda=12 takes it"));
  CHECK(contains(result.errors, "emucc: cudaMemPrefetchAsync() and cudaMemAdvise(): CUDA 13 has"));
  // CUDA 12 itself has these for old architectures only.
  result = scratch.run(emucc + "--cuda=12 -arch=sm_70 -c old.cu");
  CHECK(result.status != 0);
  CHECK(contains(result.errors,
                 "emucc: '__shfl_down': CUDA has it for an -arch below sm_70 only; or write "
                 "__shfl_down_sync(), with the mask of the lanes that take part\n"));
  CHECK_FALSE(contains(result.errors, "emucc: 'cudaThreadSynchronize'"));

  result = scratch.run(emucc + "--cuda=10 -c old.cu");
  CHECK(result.status == 2);
  CHECK(result.errors == "emucc: --cuda=10: want 11, 12 or 13\n");
}

TEST_CASE("emucc: --cuda=11 takes references to textures and surfaces") {
  const Scratch scratch;
  scratch.write("references.cu", R"(
#include <cstdio>
texture<float, cudaTextureType2D, cudaReadModeElementType> image;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;
texture<int2, 1> pairs;
surface<void, cudaSurfaceType2D> drawn;
__global__ void k(float* out, int offset) {
  out[0] = tex2D(image, 1.0f, 1.0f);
  out[1] = tex1Dfetch(bytes, 1);
  out[2] = tex1Dfetch(pairs, 1 + offset).y;
  surf2Dwrite(5.0f, drawn, 4, 0);
}
#if __CUDA_ARCH__ < 600 && defined(__CUDA_ARCH__)
__device__ double atomicAdd(double* address, double value) { return *address += value; }
#endif
int main() {
  const float values[] = {1, 2, 3, 4};
  const unsigned char one[] = {0, 255};
  const int2 two[] = {{1, 2}, {3, 4}};
  cudaArray* array;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &d, 2, 2, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(array, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
  image.filterMode = cudaFilterModeLinear;
  char* memory;
  cudaMallocManaged(&memory, 1024);
  memcpy(memory, one, 2);
  memcpy(memory + 64, two, 16);
  float* out;
  cudaMallocManaged(&out, 12);
  size_t offset = 0;
  int errors = cudaBindTextureToArray(image, array, d);
  errors += cudaBindTexture(NULL, bytes, memory, 2);
  errors += cudaBindTexture(&offset, pairs, memory + 64);
  errors += cudaBindSurfaceToArray(drawn, array);
  k<<<1, 1>>>(out, offset / sizeof(int2));
  errors += cudaDeviceSynchronize();
  float read;
  errors += cudaMemcpyFromArray(&read, array, 4, 0, 4, cudaMemcpyDeviceToHost);
  errors += cudaUnbindTexture(image);
  printf("%d: %g %g %g %g\n", errors, out[0], out[1], out[2], read);
}
)");
  Result result = scratch.run(emucc + "--cuda=11 --run references.cu");
  CHECK(result.status == 0);
  CHECK(result.output == "0: 2.5 1 4 5\n");
  CHECK(contains(result.errors,
                 "references.cu:3:1: note: 'texture': CUDA 12 has removed it; "
                 "instead: texture objects: cudaCreateTextureObject()\n"));
  result = scratch.run(emucc + "--cuda=12 -c references.cu");
  CHECK(result.status != 0);
  CHECK(contains(result.errors,
                 "emucc: 'texture': CUDA 12 has removed it, and emucc --cuda=11 "
                 "takes it; or write texture objects"));
}
