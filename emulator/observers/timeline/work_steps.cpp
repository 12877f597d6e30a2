#include "observers/timeline/work_steps.hpp"

#include <type_traits>
#include <variant>

#include "base/copy_waits.hpp"

namespace emulator::timeline {
namespace {

constexpr std::uint64_t threads_a_step = 1024;
constexpr std::uint64_t bytes_a_step = 4096;
constexpr std::uint64_t device_bytes_a_step = 65536;

Steps begun(std::uint64_t amount, std::uint64_t a_step) {
  return (amount + a_step - 1) / a_step;
}

bool is_hosts(Side side) {
  return side == Side::pageable || side == Side::pinned;
}

WorkSteps steps_of_copy(const CopyTask& copy) {
  const Side to = side_of(copy.to.origin);
  // What the queue has staged was pageable; so is its own copy.
  const Side from = side_of(copy.from.origin);
  const std::uint64_t bytes = bytes_of(copy.extent);
  if (!is_hosts(to) && !is_hosts(from)) return {Engine::none, begun(bytes, device_bytes_a_step)};
  const Steps steps = begun(bytes, bytes_a_step);
  if (is_hosts(to) && is_hosts(from)) return {Engine::none, steps};
  if (is_hosts(to)) {
    return {Engine::copies_to_host, steps, 0, to == Side::pageable ? steps : 0};
  }
  return {Engine::copies_to_device, steps, from == Side::pageable ? steps : 0, 0};
}

Steps threads_of(const Configuration& configuration) {
  const auto size = [](const dim3& extent) {
    return std::uint64_t{extent.x} * extent.y * extent.z;
  };
  return size(configuration.grid) * size(configuration.block);
}

}  // namespace

std::uint64_t bytes_of(const cudaExtent& extent) {
  return std::uint64_t{extent.width} * extent.height * extent.depth;
}

WorkSteps steps_of(const Task& task) {
  return std::visit(
      [](const auto& one) -> WorkSteps {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, KernelTask>) {
          return {Engine::none, begun(threads_of(one.configuration), threads_a_step)};
        } else if constexpr (std::is_same_v<T, CopyTask>) {
          return steps_of_copy(one);
        } else if constexpr (std::is_same_v<T, SetTask>) {
          return {Engine::none, begun(bytes_of(one.extent), device_bytes_a_step)};
        } else if constexpr (std::is_same_v<T, HostTask>) {
          return {Engine::host_functions, 1};
        } else if constexpr (std::is_same_v<T, CallTask> || std::is_same_v<T, BranchTask>) {
          return {Engine::none, 1};
        } else {
          return {};
        }
      },
      task);
}

}  // namespace emulator::timeline
