// correct: like number_and_flag_in_one_word, but in two words, which one instruction moves.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void look_back(const unsigned* x, unsigned* ticket, uint2* words) {
  const unsigned b = atomicAdd(ticket, 1U);
  unsigned before = 0;
  unsigned flag = b == 0 ? 1 : 0;
  while (flag == 0) {
    asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];"
                 : "=r"(flag), "=r"(before)
                 : "l"(words + b - 1)
                 : "memory");
  }
  asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(words + b), "r"(1), "r"(before + x[b])
               : "memory");
}

// The same in four.
__global__ void look_back_by_four(const unsigned* x, unsigned* ticket, uint4* words) {
  const unsigned b = atomicAdd(ticket, 1U);
  uint4 word = {b == 0 ? 1U : 0U, 0, 0, 0};
  while (word.x == 0) {
    asm volatile("ld.relaxed.gpu.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(words + b - 1)
                 : "memory");
  }
  asm volatile("st.relaxed.gpu.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(words + b), "r"(1),
               "r"(word.y + x[b]), "r"(b), "r"(0)
               : "memory");
}

int main() {
  unsigned values[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  unsigned result[32];
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, 64 * sizeof(unsigned)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, 64 * sizeof(unsigned)));
  look_back<<<8, 1>>>(x, y + 32, reinterpret_cast<uint2*>(y));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  if (result[15] != 31) return 1;
  CHECK(cudaMemset(y, 0, 64 * sizeof(unsigned)));
  look_back_by_four<<<8, 1>>>(x, y + 32, reinterpret_cast<uint4*>(y));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[29] == 31 ? 0 : 1;
}
