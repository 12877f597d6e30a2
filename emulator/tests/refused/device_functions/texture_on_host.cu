// The host reads a texture.
// reported by: clang
float first(cudaTextureObject_t texture) {
  // refused: the host cannot call 'tex2D', which is a __device__ function;
  return tex2D<float>(texture, 0.5F, 0.5F);
}
int main() {}
