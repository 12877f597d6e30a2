#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/listing_text.hpp"
#include "observers/reports/advice.hpp"
#include "observers/reports/listing.hpp"
#include "observers/reports/shown_lines.hpp"

namespace emulator::reports {
namespace {

constexpr const char* red = "\x1b[1;31m";
constexpr const char* bold = "\x1b[1m";
constexpr const char* dim = "\x1b[2m";
constexpr const char* plain = "\x1b[0m";

// Columns of the gutter besides the line number's: mark, kind, requests, per request, used, lanes.
constexpr std::size_t figures_width = 1 + 3 + 1 + 6 + 1 + 9 + 1 + 4 + 1 + 4;

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

// The figures beside a line of the source, ready to print.
struct Row {
  InstructionTraffic sum;  // of the instructions that share the row
  std::size_t first = 0;   // the first of them in the line, counted from 1 as `picture` does
  std::string per_request;
  std::string used;
  std::string lanes;
  bool marked = false;
};

const char* short_name(InstructionKind kind) {
  constexpr std::array names{"ld", "st", "at", "sld", "sst", "sat", "bld", "bst"};
  return names[static_cast<std::size_t>(kind)];
}

// Blank if all 32 are active: the usual case needs no attention.
std::string active_lanes(std::uint64_t lanes, std::uint64_t times) {
  return lanes == 32 * times ? "" : mean(lanes, times);
}

void fill_in(Row& row) {
  const InstructionTraffic& sum = row.sum;
  std::string moved;
  std::string ideal;
  switch (sum.kind) {
    case InstructionKind::global_load:
    case InstructionKind::global_store:
    case InstructionKind::global_atomic:
    case InstructionKind::bulk_load:
    case InstructionKind::bulk_store:
      moved = mean(sum.sectors, sum.requests);
      ideal = mean(sum.ideal_sectors, sum.requests);
      row.used = percent(sum.bytes, 32 * sum.sectors);
      break;
    case InstructionKind::shared_load:
    case InstructionKind::shared_store:
    case InstructionKind::shared_atomic:
      moved = mean(sum.wavefronts, sum.requests);
      ideal = mean(sum.wavefronts - std::min(sum.wavefronts, sum.bank_conflicts), sum.requests);
      break;
  }
  row.per_request = right(moved, 4) + (ideal.empty() ? "" : "/" + ideal);
  const bool is_bulk =
      sum.kind == InstructionKind::bulk_load || sum.kind == InstructionKind::bulk_store;
  if (!is_bulk) row.lanes = active_lanes(sum.active_lanes, sum.requests);
}

// A row for each kind of instruction, or several where the instructions of a line differ in what a
// reader sees: in `A[row * n + j] * x[j]` one is at fault, and a mean of both would hide which.
std::vector<Row> rows_of(const LineTraffic& line, const Traffic& kernel) {
  constexpr std::size_t most_of_a_kind = 4;
  std::map<InstructionKind, std::vector<Row>> kinds;
  for (std::size_t k = 0; k < line.instructions.size(); ++k) {
    const InstructionTraffic& instruction = line.instructions[k];
    if (instruction.requests == 0) continue;
    Row row{instruction, k + 1, {}, {}, {}};
    fill_in(row);
    std::vector<Row>& rows = kinds[instruction.kind];
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
      return other.per_request == row.per_request && other.used == row.used &&
             other.lanes == row.lanes;
    });
    if (same == rows.end()) {
      rows.push_back(row);
    } else {
      add(same->sum, instruction);
    }
  }
  std::vector<Row> all;
  for (auto& [kind, rows] : kinds) {
    if (rows.size() > most_of_a_kind) {
      for (std::size_t i = 1; i < rows.size(); ++i) add(rows[0].sum, rows[i].sum);
      rows.resize(1);
      fill_in(rows[0]);
    }
    all.insert(all.end(), rows.begin(), rows.end());
  }
  std::sort(all.begin(), all.end(), [](const Row& a, const Row& b) { return a.first < b.first; });
  // Of a marked line the row at fault is marked, and any other that alone would be enough.
  for (const bool shared : {false, true}) {
    if (!is_marked(line, kernel, shared)) continue;
    Row* worst = nullptr;
    for (Row& row : all) {
      if (is_shared(row.sum.kind) != shared) continue;
      row.marked = is_share(excess(row.sum), whole_traffic(kernel, shared), marked_percent);
      if (worst == nullptr || excess(row.sum) > excess(worst->sum)) worst = &row;
    }
    if (worst != nullptr) worst->marked = true;
  }
  return all;
}

class Writer {
 public:
  explicit Writer(const ListingStyle& style)
      : width_(std::max<std::size_t>(style.width, 60)), colour_(style.colour) {}

  std::string take() { return std::move(text_); }
  bool shows_numbers() const { return numbers_; }
  void line(const std::string& text = {}) { text_ += printable(text) + "\n"; }
  void paragraph(const std::string& text, std::size_t hanging) {
    for (const std::string& piece : wrap(printable(text), width_, hanging)) line(piece);
  }
  void headline(const std::string& text);
  void legend(bool with_numbers, bool with_bulk_copies);
  void totals(const Traffic& traffic);
  void source(const KernelTraffic& kernel, const std::string& file, SourceFiles& files);

 private:
  void figure(const std::string& label, const std::string& text) {
    paragraph("  " + left(label, 15) + text, 17);
  }
  void columns_head();
  void source_line(int number, const LineTraffic* line, const Traffic& kernel,
                   const std::string& code);
  void put(const std::string& gutter, const std::string& code, bool marked);
  std::string paint(const char* style, const std::string& text) const {
    return colour_ ? style + text + plain : text;
  }

  std::size_t width_;
  bool colour_;
  std::size_t number_width_ = 4;
  bool numbers_ = false;  // whether a line's second instruction was shown
  std::string text_;
};

void Writer::headline(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& piece : wrap(printable(text), width_, 4)) {
    text_ += paint(bold, piece) + "\n";
    longest = std::max(longest, columns(piece));
  }
  line(std::string(longest, '='));
}

void Writer::legend(bool with_numbers, bool with_bulk_copies) {
  const auto entry = [&](const char* label, const char* text) {
    paragraph("  " + left(label, 9) + text, 11);
  };
  line("What each line of the kernels asked of the memory system.");
  if (with_numbers) {
    entry("line", ".2: the line's second memory instruction, what `picture` calls --instruction 2");
  }
  entry("op", "ld, st, at: load, store, atomic in global memory; sld, sst, sat: in shared memory");
  if (with_bulk_copies) {
    entry("", "bld, bst: bulk copies to shared memory and back, each of which counts as a request");
  }
  entry("reqs", "requests: one per memory instruction of a warp, however many lanes take part");
  entry("per req.", "sectors of 32 bytes / the fewest possible; shared memory: wavefronts");
  entry("used", "share of the sectors' bytes that a lane asked for");
  entry("lane", "mean active lanes of a warp; blank where it is 32");
  entry("!", "a tenth or more of the kernel's sectors, or wavefronts, could be saved here");
}

void Writer::totals(const Traffic& t) {
  const auto global = [&](const char* label, std::uint64_t requests, std::uint64_t sectors,
                          std::uint64_t ideal, std::uint64_t bytes) {
    if (requests == 0) return;
    figure(label, counted(short_count(requests), "request") + ", " +
                      counted(short_count(sectors), "sector") + ": " + mean(sectors, requests) +
                      " each (" + mean(ideal, requests) + " would do), " +
                      plain_percent(bytes, 32 * sectors) + " of the bytes used");
  };
  const auto shared = [&](const char* label, std::uint64_t instructions, std::uint64_t wavefronts,
                          std::uint64_t conflicts) {
    if (instructions == 0) return;
    figure(label, counted(short_count(instructions), "instruction") + ", " +
                      counted(short_count(wavefronts), "wavefront") + ": " +
                      mean(wavefronts, instructions) + " each; " +
                      (conflicts == 0 ? "no bank conflicts"
                                      : counted(short_count(conflicts), "bank conflict")));
  };
  global("global loads", t.global_load_requests, t.global_load_sectors, t.global_load_ideal_sectors,
         t.global_load_bytes);
  global("global stores", t.global_store_requests, t.global_store_sectors,
         t.global_store_ideal_sectors, t.global_store_bytes);
  global("bulk copies in", t.bulk_load_copies, t.bulk_load_sectors, t.bulk_load_ideal_sectors,
         t.bulk_load_bytes);
  global("and out", t.bulk_store_copies, t.bulk_store_sectors, t.bulk_store_ideal_sectors,
         t.bulk_store_bytes);
  shared("shared loads", t.shared_load_instructions, t.shared_load_wavefronts,
         t.shared_load_bank_conflicts);
  shared("shared stores", t.shared_store_instructions, t.shared_store_wavefronts,
         t.shared_store_bank_conflicts);
  global("global atomics", t.global_atomic_requests, t.global_atomic_sectors,
         t.global_atomic_ideal_sectors, t.global_atomic_bytes);
  if (const std::uint64_t peers = t.peer_load_bytes + t.peer_store_bytes + t.peer_atomic_bytes;
      peers != 0) {
    figure("over the link", short_count(t.peer_load_bytes) + " bytes loaded, " +
                                short_count(t.peer_store_bytes) + " stored, " +
                                short_count(t.peer_atomic_bytes) + " by atomics");
  }
  shared("shared atomics", t.shared_atomic_instructions, t.shared_atomic_wavefronts,
         t.shared_atomic_bank_conflicts);
  if (t.code_blocks != 0) {
    figure("active lanes", mean(t.code_block_lanes, t.code_blocks) +
                               " of a warp's 32 on average in a block of code");
  }
  if (t.barriers != 0) {
    figure("barriers",
           short_count(t.barriers) + (t.barriers == 1 ? " arrival" : " arrivals") + " of a warp");
  }
}

void Writer::columns_head() {
  const std::string head = right("line", number_width_ + 1) + " " + left("op", 3) + " " +
                           right("reqs", 6) + " " + left(" per req.", 9) + " used lane |";
  text_ += paint(dim, head) + "\n";
}

void Writer::put(const std::string& gutter, const std::string& code, bool marked) {
  std::string whole = paint(marked ? red : dim, gutter + " |");
  if (!code.empty()) whole += " " + code;
  text_ += whole + "\n";
}

void Writer::source_line(int number, const LineTraffic* line, const Traffic& kernel,
                         const std::string& code) {
  const std::size_t gutter = 1 + number_width_ + figures_width;
  const std::size_t room = width_ - gutter - 3;
  const std::size_t own_indent = std::min(code.find_first_not_of(' '), code.size());
  const std::vector<std::string> pieces = wrap(code, room, std::min(own_indent + 4, room / 3));
  std::vector<Row> rows;
  if (line != nullptr) rows = rows_of(*line, kernel);
  if (line != nullptr && rows.empty()) {
    Row& row = rows.emplace_back();
    row.lanes = active_lanes(line->traffic.code_block_lanes, line->traffic.code_blocks);
  }
  for (std::size_t i = 0; i < std::max(rows.size(), pieces.size()); ++i) {
    const Row row = i < rows.size() ? rows[i] : Row{};
    const bool counts = row.sum.requests != 0;
    std::string label = i == 0 && number > 0 ? std::to_string(number) : "";
    if (i > 0 && counts) {
      label = "." + std::to_string(row.first);
      numbers_ = true;
    }
    const std::string figures = std::string(row.marked ? "!" : " ") + right(label, number_width_) +
                                " " + left(counts ? short_name(row.sum.kind) : "", 3) + " " +
                                right(counts ? short_count(row.sum.requests) : "", 6) + " " +
                                left(row.per_request, 9) + " " + right(row.used, 4) + " " +
                                right(row.lanes, 4);
    put(figures, i < pieces.size() ? pieces[i] : "", row.marked);
  }
}

void Writer::source(const KernelTraffic& kernel, const std::string& file, SourceFiles& files) {
  std::map<int, const LineTraffic*> counted_lines;
  std::vector<int> numbers;
  for (const LineTraffic& line : kernel.lines) {
    if (line.file != file) continue;
    counted_lines[line.line] = &line;
    numbers.push_back(line.line);
  }
  const std::vector<std::string>* source = files.find(file);
  std::vector<LineRange> ranges;
  if (source != nullptr) {
    ranges = ranges_to_show(numbers, *source, kernel.kernel);
  } else {
    for (const int number : numbers) ranges.push_back({number, number});
  }
  number_width_ = std::max<std::size_t>(4, std::to_string(ranges.back().last).size());
  columns_head();
  for (const LineRange& range : ranges) {
    if (source != nullptr && &range != &ranges.front()) {
      put(std::string(1 + number_width_ + figures_width, ' '), "...", false);
    }
    for (int number = range.first; number <= range.last; ++number) {
      const auto found = counted_lines.find(number);
      const auto index = static_cast<std::size_t>(number) - 1;  // a huge one for line 0
      const bool known = source != nullptr && index < source->size();
      source_line(number, found != counted_lines.end() ? found->second : nullptr, kernel.traffic,
                  known ? (*source)[index] : "(source not found)");
    }
  }
}

std::string extent(const dim3& d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += " x " + std::to_string(d.y);
  if (d.z > 1) text += " x " + std::to_string(d.z);
  return text;
}

std::string launches(const KernelTraffic& kernel) {
  if (kernel.launches == 1) return {};
  const std::string many = std::to_string(kernel.launches) + " launches";
  return kernel.of_one_launch ? "; one of " + many + " with the same traffic"
                              : "; sum over " + many;
}

// As short as it can be said from the current folder.
std::string shown_path(const std::string& file) {
  std::error_code failed;
  const auto here = std::filesystem::current_path(failed);
  if (failed) return file;
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? file : relative;
}

}  // namespace

std::string render(const std::vector<KernelTraffic>& kernels, const ListingStyle& style) {
  Writer out(style);
  if (kernels.empty()) {
    out.line("No kernel launch was recorded.");
    return out.take();
  }
  SourceFiles files;
  for (const KernelTraffic& kernel : kernels) {
    out.line();
    out.headline(kernel.instance + ": grid " + extent(kernel.grid) + ", block " +
                 extent(kernel.block) + launches(kernel));
    if (!kernel.error.empty()) {
      out.paragraph("Ended by " + kernel.error + ": the figures are those up to it.", 2);
    }
    const std::vector<std::string> shown = files_to_show(kernel, files);
    if (!shown.empty() && shown[0] != "?") out.paragraph(shown_path(shown[0]), 2);
    out.totals(kernel.traffic);
    for (const std::string& file : shown) {
      out.line();
      if (file == "?") {
        out.paragraph("Code of unknown lines, compiled without -g:", 2);
      } else if (file != shown[0]) {
        out.paragraph("In " + shown_path(file) + ":", 2);
      }
      out.source(kernel, file, files);
    }
    const std::string main_file = shown.empty() ? "" : shown[0];
    std::vector<std::string> sentences = counted_together(kernel, main_file);
    for (std::string& text : advice(kernel, main_file)) sentences.push_back(std::move(text));
    if (!sentences.empty()) out.line();
    for (const std::string& text : sentences) out.paragraph(text, 2);
  }
  Writer head(style);
  const bool with_bulk_copies =
      std::any_of(kernels.begin(), kernels.end(), [](const KernelTraffic& kernel) {
        return kernel.traffic.bulk_load_copies + kernel.traffic.bulk_store_copies != 0;
      });
  head.legend(out.shows_numbers(), with_bulk_copies);
  return head.take() + out.take();
}

}  // namespace emulator::reports
