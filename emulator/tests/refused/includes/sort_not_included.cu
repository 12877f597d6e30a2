// And std::sort.
// reported by: g++
int main() {
  int x[3] = {3, 2, 1};
  // refused: 'sort' is not a member of 'std'; did you mean 'sqrt'?
  std::sort(x, x + 3);
}
