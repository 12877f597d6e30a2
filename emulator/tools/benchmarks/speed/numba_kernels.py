"""The kernels of kernels.cuh in Python, for Numba's simulator of CUDA; bench_speed.py runs it.

    NUMBA_ENABLE_CUDASIM=1 python numba_kernels.py KERNEL SIZE LAUNCHES
    python numba_kernels.py --version

Prints what bench.cu prints, one line per launch, on the same data.
"""

import os
import sys
import time

import numba
import numpy
from numba import cuda

SGEMV_BLOCK = 128


@cuda.jit
def sgemv(n, a, x, y):
    row = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if row >= n:
        return
    total = numpy.float32(0)
    for j in range(n):
        total += a[j * n + row] * x[j]
    y[row] = total


def gemm_of(tile):
    @cuda.jit
    def gemm(n, a, b, c):
        a_tile = cuda.shared.array((tile, tile), numba.float32)
        b_tile = cuda.shared.array((tile, tile), numba.float32)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        col = cuda.blockIdx.x * tile + tx
        row = cuda.blockIdx.y * tile + ty
        total = numpy.float32(0)
        for first in range(0, n, tile):
            a_tile[ty, tx] = a[row * n + first + tx] if row < n and first + tx < n else 0
            b_tile[ty, tx] = b[(first + ty) * n + col] if first + ty < n and col < n else 0
            cuda.syncthreads()
            for p in range(tile):
                total += a_tile[ty, p] * b_tile[p, tx]
            cuda.syncthreads()
        if row < n and col < n:
            c[row * n + col] = total

    return gemm


def values(count, which):
    """The data of problem.hpp."""
    mixed = (numpy.arange(count, dtype=numpy.uint32) + numpy.uint32(77777 * which)) * numpy.uint32(2654435761)
    return ((mixed >> 29).astype(numpy.int32) - 3).astype(numpy.float32)


def main(kernel, size, launches):
    gemm = kernel != "sgemv"
    a = values(size * size, 0)
    b = values(size * size if gemm else size, 1)
    if gemm:
        tile = int(kernel.removeprefix("gemm"))
        blocks = -(-size // tile)
        code, grid, block = gemm_of(tile), (blocks, blocks), (tile, tile)
        right = (a.reshape(size, size) @ b.reshape(size, size)).ravel()
    else:
        code, grid, block = sgemv, -(-size // SGEMV_BLOCK), SGEMV_BLOCK
        right = b @ a.reshape(size, size)

    device_a, device_b = cuda.to_device(a), cuda.to_device(b)
    times = []
    for launch in range(launches + 1):  # the first does not count
        device_out = cuda.to_device(numpy.full(right.size, numpy.nan, dtype=numpy.float32))
        start, processor = time.perf_counter(), time.process_time()
        code[grid, block](size, device_a, device_b, device_out)
        cuda.synchronize()
        if launch > 0:
            times.append((1000 * (time.perf_counter() - start), 1000 * (time.process_time() - processor)))
    wrong = int((device_out.copy_to_host() != right).sum())
    if wrong:
        print(f"bench: {wrong} of {right.size} elements are wrong", file=sys.stderr)
        return 1
    for wall, processor in times:
        print(f"{wall:.6f} {processor:.6f}")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(numba.__version__)
        sys.exit(0)
    if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
        sys.exit("bench: NUMBA_ENABLE_CUDASIM is not 1: this would ask for a GPU")
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
