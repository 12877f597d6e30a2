// The launch functions with each number of devices that there are, up to eight, at sizes of all
// kinds. On the emulator CMake sets how many, and the order of the streams' work.

#include <doctest/doctest.h>

#include "parts.hpp"

using namespace gpus;

namespace {

// Around a float4, a warp, a block of words, and parts that are empty.
// With many emulated devices, which take turns, fewer.
std::vector<std::size_t> sizes_for(int devices) {
  if (course::on_emulator && devices > 4) return {0, 1, 5, 33};
  return {0, 1, 3, 5, 33, 257, 1025, 4099};
}

int devices_there() {
  course::device();  // ends the test as skipped where there is none
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  return std::min(count, most_devices);
}

// Random floats on each device: their sums depend on the order, and the bits tell which it was.
struct Floats {
  Floats(const Group& group, std::size_t n) : group(group), in(group, n), out(group, n), n(n) {
    for (int me = 0; me < group.size(); ++me) {
      host.push_back(course::random_vector(n, 10 + me));
      in.copy_from(me, host[me]);
    }
    group.synchronise();
  }
  // The sum of element i, beginning with that device.
  float sum_from(std::size_t i, int first) const {
    float sum = host[first][i];
    for (int k = 1; k < group.size(); ++k) sum += host[(first + k) % group.size()][i];
    return sum;
  }
  template <class First>
  void check(First first_of) const {
    for (int me = 0; me < group.size(); ++me) {
      CAPTURE(me);
      const std::vector<float> got = out.to_host(me);
      std::vector<float> expected(n);
      for (std::size_t i = 0; i < n; ++i) expected[i] = sum_from(i, first_of(i));
      CHECK(got == expected);
    }
  }

  const Group& group;
  Arrays<float> in, out;
  std::size_t n;
  std::vector<std::vector<float>> host;
};

// The emulator looks at each word of a thread that waits, again and again, for each device.
bool takes_long(const Group& group, std::size_t n) {
  return course::on_emulator && group.size() > 2 && n * group.size() * group.size() > 700;
}

void check_way(const Group& group, Way way, std::size_t n, int blocks) {
  CAPTURE(n);
  CAPTURE(blocks);
  CAPTURE(static_cast<int>(way));
  const Floats floats(group, n);
  const AllReduce reduce(group, floats.in, floats.out);
  for (int round = 0; round < 2; ++round) {
    floats.out.poison();
    reduce.launch(way, n, blocks);
    group.synchronise();
    floats.check([](std::size_t) { return 0; });
  }
}

}  // namespace

TEST_CASE("all-reduce in one kernel: each way, at all sizes, in the order of the devices") {
  const Group group(devices_there());
  for (const std::size_t n : sizes_for(group.size())) {
    if (!takes_long(group, n)) check_way(group, Way::by_words, n, 0);
    check_way(group, Way::one_shot, n, 0);
    check_way(group, Way::two_shot, n, 0);
  }
  check_way(group, Way::one_shot, 1500, 2);
  check_way(group, Way::two_shot, 1500, 2);
}

TEST_CASE("all-reduce again and again, in graphs, with sizes and ways that change") {
  const Group group(devices_there());
  const Floats floats(group, 2500);
  const std::size_t words = takes_long(group, 1030) ? 10 : 1030;
  const AllReduce reduce(group, floats.in, floats.out);
  const Graphs graphs(group, 2, [&] {
    reduce.launch(Way::by_words, words);
    reduce.launch(Way::by_words, 7);
    reduce.launch(Way::two_shot, 1000, 2);
    reduce.launch(Way::one_shot, 2500, 3);
    reduce.launch(Way::by_words, words - 9);
  });
  for (int i = 0; i < 2; ++i) {
    floats.out.poison();
    graphs.launch();
    group.synchronise();
    floats.check([](std::size_t) { return 0; });
  }
}

// What comes before in a device's stream makes its input, and what comes behind uses its result.
TEST_CASE("all-reduce between other kernels of its streams") {
  const Group group(devices_there());
  const std::size_t n = takes_long(group, 700) ? 10 : 700;
  const Arrays<float> in(group, n), out(group, n);
  const AllReduce reduce(group, in, out);
  for (const Way way : {Way::by_words, Way::one_shot, Way::two_shot}) {
    for (unsigned series = 0; series < 2; ++series) {
      group.for_each([&](int me) {
        fill<<<2, 256, 0, group.stream(me)>>>(in[me], n, 0, series + me);
        CUDA_CHECK_LAUNCH();
      });
      reduce.launch(way, n);
      group.for_each([&](int me) {  // over what peers have just read
        add<<<2, 256, 0, group.stream(me)>>>(out[me], out[me], in[me], n);
        CUDA_CHECK_LAUNCH();
      });
      group.synchronise();
      for (int me = 0; me < group.size(); ++me) {
        std::vector<float> expected(n, 0.0F);
        for (std::size_t i = 0; i < n; ++i) {
          for (int k = 0; k < group.size(); ++k) expected[i] += 2 * number_of(i, series + k);
        }
        CHECK(in.to_host(me) == expected);
      }
    }
  }
}

TEST_CASE("all-reduce by a ring: in an order of its own for each chunk") {
  const Group group(devices_there());
  for (const std::size_t n : sizes_for(group.size())) {
    for (const int pieces : {1, 3}) {
      CAPTURE(n);
      CAPTURE(pieces);
      const Floats floats(group, n);
      const Ring ring(group, floats.in, floats.out, pieces);
      for (int round = 0; round < 2; ++round) {
        floats.out.poison();
        group.fork(), ring.launch(n), group.join();
        group.synchronise();
        floats.check([&](std::size_t i) {
          int chunk = 0;
          while (i >= Part(n, chunk, group.size()).end) ++chunk;
          return chunk;
        });
      }
    }
  }
}

TEST_CASE("all-reduce by a ring twice without a wait of the host") {
  const Group group(devices_there());
  const Sums sums(group, 600, 2);
  sums.poison();
  for (int i = 0; i < 2; ++i) sums.by_ring(600);
  group.synchronise();
  CHECK(sums.verify(600).passed);
}

TEST_CASE("products by rows at awkward shapes") {
  const Group group(devices_there());
  for (const auto& [m, n, k] : std::vector<std::tuple<int, int, int>>{{1, 1, 1},
                                                                      {2, 3, 5},
                                                                      {31, 33, 7},
                                                                      {33, 1, 129},
                                                                      {257, 2, 31},
                                                                      {64, 64, 64},
                                                                      {3, 40, 1}}) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const ByRows product(group, m, n, k);
    for (const int panels : {1, 3}) {
      for (int round = 0; round < 2; ++round) {
        product.poison();
        product.sgemm_by_rows(panels), product.sgemm_by_rows(panels);
        group.synchronise();
        const course::Verdict verdict = product.verify();
        CHECK_MESSAGE(verdict.passed, verdict.message);
      }
    }
    if (n > 1) continue;
    product.poison();
    product.sgemv_by_rows(2), product.sgemv_by_rows(3);
    group.synchronise();
    CHECK(product.verify().passed);
  }
}

TEST_CASE("a plane cut by rows, compared with the host") {
  const Group group(devices_there());
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{
           {group.size(), 1}, {group.size() + 1, 33}, {17, 5}, {40, 300}, {67, 31}}) {
    CAPTURE(rows);
    CAPTURE(cols);
    std::vector<float> x(static_cast<std::size_t>(rows) * cols);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = number_of(i, 0);
    const std::vector<float> expected = swept_on_host(x, rows, cols, 4);
    const Plane plane(group, rows, cols);
    for (const bool overlap : {false, true}) {
      plane.set();
      plane.sweeps(2, overlap), plane.sweeps(2, overlap);
      group.synchronise();
      CHECK(plane.result() == expected);
    }
  }
}

TEST_CASE("a product whose all-reduce hides behind it") {
  const Group group(devices_there());
  for (const auto& [m, n, k] :
       std::vector<std::tuple<int, int, int>>{{1, 1, 1}, {5, 4, 3}, {33, 20, 9}, {64, 48, 16}}) {
    CAPTURE(m);
    CAPTURE(n);
    const SplitProduct split(group, m, n, k);
    for (const int panels : {1, 4}) {
      split.poison();
      split.run(panels, 2), split.run(panels, 2);
      group.synchronise();
      const course::Verdict verdict = split.verify();
      CHECK_MESSAGE(verdict.passed, verdict.message);
    }
  }
}

TEST_CASE("hops: copies of both kinds, and flags to and fro") {
  const Group group(devices_there());
  if (group.size() < 2) {
    MESSAGE("SKIPPED: wants two devices");
    return;
  }
  for (const std::size_t bytes : {1, 33, 4096}) {
    const PeerCopies copies(group, bytes);
    copies.fill(5), copies.launch(2, true), group.synchronise();
    CHECK(copies.is_right(5, true));
  }
  const Arrays<unsigned> flags(group, most_devices);
  launch_meetings(group, flags, 20);
  group.synchronise();
  CHECK(flags.to_host(0)[1] == 20);
  CHECK(flags.to_host(1)[0] == 20);
}

TEST_CASE("NCCL's sums") {
  if (!has_nccl) {
    MESSAGE("SKIPPED: no NCCL when this was compiled");
    return;
  }
  const Group group(devices_there());
  const Sums sums(group, 1000);
  sums.poison(), sums.by_nccl(1000), group.synchronise();
  CHECK(sums.verify(1000).passed);
}
