// A kernel has as many parameters as it says.
// refused: a __global__ function cannot have '...' among its parameters
__global__ void sum(int n, ...) {}
int main() {}
