// And std::cout.
// reported by: g++
int main() {
  // refused: 'cout' is not a member of 'std'
  std::cout << 1;
}
