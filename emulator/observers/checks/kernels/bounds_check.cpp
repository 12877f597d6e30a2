#include "observers/checks/kernels/bounds_check.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/device_variables.hpp"
#include "base/devices/devices.hpp"
#include "base/source_files.hpp"
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

// Whether a variable is not the device's. (Those of templates may be, unknown to us.)
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
    if (region == nullptr || is_kept_from(address)) return std::nullopt;
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

// Whether it is memory of a device that the launch's may not use.
bool BoundsCheck::is_kept_from(std::uint64_t address) const {
  if (device_count() == 1 || device_at(address) == running_.launch().device) return false;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  const auto memory = lookup(reinterpret_cast<const void*>(address));
  return memory && !can_use(running_.launch().device, *memory);
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
  if (function.find("::uninitialized_copy_single<") < end) return true;  // CUB's, in such
  if (scope == std::string::npos) return false;
  std::string name = function.substr(scope + 2, end - scope - 2);
  if (name.starts_with('~')) return true;
  std::string outer = function.substr(0, scope);
  outer = outer.substr(0, outer.find('<'));
  return outer == name || outer.ends_with("::" + name) || outer.ends_with(' ' + name);
}

bool is_in_lambda(const std::vector<std::string>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const std::string& function) {
    return function.find("{lambda(") != std::string::npos;
  });
}

// Whether that is what calls the kernel, into which it may have been inlined.
bool is_launch(const std::string& function) {
  return function.find("emulator::detail::BoundKernel<") != std::string::npos;
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

// Whether the call that has allocated the memory works out the size of its elements.
bool is_sized_by_elements(const Finding& finding) {
  SourceFiles files;
  return std::any_of(finding.others.begin(), finding.others.end(), [&](const FindingPlace& place) {
    const std::vector<std::string>* const lines = files.find(place.file);
    const auto number = static_cast<std::size_t>(place.line);
    return lines != nullptr && number > 0 && number <= lines->size() &&
           (*lines)[number - 1].find("sizeof") != std::string::npos;
  });
}

}  // namespace

// Whether an allocation has about as many bytes as the launch has threads, whose elements are
// larger: then the number of elements was taken for the size, most likely.
bool BoundsCheck::counts_elements_as_bytes(const Finding& finding) const {
  const auto volume = [](const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; };
  const std::uint64_t block = volume(running_.launch().block);
  const std::uint64_t threads = volume(running_.launch().grid) * block;
  const bool is_inside =
      finding.offset >= 0 && finding.access_bytes > 1 &&
      static_cast<std::uint64_t>(finding.offset) / finding.access_bytes < finding.bytes;
  // The last block may have few elements left. A single one is made about as large as needed.
  const std::uint64_t most_idle = threads == block ? (block + 1) / 2 : block;
  return is_inside && finding.bytes <= threads && threads - finding.bytes < most_idle &&
         !is_sized_by_elements(finding);
}

std::string BoundsCheck::remedy_of_bounds(const Finding& finding, bool is_global,
                                          bool is_dynamic) const {
  constexpr std::int64_t far = std::int64_t{1} << 30;
  const std::int64_t past_end = finding.offset - static_cast<std::int64_t>(finding.bytes);
  if (is_dynamic && shared_.dynamic_bytes() == 0) {
    return "ask for enough shared memory: the third parameter of the launch, in bytes";
  }
  if (is_dynamic) {
    return "compare the index with the number of elements that the launch asks for, or ask for "
           "more: its third parameter is in bytes, so that many elements times sizeof";
  }
  if (finding.bytes != 0 && (finding.offset < -far || past_end > far)) {
    return "look at how the index is computed: below 0 an unsigned one becomes a very large "
           "number, and beyond 2147483647 an int becomes a negative one; an index that nobody has "
           "set may be anything";
  }
  if (finding.bytes != 0 && finding.offset < 0) {
    return "compare the index with 0, too, before you use it: the first elements have none before "
           "them";
  }
  if (is_global && counts_elements_as_bytes(finding)) {
    const std::string count = std::to_string(finding.bytes);
    return "sizes are in bytes: if there are to be " + count + " elements, allocate " + count +
           " times sizeof; else compare the index with the number of elements";
  }
  if (!is_global) return "compare the index with the size of the array, or make the array larger";
  return "compare the index with the number of elements of this array before you use it: the last "
         "block may have more threads than there are elements left, and the last tile may be "
         "shorter";
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
  if (is_global && is_kept_from(address)) return report_peer(request, i);
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
  finding.remedy = remedy_of_bounds(finding, is_global, shared_.is_dynamic(address));
  findings_.report(std::move(finding), repeat, thread);
}

// Another device's memory, for which there is no access.
void BoundsCheck::report_peer(const Request& request, unsigned i) {
  const Repeat repeat{Repeat::What::outside, request.pc};
  if (findings_.is_only_counted(repeat)) return;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  const auto memory = lookup(reinterpret_cast<const void*>(request.address[i]));
  const AccessKind kind = Access::kind_of(request.what);
  const std::string own = std::to_string(running_.launch().device);
  const std::string peer = std::to_string(memory->device);
  Finding finding;
  finding.kind = "no-peer-access";
  finding.access_bytes = Access::bytes_of(request.what);
  finding.place.event = event_of(kind);
  finding.what = std::string("the kernel ") + verb_of(kind) + " memory of device " + peer +
                 ", and runs on device " + own + ", which has no access to it";
  finding.remedy = memory->users
                       ? "call cudaMemPoolSetAccess() for the pool that the memory is from: peer "
                         "access does not count for pools"
                       : "call cudaDeviceEnablePeerAccess(" + peer + ", 0) with device " + own +
                             " in use before the launch, or copy the data to device " + own +
                             " (cudaMemcpyPeer)";
  describe_allocation(finding, *memory, request.address[i]);
  findings_.report(std::move(finding), repeat, running_.thread_of(request.lane[i]));
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
  if (!functions.empty() && (is_conversion(functions.back()) || is_launch(functions.back()))) {
    return;
  }
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
        is_in_lambda(functions)
            ? "capture by value, [=] or [name]: a reference, as by [&], is the address of the "
              "host's variable; of an array the data have to be copied to memory from cudaMalloc"
            : "if it is an array, allocate device memory with cudaMalloc, copy the data there, and "
              "pass that pointer; if it is one value, pass the value itself, no reference to it";
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
