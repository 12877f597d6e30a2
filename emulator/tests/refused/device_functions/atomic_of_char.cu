// There is no atomic addition of bytes.
// reported by: g++
__global__ void count(char* x) {
  // refused: no matching function for call to 'atomicAdd(char*, int)'
  atomicAdd(x, 1);
}
int main() {}
