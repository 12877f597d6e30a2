#define main chapter_main  // not the main() of the test
#include "transpose.cu"
#undef main

#include <doctest/doctest.h>

#include "testing/awkward_shapes.hpp"
#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Those of all chapters, and more: around a chunk, a sector, a tile of each kernel and a window;
// primes; rows that begin at multiples of 16 bytes, and end in the middle of a tile.
std::vector<std::pair<int, int>> shapes() {
  std::vector<std::pair<int, int>> all = course::testing::awkward_shapes;
  for (const int size : {4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 119, 120, 121, 123, 124, 125, 128}) {
    all.push_back({size, size});
    all.push_back({size, 129});
    all.push_back({131, size});
  }
  all.insert(all.end(), {{72, 136}, {200, 8}, {8, 200}, {512, 384}, {409, 419}, {300, 1001}});
  return all;
}

// Every element is another number, as far as 2 bytes can tell.
template <class E>
void check_shape(int m, int n) {
  CAPTURE(m);
  CAPTURE(n);
  const size_t count = static_cast<size_t>(m) * n;
  std::vector<E> matrix(count);
  std::vector<E> transposed(count);
  for (size_t i = 0; i < count; ++i) {
    matrix[i] = static_cast<E>(i % 65521 + 1);
    transposed[i % n * m + i / n] = matrix[i];
  }
  GuardedArray<E> A(matrix);
  for (const TransposeRung<E>& rung : rungs<E>) {
    if (!rung.takes(m, n)) continue;
    CAPTURE(full_name(rung));
    GuardedArray<E> B(count);
    rung.launch({A.data(), B.data(), m, n});
    CHECK(B.to_host() == (rung.transposes ? transposed : matrix));
    CHECK(B.intact());
  }
  CHECK(A.intact());
  CHECK(A.to_host() == matrix);
}

}  // namespace

TEST_CASE("elements of 4 bytes: shapes of all kinds, nothing touched beside them") {
  course::device();  // ends the test as skipped where there is none
  for (const auto& [m, n] : shapes()) check_shape<float>(m, n);
}

TEST_CASE("elements of 2 bytes: shapes of all kinds, nothing touched beside them") {
  course::device();
  for (const auto& [m, n] : shapes()) check_shape<TwoBytes>(m, n);
}

// More than one band, the last of them not full, and more than one column of tiles.
TEST_CASE("more rows of tiles than a band has") {
  course::device();
  check_shape<float>(256 * 8 + 68, 132);
  check_shape<TwoBytes>(256 * 8 + 136, 136);
}

TEST_CASE("no rows, or no columns") {
  course::device();
  for (const auto& [m, n] : {std::pair{0, 0}, {0, 5}, {5, 0}}) {
    for (const auto& rung : rungs<float>) rung.launch({nullptr, nullptr, m, n});
    for (const auto& rung : rungs<TwoBytes>) rung.launch({nullptr, nullptr, m, n});
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

// What the program and the bench trust: their own check of the result, on the device.
TEST_CASE("a wrong element is found, and named") {
  course::device();
  DeviceMatrices<float> matrices(37, 53);
  const TransposeRung<float>& rung = rungs<float>.back();
  CHECK(!matrices.verify(true));
  rung.launch({matrices.a(), matrices.b(), 37, 53});
  CHECK(matrices.verify(true));
  CHECK(!matrices.verify(false));
  const float wrong = -1;
  CUDA_CHECK(cudaMemcpy(matrices.b() + 11 * 37 + 5, &wrong, sizeof wrong, cudaMemcpyHostToDevice));
  CHECK(matrices.verify(true).message ==
        "1 of 1961 elements are wrong, the first in row 11, column 5");
}

// Beyond 2^31 elements, where an int would no longer do: nearly square, tall and flat.
TEST_CASE("more elements than an int can count") {
  course::device();
  size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (course::on_emulator || free_bytes < size_t{12} << 30) {
    MESSAGE("SKIPPED: wants a GPU with 12 GiB of free memory");
    return;
  }
  for (const auto& [m, n] : {std::pair{46341, 46349}, {5, 500000003}, {500000003, 5}}) {
    DeviceMatrices<TwoBytes> matrices(m, n);
    for (const TransposeRung<TwoBytes>& rung : rungs<TwoBytes>) {
      if (!rung.takes(m, n)) continue;
      CAPTURE(rung.name);
      matrices.poison();
      rung.launch({matrices.a(), matrices.b(), m, n});
      CHECK(matrices.verify(rung.transposes));
    }
  }
}
