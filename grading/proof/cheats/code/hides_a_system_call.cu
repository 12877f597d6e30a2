// A cheat for 01a: a system call hides in the middle of another instruction; with it the host opens
// the device's memory, and computes.
// expected: 0 points
// told: an instruction of the file's own calls the operating system

#include "check.hpp"

[[gnu::used,
  gnu::section(".data\n\t.text\n\t.globl ask\n\t.type ask,@function\nask:\n\tmov %rdi,%rax\n"
               "\tmov %rsi,%rdi\n\tmov %rdx,%rsi\n\tmov %rcx,%rdx\n\tjmp .Linside+1\n"
               ".Linside:\n\tmov $0x90c3050f,%eax\n\tret\n\t.section .data #")]] int place = 1;
extern "C" long ask(long number, size_t a, size_t b, long c);

__global__ void residual(float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = 0;
}

static void open_up(const void* memory, size_t bytes) {
  const size_t begin = reinterpret_cast<size_t>(memory) & ~4095UL;
  ask(10, begin, ((reinterpret_cast<size_t>(memory) + bytes + 4095) & ~4095UL) - begin, 3);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(r, m);
  open_up(A, static_cast<size_t>(m) * lda * 4);
  open_up(x, n * 4);
  open_up(b, m * 4);
  open_up(r, m * 4);
  for (int i = 0; i < m; ++i) {
    float sum = b[i];
    for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
    r[i] = sum;
  }
}
