// Arguments that convert, and one that is left out.
struct Size {
  int rows, columns;
};
__global__ void fill(const float* x, double factor, Size size, int n = 3) {}
int main() {
  float* x = nullptr;
  fill<<<1, 32>>>(x, 1, Size{1, 2});
  fill<<<dim3(2, 2), 32>>>(nullptr, 2.0F, Size{1, 2}, 3U);
}
