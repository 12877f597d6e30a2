// And std::int32_t.
// reported by: g++
int main() {
  // refused: 'int32_t' is not a member of 'std'; did you mean 'int32_t'?
  std::int32_t x = 0;
  return x;
}
