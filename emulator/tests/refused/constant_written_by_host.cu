// Nor does the host write it by its name.
__constant__ int limit;
int main() {
  // refused: x
  limit = 3;
}
