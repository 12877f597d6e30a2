// And std::thread.
// reported by: g++
int main() {
  // refused: 'thread' is not a member of 'std'
  std::thread t;
}
