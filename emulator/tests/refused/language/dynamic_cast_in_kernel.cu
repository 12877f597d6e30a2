// Nor whose object it is.
struct Shape {
  __device__ virtual float area() { return 0; }
};
struct Square : Shape {
  float side;
  __device__ float area() override { return side * side; }
};
__global__ void measure(Shape* shape, float* x) {
  // refused: 'dynamic_cast' does not work on a GPU: device code knows no types at
  if (const auto* square = dynamic_cast<Square*>(shape)) x[0] = square->side;
}
int main() {}
