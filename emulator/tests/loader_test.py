#!/usr/bin/env python3
"""Where the loader does not say where thread-local storage is, a program stops: shared memory is there.

    loader_test.py EMUCC
"""

import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include <link.h>
#include <cuda_runtime.h>
__global__ void kernel(int* out) {
  __shared__ int all[32];
  all[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = all[31];
}
#ifdef SILENT
// As a loader has it that fills in less of the structure.
extern "C" int dl_iterate_phdr(int (*callback)(dl_phdr_info*, size_t, void*), void* data) {
  dl_phdr_info info = {};
  return callback(&info, sizeof(info), data);
}
#endif
int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  kernel<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  return *out == 1 ? 0 : 1;
}
"""


def run(emucc, folder, *options):
    source, program = folder / "program.cu", folder / "program"
    source.write_text(PROGRAM, encoding="utf-8")
    subprocess.run([emucc, *options, source, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=False)


def main():
    emucc = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        usual = run(emucc, pathlib.Path(folder))
        silent = run(emucc, pathlib.Path(folder), "-DSILENT")
    if usual.returncode != 0:
        print(f"the program fails with this loader: {usual.stderr}")
        return 1
    if silent.returncode != 2 or "dlpi_tls_data" not in silent.stderr:
        print(f"status {silent.returncode} in place of 2, and this: {silent.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
