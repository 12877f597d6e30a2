// Chapter 06: y = A x, up to the ceiling: more bytes in flight.
//
// Memory has a long latency, so only many bytes in flight keep it busy: several elements per
// thread, and many threads at once. Three lessons, one file each; here they are run side by side:
//
//   one_thread_per_row.hpp   column-major A: more in each thread
//   split_columns.hpp        column-major A: more threads, the columns of a row split among them
//   along_a_row.hpp          row-major A: more threads, which read along the row
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson unroll.cu -o unroll

#include "along_a_row.hpp"
#include "course.hpp"
#include "one_thread_per_row.hpp"
#include "split_columns.hpp"

// The rungs, with what each thread has in flight before it waits (as the kernel is written: the
// compiler may reorder), and the number of threads.
std::vector<course::SgemvRung> column_major_rungs(float* partial) {
  const auto split_threads = [](int m, int n, int most_blocks, int block) {
    const Split split(m, n, most_blocks);
    return 1.0 * split.grid.x * split.grid.y * block;
  };
  return {
      {"unroll", launch_unroll, 64 * sizeof(float), [](int m, int) { return m; }},
      {"rows", launch_rows, 8 * rows_a_thread * sizeof(float), [](int m, int) { return m / 4; }},
      {"float4", launch_float4, 8 * sizeof(float4), [](int m, int) { return m / 4; }},
      {"split warps", launch_split_warps, 8 * sizeof(float4),
       [=](int m, int n) { return split_threads(m, n, 1, 1024); }},
      {"split atomics", launch_split_atomics, 8 * sizeof(float4),
       [=](int m, int n) { return split_threads(m, n, many_blocks, 256); }},
      {"split two passes",
       [=](const float* A, const float* x, float* y, int m, int n) {
         launch_split_two_passes(A, x, partial, y, m, n);
       },
       8 * sizeof(float4), [=](int m, int n) { return split_threads(m, n, many_blocks, 256); }}};
}
std::vector<course::SgemvRung> row_major_rungs() {
  const auto warps = [](int m, int) { return 1.0 * m * warp; };
  const auto blocks = [](int m, int) { return 1.0 * m * row_block; };
  return {{"warp per row", launch_warp_a_row, 8 * sizeof(float), warps},
          {"warp per row, float4", launch_warp_a_row_float4, 8 * sizeof(float4), warps},
          {"block per row", launch_block_a_row, 4 * sizeof(float4), blocks}};
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "06_unroll", "y = A x with more bytes in flight, from both layouts.");
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  course::Report report(options, course::CeilingKind::read);
  course::DeviceArray<float> partial(options.rows * Split(m, n, many_blocks).grid.y);
  course::verify_and_time(options, report, course::Layout::column_major,
                          column_major_rungs(partial));
  course::verify_and_time(options, report, course::Layout::row_major, row_major_rungs());
  if (m % 4 != 0) {
    report.note(std::to_string(m) +
                " rows are not a multiple of 4, so columns are not aligned: 'float4' "
                "ran as 'rows', and the others with loads of 4 bytes.");
  }
  if (n % 4 != 0) {
    report.note(std::to_string(n) +
                " columns are not a multiple of 4, so rows are not aligned: they were "
                "read with loads of 4 bytes.");
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
