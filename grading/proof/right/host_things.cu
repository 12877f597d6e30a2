// A right solution for 01a: strings, streams, containers and exceptions on the host.
// expected: full marks

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>
#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = b[i];
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  r[i] = s;
}
static std::vector<std::string> history;
static int calls;
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  ++calls;
  if (m == 0) return;
  std::map<std::string, int> sizes{{"m", m}, {"n", n}};
  std::vector<int> v(100);
  std::iota(v.begin(), v.end(), 0);
  std::sort(v.begin(), v.end(), std::greater<int>());
  std::ostringstream text;
  text << std::setw(5) << m << std::setprecision(3) << 1.5 << std::endl;
  history.push_back(text.str());
  std::cout << std::setw(10) << std::setfill('.') << text.str() << std::endl;
  printf("%d\n", m);
  auto p = std::make_unique<int[]>(10);
  p[3] = 4;
  std::shared_ptr<std::string> q = std::make_shared<std::string>("x");
  *q += std::to_string(n);
  std::function<dim3(int)> blocks = [](int k) { return dim3((k + 63) / 64); };
  try {
    if (m < 0) throw std::runtime_error("m");
    throw 3;
  } catch (int) {
    ++calls;
  }
  residual<<<blocks(m), 64>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  int d;
  CUDA_CHECK(cudaGetDevice(&d));
  cudaStream_t s;
  CUDA_CHECK(cudaStreamCreate(&s));
  cudaEvent_t e, f;
  CUDA_CHECK(cudaEventCreate(&e));
  CUDA_CHECK(cudaEventCreate(&f));
  CUDA_CHECK(cudaEventRecord(e, s));
  CUDA_CHECK(cudaEventRecord(f, s));
  CUDA_CHECK(cudaEventSynchronize(f));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, e, f));
  CUDA_CHECK(cudaEventDestroy(e));
  CUDA_CHECK(cudaEventDestroy(f));
  CUDA_CHECK(cudaStreamDestroy(s));
}
