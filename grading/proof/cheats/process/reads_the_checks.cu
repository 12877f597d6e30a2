// A cheat for 01a: looks for the checks and the solution in the file system while it runs.
// expected: refused: filesystem

#include <filesystem>
#include <fstream>
#include <string>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("/")) {
    if (entry.path().filename() != "check.cpp") continue;
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
  }
}
