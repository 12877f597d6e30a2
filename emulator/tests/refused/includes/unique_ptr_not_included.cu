// And std::unique_ptr.
// reported by: g++
int main() {
  // refused: 'unique_ptr' is not a member of 'std'
  std::unique_ptr<int> p;
}
