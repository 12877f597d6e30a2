// The checks of exercise 18b. The kernels under test are in swapped_ids.cl.

#include "checks/opencl.hpp"

namespace {

namespace exercise = course::exercise;

constexpr std::size_t tile = 16;

struct Shape {
  std::size_t rows;
  std::size_t cols;
};

std::string words(const Shape& shape) {
  return std::to_string(shape.rows) + " rows and " + std::to_string(shape.cols) + " columns";
}

std::vector<float> matrix(const Shape& shape) {
  return course::exact_vector(shape.rows * shape.cols, 8, 1);
}

/// Whole work-groups of 16 x 16 over a matrix: number 0 counts columns.
cl::NDRange over(const Shape& shape) {
  const auto whole = [](std::size_t count) { return (count + tile - 1) / tile * tile; };
  return {whole(shape.cols), whole(shape.rows)};
}

void expect_scaled(const Shape& shape) {
  exercise::OpenCl opencl("-D TILE=16");
  const std::vector<float> values = matrix(shape);
  const std::vector<float> factors = course::exact_vector(shape.rows, 8, 2);
  exercise::OpenClArray<float> A(opencl, values);
  exercise::OpenClArray<float> scale(opencl, factors);
  exercise::OpenClArray<float> C(opencl, values.size());
  opencl.run("scale_rows", over(shape), cl::NDRange(tile, tile), A.buffer(), scale.buffer(),
             C.buffer(), static_cast<cl_int>(shape.rows), static_cast<cl_int>(shape.cols));
  std::vector<double> expected(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected[i] = double{factors[i / shape.cols]} * double{values[i]};
  }
  exercise::expect_exact(C.to_host(), expected, shape.rows, shape.cols, words(shape));
  exercise::expect_intact(C.intact(), "C", words(shape));
}

void expect_turned(const Shape& shape) {
  exercise::OpenCl opencl("-D TILE=16");
  const std::vector<float> values = matrix(shape);
  exercise::OpenClArray<float> A(opencl, values);
  exercise::OpenClArray<float> T(opencl, values.size());
  opencl.run("turn", over(shape), cl::NDRange(tile, tile), A.buffer(), T.buffer(),
             static_cast<cl_int>(shape.rows), static_cast<cl_int>(shape.cols));
  std::vector<double> expected(values.size());
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (std::size_t col = 0; col < shape.cols; ++col) {
      expected[col * shape.rows + row] = values[row * shape.cols + col];
    }
  }
  exercise::expect_exact(T.to_host(), expected, shape.cols, shape.rows, words(shape));
  exercise::expect_intact(T.intact(), "T", words(shape));
}

/// One row of work-items turns one row of a tile. Nothing has filled the rest, so what they write
/// is not a result, but where they write is: side by side, in the first row of T.
void expect_written_along_rows() {
  exercise::OpenCl opencl("-D TILE=16");
  exercise::OpenClArray<float> A(opencl, matrix({tile, tile}));
  exercise::OpenClArray<float> T(opencl, tile * tile);
  opencl.run("turn", cl::NDRange(tile, 1), cl::NDRange(tile, 1), A.buffer(), T.buffer(),
             static_cast<cl_int>(tile), static_cast<cl_int>(tile));
  const std::vector<float> got = T.to_host();
  for (std::size_t row = 1; row < tile; ++row) {
    if (got[row * tile] != got[row * tile]) continue;  // NaN: not written
    FAIL(
        "turn() writes along the columns of T: neighbouring work-items, whose id 0 differs by one, "
        "write ",
        tile,
        " elements apart. The tile lets neighbours write neighbours: each has to write what "
        "another has read.\nread again: chapters/11_transpose/README.md, 'The idea'");
  }
}

}  // namespace

TEST_CASE("correct: rows are scaled where the work-groups fit") {
  if (exercise::no_opencl()) return;
  for (const Shape& shape : {Shape{32, 32}, {16, 64}, {64, 16}, {48, 128}}) expect_scaled(shape);
}

TEST_CASE("correct: one tile is turned") {
  if (exercise::no_opencl()) return;
  expect_turned({16, 16});
}

TEST_CASE("correct: many tiles are turned") {
  if (exercise::no_opencl()) return;
  for (const Shape& shape : {Shape{32, 32}, {16, 48}, {64, 32}}) expect_turned(shape);
  expect_written_along_rows();
}

TEST_CASE("safe: awkward shapes and nothing outside the results") {
  if (exercise::no_opencl()) return;
  for (const Shape& shape :
       {Shape{1, 1}, {3, 5}, {17, 16}, {15, 33}, {31, 1}, {1, 127}, {65, 40}}) {
    expect_scaled(shape);
    expect_turned(shape);
  }
}
