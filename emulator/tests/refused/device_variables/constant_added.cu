// Nor adds to it.
__constant__ float total;
__global__ void add(float x) {
  // refused: a __constant__ variable cannot be written: 'total' gets its value by
  total += x;
}
int main() {}
