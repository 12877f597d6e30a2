// A kernel makes an object whose constructor is the host's.
// reported by: clang
struct Counter {
  int value;
  Counter() { value = 1; }
};
__global__ void count(int* x) {
  // refused: a kernel cannot call the constructor of 'Counter', which is a __host__
  Counter c;
  x[0] = c.value;
}
int main() {}
