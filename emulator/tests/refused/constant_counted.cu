// In no way.
__constant__ int count;
__global__ void step() {
  // refused: constant
  ++count;
}
int main() {}
