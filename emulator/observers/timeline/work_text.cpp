#include "observers/timeline/work_text.hpp"

#include <type_traits>
#include <variant>

#include "base/copy_waits.hpp"
#include "observers/timeline/trace_file.hpp"
#include "observers/timeline/work_steps.hpp"

namespace emulator::timeline {
namespace {

using Json = nlohmann::ordered_json;

Json extent(const dim3& size) {
  return {size.x, size.y, size.z};
}

WorkText text_of_kernel(const KernelTask& kernel) {
  const Configuration& how = kernel.configuration;
  return {category::kernel,
          kernel.name,
          "launch " + std::string(kernel.name),
          {{"grid", extent(how.grid)}, {"block", extent(how.block)}}};
}

WorkText text_of_copy(const CopyTask& copy) {
  const std::uint64_t bytes = bytes_of(copy.extent);
  const Engine engine = steps_of(copy).engine;
  const char* const what = engine == Engine::copies_to_device ? category::to_device
                           : engine == Engine::copies_to_host ? category::to_host
                                                              : category::other_copy;
  return {what, what + (" " + size_text(bytes)), what, {{"bytes", bytes}}};
}

}  // namespace

WorkText text_of(const Task& task) {
  return std::visit(
      [](const auto& one) -> WorkText {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, KernelTask>) {
          return text_of_kernel(one);
        } else if constexpr (std::is_same_v<T, CopyTask>) {
          return text_of_copy(one);
        } else if constexpr (std::is_same_v<T, SetTask>) {
          const std::uint64_t bytes = bytes_of(one.extent);
          return {category::set, "set " + size_text(bytes), "set", {{"bytes", bytes}}};
        } else if constexpr (std::is_same_v<T, HostTask>) {
          return {category::host_function, "host function", "host function"};
        } else if constexpr (std::is_same_v<T, CallTask>) {
          return {category::library, one.name, one.name};
        } else if constexpr (std::is_same_v<T, FreeTask>) {
          return {category::free, "free", "free"};
        } else if constexpr (std::is_same_v<T, RecordTask>) {
          return {category::event, "records an event", "record an event"};
        } else if constexpr (std::is_same_v<T, BranchTask>) {
          return {category::kernel, "conditional node", "conditional node"};
        } else {
          return {category::event, "waits for an event", "let it wait for an event"};
        }
      },
      task);
}

}  // namespace emulator::timeline
