// A static member without __device__ is a variable of the host.
// reported by: clang
struct Settings {
  static int limit;
};
int Settings::limit = 3;
__global__ void clamp(int* x) {
  // refused: 'limit' is a variable of the host, which a kernel cannot use: pass it
  x[threadIdx.x] = Settings::limit;
}
int main() {}
