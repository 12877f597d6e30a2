#define main chapter_main  // not the main() of the test
#include "sparse.cu"
#undef main

#include <doctest/doctest.h>

#include <type_traits>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// A matrix on the device, between guard zones, with x and what y has to be.
struct Case {
  explicit Case(const HostCsr& host)
      : host(host),
        x(course::exact_vector(host.cols, std::max(1, host.longest()), 3)),
        expected(reference_product(host, x)),
        d_offsets(host.offsets),
        d_columns(host.columns),
        d_values(host.values),
        d_x(x),
        d_y(host.rows) {}

  Csr csr() {
    return {host.rows,        host.cols,        host.elements(),
            d_offsets.data(), d_columns.data(), d_values.data()};
  }
  void verify() {
    const std::vector<float> y = d_y.to_host();
    const auto verdict = course::verify_exact(y.data(), expected.data(), y.size(), 1);
    CHECK_MESSAGE(verdict.passed, verdict.message);
    CHECK(d_y.intact());
    CHECK(d_offsets.to_host() == host.offsets);
    CHECK(d_columns.to_host() == host.columns);
    d_y.poison();
  }

  HostCsr host;
  std::vector<float> x;
  std::vector<double> expected;
  GuardedArray<int> d_offsets, d_columns;
  GuardedArray<float> d_values, d_x, d_y;
};

// Every function that takes the rows as they are, twice each: a launch leaves its workspace ready.
void check_csr(const HostCsr& host) {
  Case c(host);
  GuardedArray<unsigned char> workspace(workspace_bytes(host.rows, host.elements()));
  if (workspace.size() > 0) CUDA_CHECK(cudaMemset(workspace.data(), 0, workspace.size()));
  for (const Variant& variant : variants) {
    CAPTURE(variant.name);
    for (int time = 0; time < 2; ++time) {
      variant.launch({c.csr(), c.d_x.data(), c.d_y.data(), workspace.data()});
      c.verify();
    }
    CHECK(workspace.intact());
  }
}

}  // namespace

TEST_CASE("ours and the others: every kind of matrix") {
  course::device();  // ends the test as skipped where there is none
  for (const std::string& kind : kinds) {
    for (const int rows : {1, 2, 31, 33, 257, 1009}) {
      for (const double mean : {0.3, 3.0, 17.0}) {
        CAPTURE(kind);
        CAPTURE(rows);
        CAPTURE(mean);
        check_csr(make_matrix(kind, rows, mean, 7));
      }
    }
  }
}

TEST_CASE("ours: tiles of both shapes, rows that begin and end in tiles far apart") {
  course::device();
  // Rows of equal length around a tile's, and single long ones between short ones.
  for (const int length : {1023, 1025, 2047, 2049, 4097, 9001}) {
    for (const int rows : {1, 2, 7}) {
      std::vector<int> lengths(rows, length);
      if (rows == 7) lengths[1] = lengths[4] = lengths[5] = 1;
      CAPTURE(length);
      CAPTURE(rows);
      const HostCsr host = matrix_of(rows, 10007, lengths, Pattern::spread, 3);
      Case c(host);
      GuardedArray<unsigned char> workspace(workspace_bytes(host.rows, host.elements()));
      CUDA_CHECK(cudaMemset(workspace.data(), 0, workspace.size()));
      using Launch = void (*)(const Product&);
      for (const Launch launch :
           {Launch{launch_tiles<SmallTiles>}, Launch{launch_tiles<LargeTiles>}}) {
        for (int time = 0; time < 2; ++time) {
          launch({c.csr(), c.d_x.data(), c.d_y.data(), workspace.data()});
          c.verify();
        }
      }
      CHECK(workspace.intact());
    }
  }
}

// Blocks of their own write these; a tile has to leave them out, and nothing else.
TEST_CASE("ours: more empty rows than a tile should write") {
  course::device();
  for (const int before : {0, 5, empty_rows, empty_rows + 1}) {
    for (const int empty : {empty_rows - 1, 2 * empty_rows, 3 * empty_rows + 7}) {
      std::vector<int> lengths(before + empty + 20, 0);
      for (int r = 0; r < before; r += 7) lengths[r] = 1;
      for (int r = 0; r < 20; r += 3) lengths[before + empty + r] = 3;
      CAPTURE(before);
      CAPTURE(empty);
      check_csr(matrix_of(static_cast<int>(lengths.size()), 100, lengths, Pattern::spread, 5));
      lengths.resize(before + empty);  // nothing behind them
      check_csr(matrix_of(static_cast<int>(lengths.size()), 100, lengths, Pattern::spread, 5));
    }
  }
}

// Data that rounds: the order of additions must not depend on which tile is ready first.
TEST_CASE("ours and merged give the same bits every time") {
  course::device();
  HostCsr host = make_matrix("half", 3001, 13, 4);
  host.values = course::random_vector(host.values.size(), 6);
  const course::DeviceArray<float> x(course::random_vector(host.cols, 7));
  const DeviceCsr A(host);
  course::DeviceArray<float> y(host.rows);
  using Launch = void (*)(const Product&);
  for (const Launch launch : {Launch{launch_ours}, Launch{launch_merged}}) {
    std::vector<float> first;
    for (int time = 0; time < 5; ++time) {
      y.poison();
      launch({A.view(), x, y, A.workspace});
      if (time == 0) first = y.to_host();
      CHECK(y.to_host() == first);
    }
  }
}

TEST_CASE("empty matrices: no rows, no elements") {
  course::device();
  check_csr(HostCsr());
  for (const int rows : {1, 40}) {
    check_csr(matrix_of(rows, 3, std::vector<int>(rows, 0), Pattern::spread, 1));
  }
}

TEST_CASE("other forms give the same product, and lead back") {
  course::device();
  for (const std::string& kind : kinds) {
    for (const int rows : {1, 31, 33, 257}) {
      CAPTURE(kind);
      CAPTURE(rows);
      const HostCsr host = make_matrix(kind, rows, 6, 11);
      Case c(host);
      const DeviceCsr A(host);
      OtherForms forms(A);
      forms.make_coo();
      forms.make_csr();
      CHECK(forms.offsets.to_host() == host.offsets);
      CHECK(forms.width == host.longest());
      launch_coo(forms.coo(), c.d_x.data(), c.d_y.data());
      c.verify();
      forms.make_sliced();
      launch_sliced_ell(forms.sliced(), c.d_x.data(), c.d_y.data());
      c.verify();
      if (!forms.has_ell()) continue;
      forms.make_ell();
      launch_ell(forms.ell(), c.d_x.data(), c.d_y.data());
      c.verify();
    }
  }
}

TEST_CASE("several columns") {
  course::device();
  const HostCsr host = make_matrix("uniform", 101, 7, 3);
  Case c(host);
  const auto check = [&](auto columns, auto launch) {
    constexpr int k = decltype(columns)::value;
    std::vector<float> X(c.x.size() * k);
    for (size_t i = 0; i < X.size(); ++i) X[i] = c.x[i / k] * static_cast<float>(i % k + 1);
    GuardedArray<float> d_X(X), d_Y(c.expected.size() * k);
    launch(c.csr(), d_X.data(), d_Y.data());
    const std::vector<float> Y = d_Y.to_host();
    size_t wrong = 0;
    for (size_t i = 0; i < Y.size(); ++i) {
      wrong += Y[i] != static_cast<float>(c.expected[i / k] * static_cast<double>(i % k + 1));
    }
    CHECK(wrong == 0);
    CHECK(d_Y.intact());
  };
  check(std::integral_constant<int, 1>(), launch_columns<1>);
  check(std::integral_constant<int, 4>(), launch_columns<4>);
  check(std::integral_constant<int, 32>(), launch_columns<32>);
}

TEST_CASE("levels: top down, bottom up, by turns; one way and both ways") {
  course::device();
  for (const char* const kind : {"banded", "uniform", "power law"}) {
    for (const int vertices : {1, 33, 500}) {
      for (const bool is_both : {false, true}) {
        const HostCsr one = make_matrix(kind, vertices, 4, 9);
        const HostCsr out = is_both ? both_ways(one) : one;
        const DeviceCsr d_out(out), d_in(transposed(out));
        const int source = vertices / 2;
        for (const Direction direction :
             {Direction::top_down, Direction::bottom_up, Direction::by_turns}) {
          GuardedArray<int> levels(vertices), queues(2 * vertices + size_t{1});
          const int count = launch_levels({d_out.view(), d_in.view()}, source, direction,
                                          levels.data(), queues.data());
          const std::vector<int> expected = reference_levels(out, source);
          CHECK(levels.to_host() == expected);
          CHECK(count == *std::max_element(expected.begin(), expected.end()) + 1);
          CHECK(levels.intact());
          CHECK(queues.intact());
        }
      }
    }
  }
}
