// Without -rdc=true device code launches nothing.
__global__ void child(float* x) {
  x[0] = 1;
}
__global__ void parent(float* x) {
  // refused: device code launches a kernel only if it is compiled with -rdc=true
  child<<<1, 1>>>(x);
}
int main() {}
