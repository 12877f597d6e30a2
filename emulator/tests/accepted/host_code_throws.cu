// Exceptions, types at run time and the standard library, on the host.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>
const float weights[3] = {1, 2, 3};
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
static void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
int main(int count, char**) {
  try {
    int lengths[count];
    lengths[0] = static_cast<int>(weights[0]);
    std::vector<int> host(32);
    check(cudaGetLastError());
    std::printf("%s %d\n", typeid(host).name(), lengths[0]);
  } catch (const std::exception& error) {
    std::puts(error.what());
  }
}
