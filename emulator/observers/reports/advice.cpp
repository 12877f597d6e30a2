#include "observers/reports/advice.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/listing_text.hpp"
#include "observers/reports/padding.hpp"
#include "observers/traffic/atomics.hpp"

namespace emulator::reports {
namespace {

// What an instruction contributes to a line's advice.
struct Problem {
  const LineTraffic* line;
  InstructionTraffic instruction;  // with those of the same line and pattern added
  AccessPattern about;
  bool structure = false;
};

struct Advice {
  std::vector<const LineTraffic*> lines;
  double share = 0;  // of the kernel's sectors or wavefronts
  std::string text;
};

bool same_pattern(const Problem& a, const Problem& b) {
  return a.line == b.line && a.instruction.kind == b.instruction.kind &&
         a.instruction.bytes_a_lane == b.instruction.bytes_a_lane &&
         a.about.pattern == b.about.pattern && a.about.stride == b.about.stride &&
         a.about.row_stride == b.about.row_stride;
}

// Two members of one array of structures: accesses at the same stride, less than it apart. Of
// different warps only the places within a structure can be compared.
bool are_members(const Problem& a, const Problem& b) {
  const std::int64_t stride = std::abs(a.about.stride);
  if (stride <= 8 || stride > 256 || stride != std::abs(b.about.stride)) return false;
  if (a.about.pattern != Pattern::stride || b.about.pattern != Pattern::stride) return false;
  const ExampleAccess& x = a.instruction.example;
  const ExampleAccess& y = b.instruction.example;
  auto from = static_cast<std::int64_t>(a.about.first);
  auto to = static_cast<std::int64_t>(b.about.first);
  const bool same_warp = x.block.x == y.block.x && x.block.y == y.block.y &&
                         x.block.z == y.block.z && x.warp == y.warp && x.active == y.active;
  if (!same_warp) {
    from %= stride;
    to %= stride;
  }
  return from != to && std::abs(from - to) < stride;
}

std::vector<Problem> problems(const KernelTraffic& kernel) {
  std::vector<Problem> all;
  for (const LineTraffic& line : kernel.lines) {
    for (const InstructionTraffic& instruction : line.instructions) {
      if (instruction.bytes_a_lane == 0) continue;  // a bulk copy, which has no pattern of lanes
      const AccessPattern about = recognise(instruction, kernel.block.x);
      if (about.pattern != Pattern::none) all.push_back({&line, instruction, about});
    }
  }
  for (Problem& problem : all) {
    if (is_shared(problem.instruction.kind)) continue;
    problem.structure = std::any_of(all.begin(), all.end(), [&](const Problem& other) {
      return !is_shared(other.instruction.kind) && are_members(problem, other);
    });
  }
  // One for all instructions of a line that do the same.
  std::vector<Problem> merged;
  for (const Problem& problem : all) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Problem& other) {
      return same_pattern(problem, other);
    });
    if (same == merged.end()) {
      merged.push_back(problem);
      continue;
    }
    same->structure = same->structure || problem.structure;
    add(same->instruction, problem.instruction);
  }
  return merged;
}

// "32 sectors per request where 4 would do, and 12.5 % of the bytes fetched are used".
std::string cost(const InstructionTraffic& instruction) {
  const char* const used = instruction.kind == InstructionKind::global_load
                               ? " of the bytes fetched are used"
                           : is_atomic(instruction.kind) ? " of these sectors' bytes are changed"
                                                         : " of these sectors' bytes are written";
  return counted(plain_mean(instruction.sectors, instruction.requests), "sector") +
         " per request where " + plain_mean(instruction.ideal_sectors, instruction.requests) +
         " would do, and " + plain_percent(instruction.bytes, 32 * instruction.sectors) + used;
}

std::string global_stride(const AccessPattern& about, const InstructionTraffic& instruction,
                          const std::string& verb, bool structure) {
  const auto stride = static_cast<std::uint64_t>(std::abs(about.stride));
  const std::string bytes = std::to_string(stride) + " bytes";
  const bool whole = stride % instruction.bytes_a_lane == 0;
  const std::string elements =
      counted(std::to_string(stride / instruction.bytes_a_lane), "element");
  if (structure) {
    const std::string what = stride < 128 ? "an array of structures of "
                                          : "an array of structures (or a matrix with rows) of ";
    return what + bytes + ", one member per request: " + cost(instruction) +
           "; make it a structure of arrays, so that neighbouring lanes " + verb +
           " neighbouring elements.";
  }
  if (stride >= 128) {
    // Whether that is down a column or along a row of the matrix is the program's affair.
    return "neighbouring lanes " + verb + " elements that are " + bytes +
           (whole ? " (" + elements + ")" : "") + " apart: " + cost(instruction) +
           "; let threadIdx.x run along contiguous memory, or go through a tile in shared memory.";
  }
  return "neighbouring lanes " + verb + " elements that are " + bytes +
         (whole ? " (" + elements + ")" : "") + " apart: " + cost(instruction) +
         "; let neighbouring lanes take neighbouring elements.";
}

std::string global_sentence(const AccessPattern& about, const InstructionTraffic& instruction,
                            bool structure) {
  const std::string verb = instruction.kind == InstructionKind::global_load ? "load"
                           : is_atomic(instruction.kind)                    ? "change"
                                                                            : "store";
  const std::string lanes = counted(std::to_string(about.active), "lane");
  // The example is the worst request: are others better?
  const ExampleAccess& example = instruction.example;
  const bool is_rare =
      excess(instruction) < std::uint64_t{excess_of(example)} * instruction.requests;
  const unsigned piece = about.elements * instruction.bytes_a_lane / std::max(about.pieces, 1U);
  switch (about.pattern) {
    case Pattern::stride:
      return global_stride(about, instruction, verb, structure);
    case Pattern::misaligned:
      return "a warp's lanes " + verb + " neighbouring elements, but " +
             (is_rare ? "in some requests " : "") + "the first is " +
             counted(std::to_string(about.offset), "byte") +
             " past a multiple of 32: " + cost(instruction) +
             "; start what a warp takes at a multiple of 32 bytes: in a matrix, by a suitable "
             "leading dimension; a stencil can take neighbours from registers or shared memory.";
    case Pattern::gaps:
      return "only " + plain_mean(instruction.active_lanes, instruction.requests) +
             " of a warp's 32 lanes take part, and the bytes between their elements are moved as "
             "well: " +
             cost(instruction) + "; let neighbouring threads take the same branch.";
    case Pattern::few_elements:
      return "the " + lanes + " of a warp " + verb + " only " +
             counted(std::to_string(about.elements), "different element") + ", " +
             std::to_string(std::abs(about.row_stride)) + " bytes apart: " + cost(instruction) +
             "; fetched together with their neighbours into a tile in shared memory, they would "
             "fill their sectors.";
    case Pattern::pieces:
      return "the elements of a warp are in " + std::to_string(about.pieces) + " pieces of " +
             std::to_string(piece) + " bytes" + (about.pieces > 1 ? " on average" : "") + ": " +
             cost(instruction) +
             (piece < 32 ? "; let at least " + std::to_string(32 / instruction.bytes_a_lane) +
                               " neighbouring lanes take neighbouring elements, in a block that is "
                               "wide enough."
                         : "; let each piece begin at a multiple of 32 bytes.");
    case Pattern::meeting:
      return lanes + " of a warp change " + (about.elements == 1 ? "only " : "") +
             counted(std::to_string(about.elements), "element") +
             ", and lanes with the same element wait for each other: " + cost(instruction) +
             "; add up within the warp first (shuffles, or __reduce_add_sync for integers) and let "
             "one lane add the sum, or within the block, in shared memory.";
    default:
      return "the elements of a warp are in no regular order: " + cost(instruction) +
             "; sort the lookups, if their order is free, or keep in shared memory what is used "
             "again.";
  }
}

std::string shared_sentence(const AccessPattern& about, const InstructionTraffic& instruction) {
  const unsigned bytes = std::max(instruction.bytes_a_lane, 4U);
  const std::string unit = bytes == 4 ? "word" : std::to_string(bytes) + "-byte element";
  const auto in_units = [&](std::int64_t stride) { return std::abs(stride) / bytes; };
  const auto distance = [&](std::int64_t stride) {
    return stride % bytes == 0 ? counted(std::to_string(in_units(stride)), unit)
                               : std::to_string(std::abs(stride)) + " bytes";
  };
  const std::string takes =
      ", which takes " + plain_mean(instruction.wavefronts, instruction.requests) +
      " wavefronts per instruction where " +
      plain_mean(instruction.wavefronts - instruction.bank_conflicts, instruction.requests) +
      " would do";
  // 8, 11 and 18 begin with a vowel.
  const bool vowel = about.ways == 8 || about.ways == 11 || about.ways == 18;
  const std::string conflict =
      (vowel ? "an " : "a ") + std::to_string(about.ways) + "-way bank conflict: ";
  if (about.pattern == Pattern::meeting) {
    const bool loops = instruction.atomic_form == static_cast<unsigned>(AtomicForm::loop);
    return counted(std::to_string(about.active), "lane") + " of a warp change " +
           (about.elements == 1 ? "only " : "") + counted(std::to_string(about.elements), unit) +
           ", and a bank serves one lane at a time" + takes +
           (loops ? " (there is no instruction for it, so it is a loop of loads and "
                    "compare-and-swaps)"
                  : "") +
           "; add up within the warp first (shuffles, or __reduce_add_sync for integers) and let "
           "one lane add the sum, or spread the lanes over several copies.";
  }
  if (about.pattern == Pattern::stride) {
    const std::int64_t stride = in_units(about.stride);
    const unsigned padding = padding_without_conflict(instruction, about);
    const std::string padded = std::to_string(stride + padding);
    const std::string text =
        conflict + "neighbouring lanes are " + distance(about.stride) + " apart";
    if (about.stride % bytes != 0) {
      return text + takes + "; let neighbouring lanes take neighbouring words.";
    }
    if (padding == 0) return text + takes + "; let neighbouring lanes take neighbouring elements.";
    if (stride % (32 * 4 / bytes) == 0) {
      return text + " and meet in the same bank" + takes + "; pad the array's last dimension by " +
             (padding == 1 ? "one " + unit : counted(std::to_string(padding), unit)) + ", [..][" +
             padded + "] in place of [..][" + std::to_string(stride) + "].";
    }
    return text + takes + "; pad the array's last dimension to " + counted(padded, unit) + ".";
  }
  if (about.pattern == Pattern::rows) {
    return conflict + "a warp has several rows of " +
           counted(std::to_string(about.row_lanes), "lane") + ", " + distance(about.row_stride) +
           " apart and so in the same banks" + takes +
           "; pad the array's last dimension so that each row begins in its own bank, or let 32 "
           "neighbouring lanes take one.";
  }
  return conflict + "the lanes' words are in no regular order" + takes + ".";
}

std::string place(const std::vector<const LineTraffic*>& lines, const std::string& main_file) {
  const LineTraffic& first = *lines.front();
  if (first.line == 0) return "code of an unknown line: ";
  std::string text = lines.size() > 1 ? "lines " : "line ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += i + 1 == lines.size() ? " and " : ", ";
    text += std::to_string(lines[i]->line);
  }
  if (first.file != main_file) {
    text += " of " + printable(first.file.substr(first.file.find_last_of('/') + 1));
  }
  return text + ": ";
}

// The kernel's lanes that stand idle, if they are many.
std::string few_lanes(const KernelTraffic& kernel, const std::string& main_file) {
  const Traffic& traffic = kernel.traffic;
  if (traffic.code_blocks == 0 || traffic.code_block_lanes >= 24 * traffic.code_blocks) return {};
  const std::uint64_t threads =
      std::uint64_t{kernel.block.x} * kernel.block.y * std::uint64_t{kernel.block.z};
  const std::string average = "on average only " +
                              plain_mean(traffic.code_block_lanes, traffic.code_blocks) +
                              " of a warp's 32 lanes are active in a block of code";
  if (threads < 32) {
    return average + ": the blocks of the grid have " + counted(std::to_string(threads), "thread") +
           ", and a warp has room for 32.";
  }
  const LineTraffic* worst = nullptr;
  std::uint64_t most = 0;
  for (const LineTraffic& line : kernel.lines) {
    const std::uint64_t idle = 32 * line.traffic.code_blocks - line.traffic.code_block_lanes;
    if (idle <= most) continue;
    most = idle;
    worst = &line;
  }
  if (worst == nullptr || worst->line == 0) return average + ".";
  return place({worst}, main_file) + average + ", and here, where most is lost, " +
         plain_mean(worst->traffic.code_block_lanes, worst->traffic.code_blocks) + ".";
}

}  // namespace

std::string sentence(const AccessPattern& about, const InstructionTraffic& instruction,
                     bool structure) {
  return is_shared(instruction.kind) ? shared_sentence(about, instruction)
                                     : global_sentence(about, instruction, structure);
}

std::vector<std::string> counted_together(const KernelTraffic& kernel,
                                          const std::string& main_file) {
  struct Group {
    std::vector<const LineTraffic*> lines;
    std::vector<SourceCall> calls;
  };
  std::vector<Group> groups;
  for (const LineTraffic& line : kernel.lines) {
    if (line.calls.size() < 2) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.lines.front()->file == line.file && group.calls == line.calls;
    });
    if (same == groups.end()) {
      groups.push_back({{&line}, line.calls});
    } else {
      same->lines.push_back(&line);
    }
  }
  std::vector<std::string> sentences;
  for (const Group& group : groups) {
    std::string calls;
    for (std::size_t i = 0; i < group.calls.size(); ++i) {
      const auto& [file, number] = group.calls[i];
      if (i > 0) calls += i + 1 == group.calls.size() ? " and " : ", ";
      calls += std::to_string(number);
      if (file != main_file) {
        calls += " of " + printable(file.substr(file.find_last_of('/') + 1));
      }
    }
    sentences.push_back(place(group.lines, main_file) +
                        "the function was inlined at several calls, and these figures are the sum: "
                        "lines " +
                        calls + ".");
  }
  return sentences;
}

std::vector<std::string> advice(const KernelTraffic& kernel, const std::string& main_file) {
  const std::vector<Problem> all = problems(kernel);
  std::vector<Advice> found;
  for (const Problem& problem : all) {
    const bool shared = is_shared(problem.instruction.kind);
    const std::uint64_t whole = whole_traffic(kernel.traffic, shared);
    const std::uint64_t wasted = excess(problem.instruction);
    // A marked line gets a sentence about its worst pattern however small its share.
    const bool worst = std::none_of(all.begin(), all.end(), [&](const Problem& other) {
      return other.line == problem.line && is_shared(other.instruction.kind) == shared &&
             excess(other.instruction) > wasted;
    });
    const bool marked = is_marked(*problem.line, kernel.traffic, shared);
    if (!is_share(wasted, whole, advice_percent) && !(marked && worst)) continue;

    Advice next{
        {problem.line},
        static_cast<double>(wasted) / static_cast<double>(std::max<std::uint64_t>(whole, 1)),
        sentence(problem.about, problem.instruction, problem.structure)};
    const auto same = std::find_if(found.begin(), found.end(), [&](const Advice& other) {
      return other.text == next.text && other.lines.front()->file == problem.line->file;
    });
    if (same == found.end()) {
      found.push_back(std::move(next));
    } else {
      same->share += next.share;
      same->lines.push_back(problem.line);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Advice& a, const Advice& b) { return a.share > b.share; });

  const std::string idle = few_lanes(kernel, main_file);
  const std::size_t room = most_advice - (idle.empty() ? 0 : 1);
  std::vector<std::string> sentences;
  for (const Advice& item : found) {
    if (sentences.size() == room) break;
    sentences.push_back(place(item.lines, main_file) + item.text);
  }
  if (!idle.empty()) sentences.push_back(idle);
  return sentences;
}

}  // namespace emulator::reports
