/// \file
/// What the checks say of memory: accesses out of bounds, after the memory was freed, before
/// anything was written, to the host's memory, at addresses that do not fit; and of shifts.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/source_places.hpp"
#include "base/words.hpp"
#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"
#include "observers/checks/finding_text.hpp"
#include "observers/checks/host_findings.hpp"

extern char __data_start[] __attribute__((weak));

namespace emulator::checks {
namespace {

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
    const SharedMemory memory = shared_memory(address);
    if (address - memory.dynamic < launch_.dynamic_limit) {
      finding.memory = "the dynamic shared memory, " + counted_bytes(launch_.dynamic_bytes);
      finding.bytes = launch_.dynamic_bytes;
      finding.offset = static_cast<std::int64_t>(address - memory.dynamic);
    } else if (const auto variable = nearest_shared_variable(address - memory.begin)) {
      finding.memory =
          "__shared__ " + quoted(variable->name) + ", " + counted_bytes(variable->bytes);
      finding.bytes = variable->bytes;
      finding.offset = static_cast<std::int64_t>(address - memory.begin - variable->begin);
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

namespace {

// Where the access lies, seen from the array that it was most likely meant for.
std::string beside_array(const Finding& finding) {
  const auto size = static_cast<std::int64_t>(finding.bytes);
  const auto bytes = [](std::int64_t count) {
    return counted_bytes(static_cast<std::uint64_t>(count));
  };
  if (size == 0) return "outside every array";
  if (finding.offset < 0) return bytes(-finding.offset) + " before the start of an array";
  if (finding.offset < size) return "partly past the end of an array";
  if (finding.offset == size) return "just past the end of an array";
  return bytes(finding.offset - size) + " past the end of an array";
}

}  // namespace

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
  finding.place.event = event_of(kind);
  const unsigned thread = warp_ * warp_size + request.lane[i];
  if (const auto freed = is_global ? find_freed(address) : std::nullopt) {
    finding.kind = "use-after-free";
    finding.what = std::string("the kernel ") + verb_of(kind) + " memory that was freed";
    finding.remedy = "free it after the last kernel that uses it, and keep no pointer to it";
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
  const std::string where = kind == AccessKind::constant_load ? "constant memory"
                            : is_global                       ? "global memory"
                                                              : "shared memory";
  finding.what =
      std::string("the kernel ") + verb_of(kind) + ' ' + where + ' ' + beside_array(finding);
  finding.remedy =
      is_global ? "compare the index with the number of elements of this array before you use it: "
                  "the last block may have more threads than there are elements left, and the last "
                  "tile may be shorter"
                : "compare the index with the size of the array, or make the array larger";
  if (is_global && counts_elements_as_bytes(finding)) {
    finding.remedy =
        "sizes are in bytes: allocate the number of elements times sizeof. This allocation has " +
        counted_bytes(finding.bytes) + ", one for each thread of the launch";
  }
  if (launch_.dynamic_limit != 0 &&
      address - shared_memory(address).dynamic < launch_.dynamic_limit) {
    finding.remedy = "ask for enough shared memory: the third parameter of the launch, in bytes";
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
  finding.place.event = event_of(kind);
  if (address < 65536) {
    finding.kind = "out-of-bounds";
    finding.what = std::string("the kernel ") + verb_of(kind) + " memory through a null pointer";
    finding.remedy =
        "check the pointers that the launch passes: was the memory allocated, and did the "
        "allocation succeed?";
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

void Checker::misaligned_pointer(std::uint64_t address, unsigned alignment, std::string type,
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
  finding.what = "an element of type " + type + " lies at an address that is not a multiple of " +
                 std::to_string(alignment);
  finding.remedy = "let elements of type " + type + " start at multiples of " +
                   std::to_string(alignment) +
                   " bytes from the start of the allocation, or access smaller elements one by one";
  finding.place.event = "used by ";
  describe_memory(finding, address, is_shared ? AccessKind::shared_load : AccessKind::global_load);
  report_repeat(std::move(finding), Repeat::What::alignment, pc, 0, thread);
}

void Checker::wide_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                           unsigned thread) {
  if (is_only_counted(Repeat::What::shift, pc)) return;
  Finding finding;
  finding.kind = "shift";
  finding.severity = Severity::warning;
  finding.what =
      "a value of " + std::to_string(bits) + " bits is shifted by " + amount +
      ": C++ does not say what comes out. In most cases a GPU gives 0, or the sign, and the "
      "host something else";
  finding.remedy = "shift by 0 to " + std::to_string(bits - 1) +
                   " bits, and say what a larger shift gives: n < " + std::to_string(bits) +
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
  finding.what = std::string("the kernel ") + verb_of(touch.kind) +
                 (touch.is_shared ? " shared" : " global") + " memory that nobody has written";
  finding.remedy = touch.is_shared && clocks_ != nullptr
                       ? "if a copy is to fill it, wait for the phase of the copy's mbarrier "
                         "first; else let the block write every element before it reads it"
                   : touch.is_shared
                       ? "let the block write every element before it reads it, also in the last "
                         "tile, which the data may not fill"
                       : "write it first, with cudaMemcpy, with cudaMemset or in a kernel; the "
                         "sizes of both calls are in bytes";
  finding.place.event = event_of(touch.kind);
  describe_memory(finding, touch.address, touch.kind);
  complete(finding, pc, warp_ * warp_size + touch.slot.lane);
  waiting.described.push_back(std::move(finding));
}

void Checker::end_launch() {
  barrier_failed();
  next_segment_of_all_ = next_segment_;
}

void Checker::barrier_failed() {
  for (Unwritten& unwritten : unwritten_) {
    const bool races = sites_[unwritten.site]->races;
    for (Finding& finding : unwritten.described) {
      if (races) {
        finding.remedy =
            "mend the race above first: it lets a thread read before another has written. If this "
            "remains, " +
            finding.remedy;
      }
      finding.times += std::exchange(unwritten.more, 0);
      add_finding(std::move(finding));
    }
  }
  unwritten_.clear();
}

}  // namespace emulator::checks
