// Chapter 26: sparse matrices. y = A x where most elements of A are 0 and are not stored: in four
// forms, and by rows in five ways, of which the last gives each block equally many elements. Then
// what it costs to change the form, products with a few vectors at once, and the levels of a graph.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson sparse.cu -o
// sparse

#include "device.hpp"
#include "inputs.hpp"
#include "market.hpp"

struct Variant {
  const char* name;
  void (*launch)(const Product&);
};
const std::vector<Variant> variants = {
    {"thread per row", launch_rows}, {"warp per row", launch_lanes<32>},
    {"adaptive", launch_adaptive},   {"merge path", launch_merged},
    {"ours", launch_ours},
};

// What a product by rows must move: elements, offsets, x and y, each once.
double bytes_of_product(const Csr& A, int columns = 1) {
  return 8.0 * A.elements + 4.0 * (A.rows + 1.0) +
         4.0 * columns * (static_cast<double>(A.rows) + A.cols);
}

// What a product has to give. Numbers from a file are not exact: they are held to a bound.
struct Expected {
  Expected(const HostCsr& A, const std::vector<float>& x, bool is_exact)
      : y(reference_product(A, x)), is_exact(is_exact), terms(std::max(1, A.longest())) {
    if (is_exact) return;
    HostCsr absolute = A;
    for (float& value : absolute.values) value = std::fabs(value);
    std::vector<float> absolute_x = x;
    for (float& value : absolute_x) value = std::fabs(value);
    magnitude = reference_product(absolute, absolute_x);
  }
  course::Verdict verify(const std::vector<float>& got) const {
    if (is_exact) return course::verify_exact(got.data(), y.data(), y.size(), 1);
    return course::verify_bounded(got.data(), y.data(), magnitude.data(), y.size(), 1, terms);
  }

  std::vector<double> y, magnitude;
  bool is_exact;
  size_t terms;
};

void run_products(const course::Options& options, const HostCsr& A, bool is_exact,
                  course::Report& report) {
  const std::vector<float> x = course::exact_vector(A.cols, std::max(1, A.longest()), options.seed);
  const Expected expected(A, x, is_exact);
  const DeviceCsr d_A(A);
  const course::DeviceArray<float> d_x(x);
  course::DeviceArray<float> d_y(A.rows);
  const auto run = [&](const char* name, auto launch) {
    const course::Timing timing = TIME_EVENTS(options, d_y.poison(), launch());
    report.check(name, is_exact ? "exact data" : "the file", expected.verify(d_y.to_host()));
    report.add(name, timing, {bytes_of_product(d_A.view()), 2.0 * A.elements()});
  };
  OtherForms forms(d_A);
  const double rows = A.rows, elements = A.elements();
  const auto convert = [&](const char* name, double bytes, auto launch) {
    const course::Timing timing = TIME_EVENTS(options, static_cast<void>(0), launch());
    report.add(name, timing, {bytes, 0});
  };
  convert("to COO", 4 * (rows + 1) + 4 * elements, [&] { forms.make_coo(); });
  convert("to CSR", 4 * (rows + 1) + 4 * elements, [&] { forms.make_csr(); });
  report.check("to CSR", "offsets",
               {forms.offsets.to_host() == A.offsets, "the offsets are the matrix's own"});
  convert("widths", 4 * (rows + 1) + rows / slice_rows * 12, [&] { forms.find_widths(); });
  const auto sliced = static_cast<double>(forms.sliced_values->size());
  if (forms.has_ell()) {
    convert("to ELL", 8 * elements + 8 * rows * forms.width, [&] { forms.make_ell(); });
  } else {
    report.note("ELL is left out: with rows as long as the longest it would have more than " +
                std::to_string(static_cast<int>(most_padding)) + " times the elements.");
  }
  convert("to sliced ELL", 8 * elements + 8 * sliced, [&] { forms.make_sliced(); });

  run("COO", [&] { launch_coo(forms.coo(), d_x, d_y); });
  if (forms.has_ell()) run("ELL", [&] { launch_ell(forms.ell(), d_x, d_y); });
  run("sliced ELL", [&] { launch_sliced_ell(forms.sliced(), d_x, d_y); });
  for (const Variant& variant : variants) {
    run(variant.name, [&] { variant.launch({d_A.view(), d_x, d_y, d_A.workspace}); });
  }
}

// The same vector in each of four columns, in another order of magnitude: exact as well.
void run_columns(const course::Options& options, const HostCsr& A, course::Report& report) {
  constexpr int columns = 4;
  const std::vector<float> x = course::exact_vector(A.cols, std::max(1, A.longest()), options.seed);
  const std::vector<double> y = reference_product(A, x);
  std::vector<float> X(x.size() * columns);
  std::vector<double> Y(y.size() * columns);
  for (size_t i = 0; i < X.size(); ++i)
    X[i] = std::ldexp(x[i / columns], static_cast<int>(i % columns));
  for (size_t i = 0; i < Y.size(); ++i)
    Y[i] = std::ldexp(y[i / columns], static_cast<int>(i % columns));
  const DeviceCsr d_A(A);
  const course::DeviceArray<float> d_X(X);
  course::DeviceArray<float> d_Y(Y.size());
  const course::Timing timing =
      TIME_EVENTS(options, d_Y.poison(), launch_columns<columns>(d_A.view(), d_X, d_Y));
  report.check("4 columns", "exact data",
               course::verify_exact(d_Y.to_host().data(), Y.data(), A.rows, columns));
  report.add("4 columns", timing,
             {bytes_of_product(d_A.view(), columns), 2.0 * columns * A.elements()});
}

void run_levels(const course::Options& options, const HostCsr& edges, course::Report& report) {
  const HostCsr arriving = transposed(edges);
  const std::vector<int> expected = reference_levels(edges, 0);
  const DeviceCsr out(edges), in(arriving);
  course::DeviceArray<int> levels(edges.rows), queues(2 * edges.offsets.size());
  const auto run = [&](const char* name, Direction direction) {
    int count = 0;
    const course::Timing timing =
        TIME_EVENTS(options, levels.poison(),
                    count = launch_levels({out.view(), in.view()}, 0, direction, levels, queues));
    report.check(name, "levels", {levels.to_host() == expected, "each vertex has its level"});
    report.add(name, timing, {4.0 * edges.elements() + 8.0 * edges.rows, 0});
    if (direction == Direction::by_turns) {
      report.note("The graph: " + std::to_string(edges.rows) + " vertices, " +
                  std::to_string(edges.elements()) + " edges, " + std::to_string(count) +
                  " levels.");
    }
  };
  run("top down", Direction::top_down);
  run("bottom up", Direction::bottom_up);
  run("by turns", Direction::by_turns);
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "26_sparse";
  defaults.description = "y = A x with a sparse A, in several forms; and the levels of a graph.";
  defaults.on_gpu = {1 << 22, 1};
  defaults.on_emulator = {1 << 11, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  std::string kind = kinds[0], file;
  int mean = 32;
  defaults.add("--mean", &mean, 1, 1024, "elements in a row, on average");
  std::string all;
  for (const std::string& name : kinds) all += (all.empty() ? "" : ", ") + name;
  defaults.own_options.push_back(
      {"--kind", "NAME", all, "of matrix (default banded)", [&](const std::string& name) {
         kind = name;
         return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
       }});
  defaults.own_options.push_back({"--matrix", "FILE", "a file's name",
                                  "a Matrix Market file, as sample.mtx; --size is its rows",
                                  [&](const std::string& name) {
                                    file = name;
                                    return !name.empty();
                                  }});
  course::Options options = course::parse_options(argc, argv, defaults);
  HostCsr from_file;
  if (!file.empty()) {
    from_file = MarketFile(file).read();
    options.rows = from_file.rows;
  }
  const auto rows = static_cast<double>(options.rows);
  const double elements = file.empty() ? rows * mean : from_file.elements();
  if (rows + elements >= static_cast<double>(most_steps)) {
    throw course::UsageError("--size: rows and elements together must be fewer than 2^31");
  }
  course::require_memory(options, 40 * elements + 60 * rows,
                         8 * (3 + most_padding) * elements + 60 * rows);
  course::Report report(options, course::CeilingKind::read);

  for (const std::string& each : kinds) {  // enough to show everything
    const HostCsr small =
        make_matrix(each, static_cast<int>(std::min<size_t>(options.rows, 500)), 7, options.seed);
    const std::vector<float> x = course::exact_vector(small.cols, std::max(1, small.longest()));
    const Expected expected(small, x, true);
    const DeviceCsr d_small(small);
    const course::DeviceArray<float> d_x(x);
    for (const Variant& variant : variants) {
      course::DeviceArray<float> d_y(small.rows);
      variant.launch({d_small.view(), d_x, d_y, d_small.workspace});
      report.check(variant.name, each, expected.verify(d_y.to_host()));
    }
  }
  const bool is_exact = file.empty();
  const HostCsr A =
      is_exact ? make_matrix(kind, static_cast<int>(options.rows), mean, options.seed) : from_file;
  run_products(options, A, is_exact, report);
  if (is_exact) {
    run_columns(options, A, report);
    const int vertices = static_cast<int>(std::min<size_t>(options.rows, 1 << 20));
    run_levels(options, both_ways(make_matrix("uniform", vertices, 8, options.seed)), report);
  } else if (A.rows == A.cols) {
    run_levels(options, A, report);
  }
  return report.finish();
} catch (const course::UsageError& error) {
  std::fprintf(stderr, "26_sparse: %s\n", error.what());
  return 2;
} catch (const std::exception& error) {
  return course::report_failure(error);
}
