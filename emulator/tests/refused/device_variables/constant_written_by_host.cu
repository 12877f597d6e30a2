// Nor does the host write it by its name.
__constant__ int limit;
int main() {
  // refused: a __constant__ variable cannot be written: 'limit' gets its value by
  limit = 3;
}
