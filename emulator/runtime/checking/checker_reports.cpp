/// \file
/// What the checks in kernels say.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "api/arena.hpp"
#include "checking/checker.hpp"
#include "checking/finding_text.hpp"
#include "checking/host_findings.hpp"
#include "debug_info/source_places.hpp"
#include "engine/engine.hpp"

extern char __data_start[] __attribute__((weak));

namespace emulator::detail {
namespace {

const char* verb_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::global_load:
    case AccessKind::shared_load:
    case AccessKind::constant_load:
    case AccessKind::foreign_load:
      return "read";
    case AccessKind::global_atomic:
    case AccessKind::shared_atomic:
      return "changed by an atomic";
    default:
      return "written";
  }
}

FindingPlace place_at(std::uint64_t pc, std::string event) {
  const SourcePlace& source = place_of(pc);
  FindingPlace place;
  if (source.line != 0) place.file = source.file;
  place.line = source.line;
  place.event = std::move(event);
  return place;
}

// What is found at one place of the code, or at two, is described so often and then counted.
constexpr std::uint64_t most_described = 64;

// Whether a variable's address is before those that can be written.
bool is_constant_data(std::uint64_t address) {
  return address < reinterpret_cast<std::uintptr_t>(__data_start);
}

// Whether the host has memory at an address. Where it has none, a kernel's pointer is no pointer of
// the host's that came by mistake, but one of the device's with an index that is out of bounds.
bool is_mapped(std::uint64_t address) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  return msync(reinterpret_cast<void*>(address / page * page), page, MS_ASYNC) == 0 ||
         errno != ENOMEM;
}

// Whether a function converts or copies an object: `A::operator float*()`, `A::A(A const&)`.
bool is_conversion(const std::string& function) {
  const std::size_t end = std::min(function.find('('), function.size());
  const std::size_t scope = function.rfind("::", end);
  if (function.find("operator ") < end) return true;
  if (scope == std::string::npos) return false;
  std::string name = function.substr(scope + 2, end - scope - 2);
  if (name.starts_with('~')) return true;
  std::string outer = function.substr(0, scope);
  outer = outer.substr(0, outer.find('<'));
  return outer == name || outer.ends_with("::" + name) || outer.ends_with(' ' + name);
}

std::string quoted(const std::string& name) {
  return '`' + name + '`';
}

}  // namespace

std::uint64_t Checker::sites_pc(std::uint32_t number) const {
  return sites_[number]->pc;
}

dim3 Checker::index_of(unsigned thread) const {
  const dim3& size = launch_.block;
  return {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}

std::string Checker::thread_text(unsigned thread) const {
  return detail::thread_text(index_of(thread), block_);
}

std::string Checker::earlier_thread_text(const Slot& slot) const {
  if (slot.segment >= block_first_) {
    return thread_text(segments_[slot.segment - block_first_].warp * warp_size + slot.lane);
  }
  // Of an earlier block only its number is known.
  const auto after = std::upper_bound(block_firsts_.begin(), block_firsts_.end(), slot.segment);
  const auto begun = static_cast<std::uint64_t>(after - block_firsts_.begin() - 1);
  const std::uint64_t block = turns_.empty() ? begun : turns_[begun];
  const dim3& grid = launch_.grid;
  return "a thread of block " + triple({static_cast<unsigned>(block % grid.x),
                                        static_cast<unsigned>(block / grid.x % grid.y),
                                        static_cast<unsigned>(block / grid.x / grid.y)});
}

void Checker::complete(Finding& finding, std::uint64_t pc, unsigned thread) const {
  finding.kernel = instance_among(launch_.kernel, place_of(pc).functions);
  if (finding.kernel.empty()) finding.kernel = launch_.kernel;
  finding.place = place_at(pc, finding.place.event + thread_text(thread));
  finding.in_kernel = true;
  finding.block = block_;
  finding.thread = index_of(thread);
}

FindingId Checker::report(Finding finding, std::uint64_t pc, unsigned thread) {
  complete(finding, pc, thread);
  ++found_;
  return add_finding(std::move(finding));
}

std::size_t Checker::RepeatHash::operator()(const Repeat& repeat) const {
  const std::uint64_t mixed = (repeat.pc * 31 + repeat.other_pc) * 31;
  return std::hash<std::uint64_t>()(mixed + static_cast<std::uint64_t>(repeat.what));
}

// The first ones are described in full: the same two places of the code may be wrong in several
// ways. From then on that would cost more than everything else.
bool Checker::is_only_counted(Repeat::What what, std::uint64_t pc, std::uint64_t other_pc) {
  RepeatCount& repeat = repeats_[{what, pc, other_pc}];
  if (++repeat.times <= most_described || repeat.latest.clearings == 0) return false;
  ++found_;
  count_finding(repeat.latest);
  return true;
}

void Checker::report_repeat(Finding finding, Repeat::What what, std::uint64_t pc,
                            std::uint64_t other_pc, unsigned thread) {
  repeats_[{what, pc, other_pc}].latest = report(std::move(finding), pc, thread);
}

// ---------------------------------------------------------------- memory

namespace {

void describe_allocation(Finding& finding, const Allocation& allocation, std::uint64_t address) {
  finding.memory = describe(allocation);
  finding.bytes = allocation.size;
  finding.offset = static_cast<std::int64_t>(address - allocation.base);
  const std::string made_by = allocation.made_by;
  if (made_by.empty()) return;
  add_other(finding, allocation.made_at, "allocated here by " + made_by);
}

}  // namespace

// Where the access would be, held against the allocation or variable it was most likely meant for.
void Checker::describe_memory(Finding& finding, std::uint64_t address, AccessKind kind) const {
  finding.offset = 0;
  if (kind >= AccessKind::shared_load && kind <= AccessKind::shared_atomic) {
    if (address - launch_.dynamic < launch_.dynamic_limit) {
      finding.memory = "the dynamic shared memory, " + counted_bytes(launch_.dynamic_bytes);
      finding.bytes = launch_.dynamic_bytes;
      finding.offset = static_cast<std::int64_t>(address - launch_.dynamic);
    } else if (const auto variable = nearest_shared_variable(address - launch_.shared)) {
      finding.memory =
          "__shared__ " + quoted(variable->name) + ", " + counted_bytes(variable->bytes);
      finding.bytes = variable->bytes;
      finding.offset = static_cast<std::int64_t>(address - launch_.shared - variable->begin);
    }
    return;
  }
  const bool is_constant = kind == AccessKind::constant_load;
  if (!is_constant && (address - arena_base < arena_size || !is_mapped(address))) {
    // From further away nobody can say which array was meant.
    constexpr std::int64_t near = std::int64_t{1} << 40;
    const auto allocation = nearest_allocation(address);
    if (!allocation) return;
    const auto distance = static_cast<std::int64_t>(address - allocation->base);
    if (-near < distance && distance < near) describe_allocation(finding, *allocation, address);
    return;
  }
  if (const auto variable = nearest_data_variable(address)) {
    finding.memory = (is_constant ? "__constant__ " : "variable ") + quoted(variable->name) + ", " +
                     counted_bytes(variable->bytes);
    finding.bytes = variable->bytes;
    finding.offset = static_cast<std::int64_t>(address - variable->begin);
  }
}

// Whether an allocation has about as many bytes as the launch has threads, whose elements are
// larger: then the number of elements was taken for the size.
bool Checker::counts_elements_as_bytes(const Finding& finding) const {
  const auto volume = [](const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; };
  const std::uint64_t block = volume(launch_.block);
  const std::uint64_t threads = volume(launch_.grid) * block;
  const bool is_inside =
      finding.offset >= 0 && finding.access_bytes > 1 &&
      static_cast<std::uint64_t>(finding.offset) / finding.access_bytes < finding.bytes;
  return is_inside && finding.bytes <= threads && threads - finding.bytes < block;
}

void Checker::report_bounds(const Request& request, const SiteState& site, unsigned i) {
  if (is_only_counted(Repeat::What::bounds, request.pc)) return;
  const std::uint64_t address = request.address[i];
  const AccessKind kind = Access::kind_of(request.what);
  const unsigned bytes = Access::bytes_of(request.what);
  const bool is_global = !(kind >= AccessKind::shared_load && kind <= AccessKind::shared_atomic) &&
                         kind != AccessKind::constant_load;
  if (is_global && address - arena_base >= arena_size && find_data_variable(address).has_value()) {
    report_host_memory(request, i);  // a variable, but none of the device's
    return;
  }
  Finding finding;
  finding.access_bytes = bytes;
  finding.place.event = std::string(verb_of(kind)) + " by ";
  const unsigned thread = warp_ * warp_size + request.lane[i];
  if (const auto freed = is_global ? find_freed(address) : std::nullopt) {
    finding.kind = "use-after-free";
    finding.what = "memory is " + std::string(verb_of(kind)) + " that has been freed";
    finding.remedy = "free it after the last kernel that uses it, and give up pointers to it then";
    describe_allocation(finding, freed->allocation, address);
    add_other(finding, freed->freed_at, std::string("freed here by ") + freed->freed_by);
    report_repeat(std::move(finding), Repeat::What::bounds, request.pc, 0, thread);
    return;
  }
  finding.kind = "out-of-bounds";
  // The memory that this line has worked on so far is the one it was meant for, most likely.
  const bool known = site.region != nullptr && site.end > site.begin;
  std::uint64_t meant = address;
  if (known && is_global && address >= site.end && address - site.end < (1U << 20)) {
    meant = site.begin;
  }
  describe_memory(finding, meant, kind);
  finding.offset += static_cast<std::int64_t>(address - meant);
  const auto size = static_cast<std::int64_t>(finding.bytes);
  const std::string where = kind == AccessKind::constant_load ? "constant memory"
                            : is_global                       ? "global memory"
                                                              : "shared memory";
  finding.what = where + " is " + verb_of(kind) + " outside every array";
  if (finding.bytes != 0 && finding.offset < 0) {
    finding.what = where + " is " + verb_of(kind) + ' ' +
                   counted_bytes(static_cast<std::uint64_t>(-finding.offset)) +
                   " before the start of an array";
  } else if (finding.bytes != 0 && finding.offset < size) {
    finding.what = where + " is " + verb_of(kind) + " across the end of an array";
  } else if (finding.bytes != 0 && finding.offset == size) {
    finding.what = where + " is " + verb_of(kind) + " right behind the end of an array";
  } else if (finding.bytes != 0) {
    finding.what = where + " is " + verb_of(kind) + ' ' +
                   counted_bytes(static_cast<std::uint64_t>(finding.offset - size)) +
                   " past the end of an array";
  }
  finding.remedy =
      is_global
          ? "hold the index against the number of elements of this very array before using it; "
            "the last block may have threads to spare, and the last tile be shorter"
          : "hold the index against the size of the array, or make the array larger";
  if (is_global && counts_elements_as_bytes(finding)) {
    finding.remedy =
        "give the allocation its size in bytes, the number of elements times sizeof: it "
        "has " +
        counted_bytes(finding.bytes) + ", one for each thread of the launch";
  }
  if (launch_.dynamic_limit != 0 && address - launch_.dynamic < launch_.dynamic_limit) {
    finding.remedy = "give the launch enough shared memory, in bytes, as its third parameter";
  }
  report_repeat(std::move(finding), Repeat::What::bounds, request.pc, 0, thread);
}

// An address at which the device has no memory.
void Checker::report_outside(const Request& request, const SiteState& site, unsigned i) {
  constexpr std::uint64_t near_null = 65536;
  if (request.address[i] < near_null || is_mapped(request.address[i])) {
    report_host_memory(request, i);
  } else {
    report_bounds(request, site, i);
  }
}

// Memory of the host, or a null pointer.
void Checker::report_host_memory(const Request& request, unsigned i) {
  if (is_only_counted(Repeat::What::outside, request.pc)) return;
  const std::uint64_t address = request.address[i];
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  if (lookup(reinterpret_cast<const void*>(address)).has_value()) return;  // registered
  // Arguments are converted, and objects copied, on the host's memory before the kernel begins.
  const std::vector<std::string>& functions = place_of(request.pc).functions;
  if (!functions.empty() && is_conversion(functions.back())) return;
  const auto variable = find_data_variable(address);
  if (variable && is_constant_data(address)) return;

  const AccessKind kind = Access::kind_of(request.what);
  Finding finding;
  finding.access_bytes = Access::bytes_of(request.what);
  finding.place.event = std::string(verb_of(kind)) + " by ";
  if (address < 65536) {
    finding.kind = "out-of-bounds";
    finding.what = "an access through a null pointer";
    finding.remedy =
        "look at what the kernel was given: was the memory allocated, and did that go well?";
  } else {
    finding.kind = "host-pointer";
    finding.what = "the kernel uses memory of the host";
    finding.remedy =
        "allocate device memory with cudaMalloc, copy the data there, and pass that pointer";
    if (variable) {
      finding.what = "the kernel uses the host's variable " + quoted(variable->name);
      finding.memory = "variable " + quoted(variable->name) + ", " + counted_bytes(variable->bytes);
      finding.bytes = variable->bytes;
      finding.offset = static_cast<std::int64_t>(address - variable->begin);
      finding.remedy = "pass its value as an argument, or make it a __device__ variable";
    }
  }
  report_repeat(std::move(finding), Repeat::What::outside, request.pc, 0,
                warp_ * warp_size + request.lane[i]);
}

void Checker::report_alignment(std::uint64_t address, unsigned alignment, std::string type,
                               std::uint64_t pc, bool is_shared, unsigned thread) {
  if (is_only_counted(Repeat::What::alignment, pc)) return;
  // g++ writes 'const struct float4'.
  std::erase(type, '\'');
  for (const std::string word : {"const ", "volatile ", "struct "}) {
    if (const std::size_t at = type.find(word); at != std::string::npos)
      type.erase(at, word.size());
  }
  Finding finding;
  finding.kind = "misaligned";
  finding.access_bytes = alignment;
  finding.what =
      "a " + type + " is used at an address that is no multiple of " + std::to_string(alignment);
  finding.remedy = "let every " + type + " begin at a multiple of " + std::to_string(alignment) +
                   " bytes from the start of the allocation, or access smaller elements one by one";
  finding.place.event = "used by ";
  describe_memory(finding, address, is_shared ? AccessKind::shared_load : AccessKind::global_load);
  report_repeat(std::move(finding), Repeat::What::alignment, pc, 0, thread);
}

void Checker::report_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                           unsigned thread) {
  if (is_only_counted(Repeat::What::shift, pc)) return;
  Finding finding;
  finding.kind = "shift";
  finding.severity = Severity::warning;
  finding.what = "a value of " + std::to_string(bits) + " bits is shifted by " + amount +
                 ": C++ leaves open what comes out; nvcc's code gives 0, or the sign, in most " +
                 "cases, and the host another value";
  finding.remedy = "shift by 0 to " + std::to_string(bits - 1) +
                   " bits, and write what is meant beyond: n < " + std::to_string(bits) +
                   " ? x << n : 0";
  finding.place.event = "shifted by ";
  report_repeat(std::move(finding), Repeat::What::shift, pc, 0, thread);
}

void Checker::report_unwritten(const Touch& touch) {
  const std::uint64_t pc = sites_pc(touch.slot.site);
  const auto known = std::find_if(unwritten_.begin(), unwritten_.end(),
                                  [&](const auto& one) { return one.site == touch.slot.site; });
  Unwritten& waiting = known != unwritten_.end() ? *known : unwritten_.emplace_back();
  waiting.site = touch.slot.site;
  ++found_;
  if (waiting.described.size() == most_described) {
    ++waiting.more;
    return;
  }
  Finding finding;
  finding.kind = "uninitialised";
  finding.access_bytes = touch.bytes;
  finding.what = std::string(touch.is_shared ? "shared" : "global") +
                 " memory is read that nobody has written";
  finding.remedy = touch.is_shared
                       ? "let every element that is read be written before, by this block, also "
                         "where the data ends inside a tile"
                       : "copy data there, clear it with cudaMemset, or write it in a kernel first "
                         "(sizes are in bytes)";
  finding.place.event = std::string(verb_of(touch.kind)) + " by ";
  describe_memory(finding, touch.address, touch.kind);
  complete(finding, pc, warp_ * warp_size + touch.slot.lane);
  waiting.described.push_back(std::move(finding));
}

void Checker::end_launch() {
  for (Unwritten& unwritten : unwritten_) {
    const bool races = sites_[unwritten.site]->races;
    for (Finding& finding : unwritten.described) {
      if (races) {
        finding.remedy =
            "see the race above first: who reads before the others have written, reads "
            "this, too. Or " +
            finding.remedy;
      }
      finding.times += std::exchange(unwritten.more, 0);
      add_finding(std::move(finding));
    }
  }
  unwritten_.clear();
}

// ---------------------------------------------------------------- barriers and masks

void Checker::report_two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                                  unsigned other) {
  const SourcePlace& a = place_of(pc);
  const SourcePlace& b = place_of(other_pc);
  // One line may have become two places in the code.
  if (a.line == b.line && a.file == b.file) return;
  Finding finding;
  finding.kind = "divergent-barrier";
  finding.what = "threads of one block wait at two different barriers";
  finding.remedy = remedy_of(finding.kind);
  finding.place.event = "reached by ";
  finding.others.push_back(place_at(other_pc, "reached by " + thread_text(other)));
  report(std::move(finding), pc, thread);
}

void Checker::report_passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) {
  Finding finding;
  finding.kind = "divergent-barrier";
  finding.what =
      "a barrier is reached by a part of the block only: " + thread_text(passed) + " went past it";
  finding.remedy = remedy_of(finding.kind);
  finding.place.event = "reached by ";
  report(std::move(finding), pc, thread);
}

void Checker::report_mask(std::string what, std::uint64_t pc, unsigned thread, std::string remedy) {
  Finding finding;
  finding.kind = "bad-mask";
  finding.what = std::move(what);
  finding.remedy = remedy.empty() ? remedy_of(finding.kind) : std::move(remedy);
  finding.place.event = "called by ";
  report(std::move(finding), pc, thread);
}

// ---------------------------------------------------------------- races

// Whether two places of the code are the two halves of an update such as ++x[i]: one reads and the
// other writes what has just been read. (x[i] += x[j] reads at two places, and at one of them it is
// something else than what is written.)
bool Checker::is_update(const SiteState& one, const SiteState& other) const {
  bool meet = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (one.first[lane] == 0 || other.first[lane] == 0) continue;
    if (one.first[lane] != other.first[lane]) return false;
    meet = true;
  }
  return meet;
}

std::string Checker::remedy_of_race(const Touch& touch, const Slot& earlier,
                                    bool earlier_writes) const {
  const bool both_write = touch.writes && earlier_writes;
  const bool same_block = earlier.segment >= block_first_;
  const bool same_warp = same_block && segments_[earlier.segment - block_first_].warp == warp_;
  if (!both_write && is_update(*sites_[touch.slot.site], *sites_[earlier.site])) {
    return "use an atomic such as atomicAdd(): to read, to change and to write back are three "
           "steps, and the others come in between";
  }
  if (same_warp && both_write && earlier.segment == touch.slot.segment &&
      earlier.site == touch.slot.site) {
    return "let one thread alone write it, or use an atomic operation";
  }
  if (same_warp && warps_.size() == 1) {
    return "put __syncwarp() between the two, for all lanes that take part";
  }
  if (same_warp) {
    return "put __syncthreads() between the two, where all threads come by, or __syncwarp() if "
           "only "
           "this warp does";
  }
  if (same_block) return "put __syncthreads() between the two, where all threads come by";
  return "blocks do not wait for each other: let each write elements of its own, do the second "
         "step "
         "in a kernel of its own, use atomics, or hand on with __threadfence() and an atomic";
}

void Checker::report_race(const Touch& touch, const Slot& earlier, bool earlier_writes,
                          bool same_value) {
  if (earlier.is_unfinished()) {
    report_unfinished(touch, earlier);
    return;
  }
  const std::uint64_t earlier_pc = sites_pc(earlier.site);
  const std::uint64_t pc = sites_pc(touch.slot.site);
  const auto what = same_value ? Repeat::What::harmless_race : Repeat::What::race;
  if (is_only_counted(what, pc, earlier_pc)) return;
  const bool same_block = earlier.segment >= block_first_;
  const bool same_warp = same_block && segments_[earlier.segment - block_first_].warp == warp_;
  const bool same_step = same_warp && earlier.segment == touch.slot.segment &&
                         earlier.site == touch.slot.site && earlier_writes && touch.writes;
  Finding finding;
  finding.kind = "race";
  finding.access_bytes = touch.bytes;
  describe_memory(finding, touch.address, touch.kind);
  const std::string memory = touch.is_shared ? "shared" : "global";
  const char* const whose = same_step    ? "lanes of one warp in one step"
                            : same_warp  ? "lanes of one warp"
                            : same_block ? "threads of one block"
                                         : "threads of different blocks";
  finding.what = "the same word of " + memory + " memory is used by two " + whose +
                 (touch.writes && earlier_writes ? ", who both write it"
                  : touch.writes ? ", one of whom writes it after the other's reading"
                                 : ", one of whom reads what the other writes") +
                 "; nothing says who is first";
  sites_[touch.slot.site]->races = sites_[earlier.site]->races = true;
  finding.remedy = remedy_of_race(touch, earlier, earlier_writes);
  if (same_value) {
    finding.severity = Severity::warning;
    finding.what += "; here all write the same value";
  }
  finding.place.event = std::string(verb_of(touch.kind)) + " by ";
  const char* const how =
      earlier.is_atomic != 0 ? (earlier_writes ? "changed by an atomic of " : "read atomically by ")
      : earlier_writes       ? "written by "
                             : "read by ";
  finding.others.insert(finding.others.begin(),
                        place_at(earlier_pc, how + earlier_thread_text(earlier)));
  report_repeat(std::move(finding), what, pc, earlier_pc, warp_ * warp_size + touch.slot.lane);
}

}  // namespace emulator::detail
