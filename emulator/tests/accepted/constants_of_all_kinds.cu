// 64 KB of constant memory are allowed; a declaration takes none.
extern __constant__ float large[8192];
__constant__ float large[8192];
namespace other {
__constant__ float small[2] = {1, 2};
}
__constant__ float weights[] = {1, 2, 3};
__constant__ const int steps = 4;
static __constant__ float rest[8186];
template <class T>
__constant__ T any[4];

__global__ void fill(float* a) {
  a[threadIdx.x] =
      large[threadIdx.x] + weights[0] + rest[1] + other::small[0] + steps + any<float>[0];
}
int main() {}
