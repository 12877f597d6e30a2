// Nor adds to it.
__constant__ float total;
__global__ void add(float x) {
  // refused: x
  total += x;
}
int main() {}
