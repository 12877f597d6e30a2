#include <doctest/doctest.h>

#include "backward.hpp"
#include "cases.hpp"

using namespace attention;

namespace {

using Doubles = std::vector<double>;

// Gradients by the definition, in doubles.
struct Right {
  Doubles dQ, dK, dV;

  Right(const Shape& s, const Problem& p, const HostInputs& in, const std::vector<Bf16>& dO)
      : dQ(in.Q.size()), dK(in.K.size()), dV(in.V.size()) {
    const int size = s.size;
    for (int head = 0; head < p.all_heads(); ++head) {
      for (int query = 0; query < s.queries; ++query) {
        const std::int64_t q = (p.query_row(head) + query) * size, k = p.key_row(head) * size;
        const Row row = expected_row(s, p, in, head, query);
        double D = 0;
        for (int x = 0; x < size; ++x) D += course::as_double(dO[q + x]) * row.o[x];
        for (int j = 0; j < p.keys_of(query); ++j) {
          const std::int64_t at = k + std::int64_t{j} * size;
          const double score = double{p.scale} * dot(&in.Q[q], &in.K[at], size);
          const double weight = std::exp(score - row.log);
          const double slope = weight * (dot(&dO[q], &in.V[at], size) - D) * double{p.scale};
          for (int x = 0; x < size; ++x) {
            dV[at + x] += weight * course::as_double(dO[q + x]);
            dQ[q + x] += slope * course::as_double(in.K[at + x]);
            dK[at + x] += slope * course::as_double(in.Q[q + x]);
          }
        }
      }
    }
  }
};

// The largest error, relative to the root mean square of all that is right, or to a thousandth.
double error_of(const std::vector<Bf16>& got, const Doubles& right) {
  double squares = 0, largest = 0;
  for (const double value : right) squares += value * value;
  const double floor = std::sqrt(squares / static_cast<double>(right.size()) + 1e-6);
  for (std::size_t i = 0; i < right.size(); ++i) {
    largest = std::max(largest, course::error_of(course::as_double(got[i]), right[i], floor));
  }
  return largest;
}

template <int size>
void check_gradients(const Shape& shape) {
  CAPTURE(shape.queries);
  CAPTURE(shape.keys);
  Data data(shape, 17);
  launch_online<size>(data.problem);
  const std::vector<Bf16> host_dO =
      course::some_numbers<Bf16>(shape.logs(), static_cast<std::size_t>(size), 23);
  const course::DeviceArray<Bf16> dO(host_dO);
  course::DeviceArray<Bf16> dQ(data.Q.size()), dK(data.K.size()), dV(data.V.size());
  course::DeviceArray<float> D(shape.logs());
  launch_backward<size>(data.problem, {dO, dQ, dK, dV, D});
  const Right right(shape, data.problem, data.host, host_dO);
  // D is of an O that was rounded to BF16, and so are results.
  constexpr double allowed = 0x1p-5;
  CHECK(error_of(dQ.to_host(), right.dQ) <= allowed);
  CHECK(error_of(dK.to_host(), right.dK) <= allowed);
  CHECK(error_of(dV.to_host(), right.dV) <= allowed);
}

}  // namespace

TEST_CASE("gradients: ragged, causal, with heads that share keys") {
  course::device();
  check_gradients<64>({1, 1, 1, 1, 1, 64});
  check_gradients<64>({1, 2, 1, 33, 65, 64});
  check_gradients<64>({2, 2, 1, 40, 70, 64, true});
  check_gradients<64>({1, 1, 1, 70, 37, 64, true});  // some queries see no key
  check_gradients<128>({1, 4, 2, 31, 33, 128, true});
}

TEST_CASE("gradients of nothing") {
  course::device();
  check_gradients<64>({1, 1, 1, 0, 5, 64});
  check_gradients<64>({1, 1, 1, 5, 0, 64});
}
