// Chapter 18 where OpenCL's headers, or a library to link, were not there at compile time.

#include <cstdio>

int main() {
  std::puts(
      "SKIPPED: OpenCL was not there at compile time: install it (Debian, Ubuntu: apt-get install "
      "pocl-opencl-icd opencl-clhpp-headers ocl-icd-opencl-dev), then build again");
  return 77;
}
