// main is the host's.
// refused: 'main' is the host's: it cannot be a __global__ function
__global__ void main() {}
