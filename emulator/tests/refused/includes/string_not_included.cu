// So does std::string.
// reported by: g++
int main() {
  // refused: 'string' is not a member of 'std'
  std::string s = "a";
  return s.empty();
}
