// In no way.
__constant__ int count;
__global__ void step() {
  // refused: a __constant__ variable cannot be written: 'count' gets its value by
  ++count;
}
int main() {}
