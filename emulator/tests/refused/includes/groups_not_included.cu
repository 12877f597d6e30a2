// And cooperative_groups.
// reported by: g++
__global__ void wait() {
  // refused: 'cooperative_groups' has not been declared
  cooperative_groups::this_thread_block().sync();
}
int main() {}
