// A kernel's variables are each thread's own, without the word.
__global__ void count(int* x) {
  // refused: device code has no thread_local variables: a kernel's are each
  thread_local int n = 1;
  x[0] = n;
}
int main() {}
