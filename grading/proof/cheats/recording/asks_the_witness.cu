// A cheat for 01a: a request to Valgrind, should one be watching, to run a function unwatched.
// expected: 0 points
// told: an instruction of the file's own

#include "check.hpp"

// The instructions that Valgrind takes for a request. The first asks whether it is there, the
// second to call inside() by itself.
#define REQUEST                                                                          \
  "\tmov %rsp,%rax\n\txor %edx,%edx\n\trolq $3,%rdi\n\trolq $13,%rdi\n\trolq $61,%rdi\n" \
  "\trolq $51,%rdi\n\txchgq %rbx,%rbx\n"
[[gnu::used,
  gnu::section(
      ".data\n\t.text\n\t.globl unwatched\n\t.type unwatched,@function\nunwatched:\n"
      "\tsub $56,%rsp\n\tmovq $0x1001,(%rsp)\n" REQUEST
      "\ttest %edx,%edx\n\tjz alone\n\tmovq $0x1102,(%rsp)\n\tlea inside(%rip),%rax\n"
      "\tmov %rax,8(%rsp)\n\tmov %rdi,16(%rsp)\n" REQUEST
      "\tmov %edx,%eax\n\tadd $56,%rsp\n\tret\nalone:\n\tmov (%rdi),%eax\n\tadd $56,%rsp\n\tret\n"
      "inside:\n\tmov (%rsi),%eax\n\tret\n\t.section .data #")]] int place = 1;
extern "C" __device__ int unwatched(const void* p);

__device__ float get(const float* p) {
  return __int_as_float(unwatched(p));
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = get(&b[i]);
  for (int j = 0; j < n; ++j) {
    sum -= get(&A[static_cast<size_t>(i) * lda + j]) * get(&x[j]);
  }
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
