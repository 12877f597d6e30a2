// And std::unique_ptr.
// told by: g++
int main() {
  // refused: 'unique_ptr' is not a member of 'std'
  std::unique_ptr<int> p;
}
