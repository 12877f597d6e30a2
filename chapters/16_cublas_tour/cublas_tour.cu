// Chapter 16: a tour of cuBLAS, lesson by lesson. Every call is compared with plain loops of ours,
// bit for bit on small whole numbers; memory that must not be read holds NaNs, and memory that must
// not be written is checked afterwards. Each lesson has its own header:
//
//   workflow.hpp       handle, memory, set, compute, get, destroy
//   settings.hpp       what a handle remembers: pointers, atomics, precision, workspace, stream
//   vectors.hpp        level 1
//   matrix_vector.hpp  level 2
//   matrices.hpp       level 3
//   batches.hpp        many small products
//   types.hpp          S, D, C, Z, H and mixed types
//   lt.hpp             cuBLASLt: layouts, heuristics, epilogues
//   mistakes.hpp       the most common mistakes, made on purpose
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -I ../../common/lesson cublas_tour.cu -o cublas_tour -lcublas -lcublasLt

#include <algorithm>
#include <array>
#include <string>

#include "batches.hpp"
#include "course.hpp"
#include "cublas.hpp"
#include "lt.hpp"
#include "matrices.hpp"
#include "matrix_vector.hpp"
#include "mistakes.hpp"
#include "settings.hpp"
#include "tour.hpp"
#include "types.hpp"
#include "vectors.hpp"
#include "workflow.hpp"

constexpr std::array parts = {"all",      "workflow", "settings", "vectors", "matrix-vector",
                              "matrices", "batches",  "types",    "lt"};

// The extents of a tour of size m: n and k differ, so that swapping two of them shows.
void take(Tour& tour, const std::string& part, int m) {
  const int n = 2 * m / 3 + 1;
  const int k = m / 3 + 2;
  const auto wanted = [&](const char* name) { return part == "all" || part == name; };
  if (wanted("workflow")) workflow(tour, m, n);
  if (wanted("settings")) settings(tour, m, n, k);
  if (wanted("vectors")) vectors(tour, m);
  if (wanted("matrix-vector")) matrix_vector(tour, m, n);
  if (wanted("matrices")) matrices(tour, m, n, k);
  if (wanted("batches")) batches(tour, m / 8 + 1, n / 8 + 2, k / 8 + 3);
  if (wanted("types")) types(tour, m, n, k);
  if (wanted("lt")) lt(tour, m, n, k);
}

int main(int argc, char** argv) try {
  std::string part = "all";
  std::string mistake;
  course::Defaults defaults;
  defaults.program = "16_cublas_tour";
  defaults.description = "A tour of cuBLAS: every lesson's calls, held against plain loops.";
  defaults.on_gpu = {1000, 1};
  defaults.on_emulator = {100, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  defaults.own_options.push_back(
      {"--part", "NAME",
       "'all', 'workflow', 'settings', 'vectors', 'matrix-vector', 'matrices', 'batches', 'types' "
       "or 'lt'",
       "which lesson: all, workflow, settings, vectors, matrix-vector, matrices, batches, types or "
       "lt (default all)",
       [&](const std::string& name) {
         part = name;
         return std::find(parts.begin(), parts.end(), name) != parts.end();
       }});
  defaults.own_options.push_back({"--mistake", "NAME", list_of_mistakes(),
                                  "make that mistake, and nothing else",
                                  [&](const std::string& name) {
                                    mistake = name;
                                    return is_mistake(name);
                                  }});
  const course::Options options = course::parse_options(argc, argv, defaults);
  const auto size = static_cast<double>(options.rows);
  course::require_memory(options, 64 * size * size, 16 * size * size);
  course::Report report(options, course::CeilingKind::copy);
  Tour tour(options, report);
  if (!mistake.empty()) {
    make_mistake(tour, mistake);
  } else {
    take(tour, part, static_cast<int>(options.rows));
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
