// printf() has to be included, for a kernel as well.
// reported by: g++
__global__ void tell(const int* x) {
  // refused: 'printf' was not declared in this scope
  printf("%d", x[0]);
}
int main() {}
