// The host has no shared memory.
// reported by: clang
int main() {
  // refused: a host function has no __shared__ variables
  __shared__ int x[32];
  x[0] = 1;
  return x[0];
}
