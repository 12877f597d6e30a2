#include "observers/checks/kernels/memory_description.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/variables.hpp"
#include "base/words.hpp"
#include "observers/checks/finding_text.hpp"
#include "observers/checks/host_findings.hpp"

namespace emulator::checks {

std::string quoted(const std::string& name) {
  return '`' + name + '`';
}

bool is_mapped(std::uint64_t address) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  return msync(reinterpret_cast<void*>(address / page * page), page, MS_ASYNC) == 0 ||
         errno != ENOMEM;
}

void describe_allocation(Finding& finding, const Allocation& allocation, std::uint64_t address) {
  finding.memory = describe(allocation);
  finding.bytes = allocation.size;
  finding.offset = static_cast<std::int64_t>(address - allocation.base);
  const std::string made_by = allocation.made_by;
  if (made_by.empty()) return;
  add_other(finding, allocation.made_at, "allocated here by " + made_by);
}

namespace {

void describe_shared(Finding& finding, std::uint64_t address, const SharedMemories& shared) {
  const SharedMemory memory = shared.at(address);
  if (shared.is_dynamic(address)) {
    finding.memory = "the dynamic shared memory, " + counted_bytes(shared.dynamic_bytes());
    finding.bytes = shared.dynamic_bytes();
    finding.offset = static_cast<std::int64_t>(address - memory.dynamic);
  } else if (const auto variable = nearest_shared_variable(address - memory.begin)) {
    finding.memory = "__shared__ " + quoted(variable->name) + ", " + counted_bytes(variable->bytes);
    finding.bytes = variable->bytes;
    finding.offset = static_cast<std::int64_t>(address - memory.begin - variable->begin);
  }
}

}  // namespace

void describe_memory(Finding& finding, std::uint64_t address, AccessKind kind,
                     const SharedMemories& shared) {
  finding.offset = 0;
  if (is_shared_kind(kind)) return describe_shared(finding, address, shared);
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

}  // namespace emulator::checks
