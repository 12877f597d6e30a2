// So has assert().
// reported by: g++
__global__ void check(const int* x) {
  // refused: 'assert' was not declared in this scope
  assert(x[0] > 0);
}
int main() {}
