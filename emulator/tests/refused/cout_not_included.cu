// And std::cout.
// told by: g++
int main() {
  // refused: 'cout' is not a member of 'std'
  std::cout << 1;
}
