// NVIDIA's device runtime has some of CUDA's functions as well; the host may call all of them.
__global__ void k(int* p) {
  cudaGetDevice(p);
}

void copy(int* p) {
  cudaMemcpy(p, p, sizeof(int), cudaMemcpyDeviceToDevice);
}
int main() {}
