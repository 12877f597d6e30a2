// Chapter 13: what the lanes of a warp can do for each other without memory: exchange values, vote,
// scan. Then two uses of that: a scan of a block's elements, and an append.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson warp.cu -o
// warp

#include <atomic>
#include <numeric>

#include "clocks.hpp"
#include "course.hpp"

unsigned blocks_for(size_t n, size_t elements_a_block) {
  return static_cast<unsigned>((n - 1) / elements_a_block + 1);
}

// Numbers without a pattern, all different up to 2^32 of them: so each reveals its origin.
unsigned number(size_t i, std::uint64_t seed) {
  const unsigned z = static_cast<unsigned>(i + seed) * 2654435769U;
  return z ^ z >> 16;
}
std::vector<unsigned> numbers(size_t n, std::uint64_t seed = 1) {
  std::vector<unsigned> x(n);
  course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) x[i] = number(i, seed);
  });
  return x;
}
// The index i of a number.
size_t index_of(unsigned value, std::uint64_t seed) {
  return static_cast<unsigned>((value ^ value >> 16) * 340573321U - static_cast<unsigned>(seed));
}

// --- exchanges within a warp -----------------------------------------------------------------

struct Exchange {
  std::string name;
  void (*launch)(const unsigned* x, size_t n, unsigned* y);
  unsigned (*on_cpu)(const unsigned* warp, int lane);  // the value that this lane gets
};

template <unsigned (*how)(unsigned)>
void launch_exchange(const unsigned* x, size_t n, unsigned* y) {
  if (n == 0) return;
  exchange<how><<<blocks_for(n, block), block>>>(x, n, y);
  CUDA_CHECK_LAUNCH();
}

template <int width>
void add_exchanges(std::vector<Exchange>& all) {
  const std::string text = " " + std::to_string(width);
  using Warp = const unsigned*;
  all.push_back({"broadcast" + text, launch_exchange<broadcast<width>>,
                 [](Warp warp, int l) { return warp[l / width * width]; }});
  all.push_back({"rotate" + text, launch_exchange<rotate<width>>,
                 [](Warp warp, int l) { return warp[l / width * width + (l + 1) % width]; }});
  all.push_back({"shift" + text, launch_exchange<shift<width>>,
                 [](Warp warp, int l) { return warp[l % width == width - 1 ? l : l + 1]; }});
  all.push_back({"swap halves" + text, launch_exchange<swap_halves<width>>,
                 [](Warp warp, int l) { return warp[l ^ width / 2]; }});
  all.push_back({"butterfly" + text, launch_exchange<butterfly<width>>, [](Warp warp, int l) {
                   const unsigned* const group = warp + l / width * width;
                   return std::accumulate(group, group + width, 0U);
                 }});
  all.push_back({"scan" + text, launch_exchange<inclusive_scan<width>>, [](Warp warp, int l) {
                   return std::accumulate(warp + l / width * width, warp + l + 1, 0U);
                 }});
}

unsigned equal_lanes(const unsigned* warp, unsigned value) {
  unsigned mask = 0;
  for (int k = 0; k < 32; ++k) mask |= (warp[k] == value ? 1U : 0U) << k;
  return mask;
}

std::vector<Exchange> all_exchanges() {
  std::vector<Exchange> all;
  add_exchanges<32>(all);
  add_exchanges<16>(all);
  add_exchanges<8>(all);
  add_exchanges<4>(all);
  add_exchanges<2>(all);
  using Warp = const unsigned*;
  all.push_back({"rank", launch_exchange<rank_among_odd>, [](Warp warp, int l) {
                   return static_cast<unsigned>(std::count_if(warp, warp + l, is_kept));
                 }});
  all.push_back({"any, all", launch_exchange<any_and_all>, [](Warp warp, int) {
                   return (std::any_of(warp, warp + 32, is_kept) ? 1U : 0U) +
                          (std::all_of(warp, warp + 32, is_kept) ? 2U : 0U);
                 }});
  const auto its_peers = [](Warp warp, int l) { return equal_lanes(warp, warp[l]); };
  all.push_back({"peers", launch_exchange<peers>, its_peers});
  all.push_back({"peers by ballots", launch_exchange<peers_by_ballots>, its_peers});
  all.push_back({"match all", launch_exchange<match_all>, [](Warp warp, int) {
                   return equal_lanes(warp, warp[0]) == all_lanes ? all_lanes : 0;
                 }});
  all.push_back({"group size", launch_exchange<group_size>, [](Warp warp, int l) {
                   const bool first = std::find(warp, warp + l, warp[l]) == warp + l;
                   return first ? static_cast<unsigned>(std::count(warp, warp + 32, warp[l])) : 0;
                 }});
  const auto sum = [](Warp warp, int) { return std::accumulate(warp, warp + 32, 0U); };
  all.push_back({"sum", launch_exchange<warp_sum>, sum});
  all.push_back({"smallest", launch_exchange<smallest>,
                 [](Warp warp, int) { return *std::min_element(warp, warp + 32); }});
  all.push_back({"bits", launch_exchange<all_bits>, [](Warp warp, int) {
                   return std::accumulate(warp, warp + 32, 0U, std::bit_or<>());
                 }});
  all.push_back({"sum in shared", launch_exchange<sum_in_shared>, sum});
  all.push_back({"xor in shared", launch_exchange<partner_in_shared>,
                 [](Warp warp, int l) { return warp[l ^ 1]; }});
  return all;
}

std::vector<unsigned> exchange_on_cpu(const Exchange& e, std::vector<unsigned> x) {
  const size_t n = x.size();
  x.resize((n + 31) / 32 * 32);  // lanes beyond the end contribute a 0
  std::vector<unsigned> y(n);
  for (size_t i = 0; i < n; ++i) {
    y[i] = e.on_cpu(x.data() + i / 32 * 32, static_cast<int>(i % 32));
  }
  return y;
}

void launch_swap_in_pairs(const unsigned* x, size_t n, unsigned* y) {
  if (n == 0) return;
  swap_in_pairs<<<blocks_for(n, 4 * block), block>>>(x, n, y);
  CUDA_CHECK_LAUNCH();
}

void launch_rotate_who_is_there(const unsigned* x, size_t n, unsigned* y) {
  if (n == 0) return;
  rotate_who_is_there<<<blocks_for(n, block), block>>>(x, n, y);
  CUDA_CHECK_LAUNCH();
}

std::vector<unsigned> swap_in_pairs_on_cpu(std::vector<unsigned> x) {
  for (size_t pair = 0; pair + 8 <= x.size(); pair += 8) {
    std::swap_ranges(&x[pair + 2], &x[pair + 4], &x[pair + 4]);
  }
  return x;
}

std::vector<unsigned> rotate_who_is_there_on_cpu(const std::vector<unsigned>& x) {
  std::vector<unsigned> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t first = i / 32 * 32;
    const size_t count = std::min<size_t>(32, x.size() - first);
    y[i] = x[first + (i - first + 1) % count];
  }
  return y;
}

// --- scans -----------------------------------------------------------------------------------

struct ScanArguments {
  const unsigned* x;
  size_t n;
  unsigned* y;
  unsigned* starts;  // one number per chunk; only the scan of the whole array uses them
};

constexpr size_t chunk = 1024;        // elements that one block scans
constexpr size_t whole_chunk = 4096;  // the same on the way to a scan of the whole array

template <template <int> class Scan, int threads, int items>
void launch_chunks(const ScanArguments& s) {
  static_assert(threads * items == chunk);
  if (s.n == 0) return;
  scan_chunks<Scan, threads, items><<<blocks_for(s.n, chunk), threads>>>(s.x, s.n, nullptr, s.y);
  CUDA_CHECK_LAUNCH();
}

void launch_whole(const ScanArguments& s) {
  if (s.n == 0) return;
  const unsigned chunks = blocks_for(s.n, whole_chunk);
  sums_of_chunks<1024, 4><<<chunks, 1024>>>(s.x, s.n, s.starts);
  CUDA_CHECK_LAUNCH();
  starts_of_chunks<1024, 4><<<1, 1024>>>(s.starts, chunks);
  CUDA_CHECK_LAUNCH();
  scan_chunks<BestScan, 1024, 4><<<chunks, 1024>>>(s.x, s.n, s.starts, s.y);
  CUDA_CHECK_LAUNCH();
}

struct ScanVariant {
  const char* name;
  void (*launch)(const ScanArguments&);
  bool whole;  // otherwise each chunk independently
};
const std::vector<ScanVariant> scans = {{"in shared", launch_chunks<InShared, 1024, 1>, false},
                                        {"two stages", launch_chunks<TwoStages, 1024, 1>, false},
                                        {"one warp", launch_chunks<ByOneWarp, 1024, 1>, false},
                                        {"by instruction", launch_chunks<BestScan, 1024, 1>, false},
                                        {"by fours", launch_chunks<BestScan, 256, 4>, false},
                                        {"whole array", launch_whole, true}};

std::vector<unsigned> scan_on_cpu(const std::vector<unsigned>& x, bool whole) {
  std::vector<unsigned> y(x.size());
  unsigned sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!whole && i % chunk == 0) sum = 0;
    sum += x[i];
    y[i] = sum;
  }
  return y;
}

// --- appends ---------------------------------------------------------------------------------

struct AppendArguments {
  const unsigned* x;
  size_t n;
  unsigned* y;
  unsigned* count;
};

template <class Kernel>
void launch_append(const AppendArguments& a, Kernel kernel, size_t elements_a_block) {
  CUDA_CHECK(cudaMemsetAsync(a.count, 0, sizeof *a.count));
  if (a.n == 0) return;
  kernel<<<blocks_for(a.n, elements_a_block), block>>>(a.x, a.n, a.y, a.count);
  CUDA_CHECK_LAUNCH();
}

void launch_append_by_lanes(const AppendArguments& a) {
  launch_append(a, append_by_lanes, block);
}
void launch_append_by_compiler(const AppendArguments& a) {
  launch_append(a, append_by_compiler, block);
}
void launch_append_by_warps(const AppendArguments& a) {
  launch_append(a, append_by_warps, block);
}
void launch_append_by_blocks(const AppendArguments& a) {
  launch_append(a, append_by_blocks, block * append_items);
}

struct AppendVariant {
  const char* name;
  void (*launch)(const AppendArguments&);
};
const std::vector<AppendVariant> appends = {{"append by lanes", launch_append_by_lanes},
                                            {"append by compiler", launch_append_by_compiler},
                                            {"append by warps", launch_append_by_warps},
                                            {"append by blocks", launch_append_by_blocks}};

// --- what is right ---------------------------------------------------------------------------

course::Verdict verify_numbers(const std::vector<unsigned>& got,
                               const std::vector<unsigned>& expected) {
  const auto differ = std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  if (differ.first == got.end() && differ.second == expected.end()) {
    return {true, "all " + std::to_string(got.size()) + " elements right"};
  }
  return {false, "the first wrong element is " + std::to_string(differ.first - got.begin())};
}

// Every number to be kept occurs once, in any order, and no other number does.
course::Verdict verify_append(const std::vector<unsigned>& y, unsigned count, size_t n,
                              std::uint64_t seed = 1) {
  std::atomic<size_t> kept{0};
  course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
    size_t here = 0;
    for (size_t i = begin; i < end; ++i) here += is_kept(number(i, seed)) ? 1 : 0;
    kept += here;
  });
  if (count != kept) {
    return {false, "kept " + std::to_string(count) + " elements, not " + std::to_string(kept)};
  }
  std::vector<unsigned char> seen(n);
  std::atomic<size_t> wrong{count};  // one of them
  course::detail::in_parallel(count, count, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      const size_t i = index_of(y[k], seed);
      if (i >= n || !is_kept(y[k]) || std::atomic_ref(seen[i]).exchange(1) != 0) wrong = k;
    }
  });
  if (wrong != count) {
    return {false, "element " + std::to_string(wrong) + " is not one to keep, or there twice"};
  }
  return {true, "all " + std::to_string(kept) + " elements right"};
}

void note_clocks(course::Report& report) {
  char line[100];
  report.note("Clocks                        one after the other   one begins every");
  for (const ClocksRow& row : clocks_rows) {
    const Clocks clocks = row.measure();
    std::snprintf(line, sizeof line, "  %-30s %14.1f %18.2f", row.name, clocks.latency,
                  clocks.each);
    report.note(line);
  }
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "13_warp";
  defaults.description =
      "What the lanes of a warp do for each other, in clocks; scans and appends made of it.";
  defaults.on_gpu = {1 << 28, 1};
  defaults.on_emulator = {1 << 16, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  bool no_clocks = false;
  defaults.add("--no-clocks", &no_clocks, "leave out what only a GPU's clocks can show");
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(unsigned));
  course::require_memory(options, 4 * array, 2.1 * array);
  course::Report report(options, course::CeilingKind::copy);

  const std::vector<unsigned> x = numbers(n, options.seed);
  {  // the exchanges: enough elements to show everything
    std::vector<unsigned> some(x.begin(), x.begin() + std::min<size_t>(n, 5000));
    for (size_t i = 0; i < some.size(); ++i) some[i] %= i / 1000 % 2 == 0 ? ~0U : 5;  // and peers
    course::DeviceArray<unsigned> d_x(some), d_y(some.size());
    const auto check = [&](const std::string& name, const auto& launch,
                           const std::vector<unsigned>& expected) {
      d_y.poison();
      launch(d_x, some.size(), d_y);
      report.check(name, "a warp's lanes", verify_numbers(d_y.to_host(), expected));
    };
    for (const Exchange& e : all_exchanges()) check(e.name, e.launch, exchange_on_cpu(e, some));
    check("swap in pairs", launch_swap_in_pairs, swap_in_pairs_on_cpu(some));
    check("rotate who is there", launch_rotate_who_is_there, rotate_who_is_there_on_cpu(some));
  }
  course::DeviceArray<unsigned> d_x(x), d_y(n), d_starts(n / whole_chunk + 1);
  std::vector<unsigned> expected = scan_on_cpu(x, false);
  for (const ScanVariant& scan : scans) {
    if (scan.whole) expected = scan_on_cpu(x, true);
    const course::Timing timing =
        TIME_EVENTS(options, d_y.poison(), scan.launch({d_x, n, d_y, d_starts}));
    report.check(scan.name, "numbers", verify_numbers(d_y.to_host(), expected));
    report.add(scan.name, timing, {2 * array, static_cast<double>(n)});
  }
  course::DeviceArray<unsigned> d_count(1);
  for (const AppendVariant& append : appends) {
    const course::Timing timing =
        TIME_EVENTS(options, d_y.poison(), append.launch({d_x, n, d_y, d_count}));
    const unsigned count = d_count.to_host()[0];
    report.check(append.name, "numbers", verify_append(d_y.to_host(), count, n, options.seed));
    const double kept = static_cast<double>(count) * sizeof(unsigned);
    report.add(append.name, timing, {array + kept, 0});
  }
  if (!no_clocks && !course::on_emulator) note_clocks(report);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
