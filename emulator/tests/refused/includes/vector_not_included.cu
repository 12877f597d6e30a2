// std::vector needs its header.
// reported by: g++
int main() {
  // refused: 'vector' is not a member of 'std'
  std::vector<int> x(3);
  return x[0];
}
