#include "observers/checks/kernels/bounds_check.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/device_variables.hpp"
#include "base/source_places.hpp"
#include "base/variables.hpp"
#include "base/words.hpp"
#include "observers/checks/access_words.hpp"
#include "observers/checks/finding_text.hpp"
#include "observers/checks/host_findings.hpp"
#include "observers/checks/kernels/memory_description.hpp"

extern char __data_start[] __attribute__((weak));

namespace emulator::checks {

// ---------------------------------------------------------------- where the bounds are

namespace {

// Whether a variable is none of the device's. (Those of templates may be, unknown to us.)
bool is_host_variable(const Variable& variable) {
  return !variable.weak && find_device_variable(variable.begin) == nullptr;
}

}  // namespace

bool BoundsCheck::check(const Request& request, CodeSite& site, unsigned i) {
  const std::uint64_t begin = request.address[i];
  const std::uint64_t end = begin + Access::bytes_of(request.what);
  if (site.extent().holds(begin, end)) return true;
  const auto extent = extent_at(begin, Access::kind_of(request.what));
  if (extent && extent->holds(begin, end)) {
    site.set_extent(*extent);
    return true;
  }
  // The site's extent stays: it is what the code was meant for, most likely.
  report_bounds(request, site, i);
  return false;
}

// The allocation or variable that an address is in.
std::optional<Extent> BoundsCheck::extent_at(std::uint64_t address, AccessKind kind) const {
  if (is_shared_kind(kind)) return shared_.extent_at(address);
  if (address - arena_base < arena_size) {
    Region* const region = region_of(address);
    if (region == nullptr) return std::nullopt;
    return Extent{region, region->begin(), region->begin() + region->bytes()};
  }
  Region& variables = variables_region();
  const auto variable = find_data_variable(address);
  if (variable && (kind == AccessKind::constant_load || !is_host_variable(*variable))) {
    return Extent{&variables, variable->begin, variable->begin + variable->bytes};
  }
  if (has_variables()) return std::nullopt;
  return Extent{&variables, variables.begin(), variables.begin() + variables.bytes()};
}

// ---------------------------------------------------------------- what is said of it

namespace {

// Whether a variable's address is before those that can be written.
bool is_constant_data(std::uint64_t address) {
  return address < reinterpret_cast<std::uintptr_t>(__data_start);
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

// Whether an allocation has about as many bytes as the launch has threads, whose elements are
// larger: then the number of elements was taken for the size.
bool BoundsCheck::counts_elements_as_bytes(const Finding& finding) const {
  const auto volume = [](const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; };
  const std::uint64_t block = volume(running_.launch().block);
  const std::uint64_t threads = volume(running_.launch().grid) * block;
  const bool is_inside =
      finding.offset >= 0 && finding.access_bytes > 1 &&
      static_cast<std::uint64_t>(finding.offset) / finding.access_bytes < finding.bytes;
  return is_inside && finding.bytes <= threads && threads - finding.bytes < block;
}

void BoundsCheck::report_bounds(const Request& request, const CodeSite& site, unsigned i) {
  const Repeat repeat{Repeat::What::bounds, request.pc};
  if (findings_.is_only_counted(repeat)) return;
  const std::uint64_t address = request.address[i];
  const AccessKind kind = Access::kind_of(request.what);
  const unsigned bytes = Access::bytes_of(request.what);
  const bool is_global = !is_shared_kind(kind) && kind != AccessKind::constant_load;
  if (is_global && address - arena_base >= arena_size && find_data_variable(address).has_value()) {
    report_host_memory(request, i);  // a variable, but none of the device's
    return;
  }
  Finding finding;
  finding.access_bytes = bytes;
  finding.place.event = event_of(kind);
  const unsigned thread = running_.thread_of(request.lane[i]);
  if (const auto freed = is_global ? find_freed(address) : std::nullopt) {
    finding.kind = "use-after-free";
    finding.what = std::string("the kernel ") + verb_of(kind) + " memory that was freed";
    finding.remedy = "free it after the last kernel that uses it, and keep no pointer to it";
    describe_allocation(finding, freed->allocation, address);
    add_other(finding, freed->freed_at, std::string("freed here by ") + freed->freed_by);
    findings_.report(std::move(finding), repeat, thread);
    return;
  }
  finding.kind = "out-of-bounds";
  // The memory that this line has worked on so far is the one it was meant for, most likely.
  const Extent& known = site.extent();
  const bool is_known = known.region != nullptr && known.end > known.begin;
  std::uint64_t meant = address;
  if (is_known && is_global && address >= known.end && address - known.end < (1U << 20)) {
    meant = known.begin;
  }
  describe_memory(finding, meant, kind, shared_);
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
  if (shared_.is_dynamic(address)) {
    finding.remedy = "ask for enough shared memory: the third parameter of the launch, in bytes";
  }
  findings_.report(std::move(finding), repeat, thread);
}

// An address at which the device has no memory.
void BoundsCheck::report_outside(const Request& request, const CodeSite& site, unsigned i) {
  constexpr std::uint64_t near_null = 65536;
  if (request.address[i] < near_null || is_mapped(request.address[i])) {
    report_host_memory(request, i);
  } else {
    report_bounds(request, site, i);
  }
}

// Memory of the host, or a null pointer.
void BoundsCheck::report_host_memory(const Request& request, unsigned i) {
  const Repeat repeat{Repeat::What::outside, request.pc};
  if (findings_.is_only_counted(repeat)) return;
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
  findings_.report(std::move(finding), repeat, running_.thread_of(request.lane[i]));
}

}  // namespace emulator::checks
