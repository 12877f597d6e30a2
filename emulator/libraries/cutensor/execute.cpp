/// \file
/// The execution of cuTENSOR's plans: what is checked, and what the checks get to know.

#include <algorithm>
#include <cstring>
#include <numeric>

#include "libraries/cutensor/call.hpp"
#include "libraries/cutensor/compute.hpp"
#include "libraries/cutensor/loops.hpp"

namespace emulator::cutensor {
namespace {

constexpr const char* names_of_kinds[] = {"a contraction",
                                          "a contraction of three tensors",
                                          "a reduction",
                                          "a permutation",
                                          "an operation on the elements of two tensors",
                                          "an operation on the elements of three tensors"};

// The elements of an operand in memory, for the checks.
class Elements {
 public:
  Elements(const Operand& operand, const void* data)
      : data_(static_cast<const std::byte*>(data)), bytes_(bytes_of(operand.tensor.type)) {
    const Tensor& tensor = operand.tensor;
    std::vector<std::size_t> order(tensor.modes());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return tensor.strides[a] < tensor.strides[b]; });
    // What follows without a gap is one piece.
    for (const std::size_t i : order) {
      if (tensor.extents[i] == 1) continue;
      if (loops_.empty() && tensor.strides[i] == length_) {
        length_ *= tensor.extents[i];
      } else {
        loops_.push_back({tensor.extents[i], {tensor.strides[i]}});
      }
    }
  }

  template <class Use>
  void for_pieces(Use use) const {
    const auto bytes = static_cast<std::int64_t>(bytes_);
    for_all(loops_, [&](const auto& at) { use(data_ + at[0] * bytes, length_ * bytes); });
  }

 private:
  const std::byte* data_;
  std::size_t bytes_;
  std::int64_t length_ = 1;
  std::vector<Axis<1>> loops_;
};

// Bytes in a row.
struct Bytes {
  const std::byte* data;
  std::uint64_t count;

  template <class Use>
  void for_pieces(Use use) const {
    use(data, static_cast<std::int64_t>(count));
  }
};

std::complex<double> number_at(const void* pointer, cudaDataType_t type) {
  switch (type) {
    case CUDA_R_32F: {
      float number = 0;
      std::memcpy(&number, pointer, sizeof(number));
      return number;
    }
    case CUDA_R_64F: {
      double number = 0;
      std::memcpy(&number, pointer, sizeof(number));
      return number;
    }
    case CUDA_C_32F: {
      std::complex<float> number;
      std::memcpy(&number, pointer, sizeof(number));
      return number;
    }
    default: {
      std::complex<double> number;
      std::memcpy(&number, pointer, sizeof(number));
      return number;
    }
  }
}

// From an operand's first byte to one past its last.
struct Range {
  std::uintptr_t first;
  std::uintptr_t end;

  Range(const Operand& operand, const void* data)
      : first(reinterpret_cast<std::uintptr_t>(data)),
        end(first + operand.tensor.span() * bytes_of(operand.tensor.type)) {}
};

// Whether two operands have a byte in common.
bool overlap(const Operand& a, const void* a_data, const Operand& b, const void* b_data) {
  const Range all_a(a, a_data);
  const Range all_b(b, b_data);
  if (all_a.end <= all_b.first || all_b.end <= all_a.first) return false;
  // They may be interleaved: each byte counts.
  std::vector<bool> is_of_a(all_a.end - all_a.first);
  Elements(a, a_data).for_pieces([&](const std::byte* piece, std::int64_t count) {
    const auto at = reinterpret_cast<std::uintptr_t>(piece) - all_a.first;
    std::fill_n(is_of_a.begin() + static_cast<std::ptrdiff_t>(at), count, true);
  });
  bool found = false;
  Elements(b, b_data).for_pieces([&](const std::byte* piece, std::int64_t count) {
    const auto first = reinterpret_cast<std::uintptr_t>(piece);
    const auto end = std::min(first + static_cast<std::uintptr_t>(count), all_a.end);
    for (auto at = std::max(first, all_a.first); !found && at < end; ++at) {
      found = is_of_a[at - all_a.first];
    }
  });
  return found;
}

struct Workspace {
  void* data = nullptr;
  std::uint64_t size = 0;
};

class Execution {
 public:
  Execution(const char* function, cutensorHandle_t handle, cutensorPlan_t plan, Kind kind)
      : call_(function, handle), work_(function), plan_(call_.object<LivePlans>("plan", plan)) {
    if (call_.ok() && plan_->operation.kind != kind) {
      call_.invalid(std::string("the plan is of ") +
                    names_of_kinds[static_cast<int>(plan_->operation.kind)]);
    }
  }

  cutensorStatus_t run(std::initializer_list<TensorCall::Pointer> factors,
                       std::vector<const void*> data, void* output, Workspace workspace,
                       cudaStream_t stream) {
    call_.not_null(factors);
    if (!call_.ok()) return call_.status();
    for (const auto& [name, pointer] : factors) factor(name, pointer);
    data.push_back(output);
    check_addresses(data);
    check_workspace(workspace);
    if (!call_.ok()) return call_.status();
    start(stream);
    access(data, workspace);
    if (call_.ok()) compute(operation(), data, output, factors_);
    return call_.status();
  }

 private:
  const Operation& operation() const { return plan_->operation; }
  const Operand& operand(std::size_t i) const { return operation().operands[i]; }

  // Whether an operand is read. The output is not.
  bool is_read(std::size_t i) const {
    return i < operation().inputs() &&
           factors_[static_cast<std::size_t>(operation().factors[i])] != 0.0;
  }
  bool is_used(std::size_t i) const { return i == operation().inputs() || is_read(i); }

  void factor(const char* name, const void* pointer) {
    if (is_device_memory(pointer)) {
      call_.invalid(std::string(name) +
                    " points to device memory, factors are on the host: a GPU's host would crash");
    }
    if (call_.ok()) factors_.push_back(number_at(pointer, operation().scalar));
  }

  void check_addresses(const std::vector<const void*>& data) {
    for (std::size_t i = 0; call_.ok() && i < data.size(); ++i) {
      if (!is_used(i)) continue;
      const Operand& one = operand(i);
      call_.not_null({{one.name, data[i]}});
      if (reinterpret_cast<std::uintptr_t>(data[i]) % one.tensor.alignment != 0) {
        call_.invalid(std::string(one.name) + " is not aligned to the " +
                      std::to_string(one.tensor.alignment) + " bytes that its descriptor promises");
      }
    }
  }

  void check_workspace(const Workspace& workspace) {
    const std::uint64_t needed = plan_->workspace;
    if (needed == 0 || !call_.ok()) return;
    if (workspace.size < needed) {
      return call_.refuse(CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE,
                          "the plan needs a workspace of " + std::to_string(needed) +
                              " bytes, this one has " + std::to_string(workspace.size));
    }
    call_.not_null({{"workspace", workspace.data}});
    if (reinterpret_cast<std::uintptr_t>(workspace.data) % 256 != 0) {
      call_.invalid("the workspace is not aligned to 256 bytes");
    }
  }

  void start(cudaStream_t stream) {
    switch (work_.start(stream)) {
      case DeviceWork::Start::is_captured:
      case DeviceWork::Start::is_noted:  // only of calls that ask for it
        return call_.not_supported("calls are not captured into graphs here");
      case DeviceWork::Start::cannot_run:
        return call_.refuse(CUTENSOR_STATUS_EXECUTION_FAILED, "the work cannot run");
      case DeviceWork::Start::began:
        return;
    }
  }

  void reaches(const char* name, const void* data, std::uint64_t count, std::size_t bytes,
               const char* elements) {
    if (!call_.ok()) return;
    const std::string fault = fault_of_elements(data, count, bytes, elements);
    if (!fault.empty()) call_.refuse(CUTENSOR_STATUS_EXECUTION_FAILED, name + fault);
  }

  // What takes part, and that the output does not overlap what is read in another order.
  void access(const std::vector<const void*>& data, const Workspace& workspace) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!is_used(i)) continue;
      const Tensor& tensor = operand(i).tensor;
      reaches(operand(i).name, data[i], tensor.span(), bytes_of(tensor.type), plural(tensor.type));
    }
    if (plan_->workspace > 0) {
      reaches("workspace", workspace.data, plan_->workspace, 1, "bytes");
    }
    const std::size_t last = operation().inputs();
    for (std::size_t i = 0; call_.ok() && i < last; ++i) {
      const bool is_the_same = operand(i).tensor == operand(last).tensor &&
                               operand(i).modes == operand(last).modes && data[i] == data[last];
      const bool may_be_the_same = i + 1 == last && operation().kind != Kind::permutation;
      if (!is_read(i) || (is_the_same && may_be_the_same)) continue;
      if (overlap(operand(i), data[i], operand(last), data[last])) {
        call_.invalid(
            std::string(operand(i).name) + " and " + operand(last).name +
            " have memory in common: on a GPU elements would be read after they are overwritten");
      }
    }
    if (!call_.ok()) return;
    for (std::size_t i = 0; i < last; ++i) {
      if (is_read(i)) work_.reads(operand(i).name, Elements(operand(i), data[i]));
    }
    // Two calls at the same time must not have the same workspace.
    if (plan_->workspace > 0) {
      work_.writes(Bytes{static_cast<const std::byte*>(workspace.data), plan_->workspace});
    }
    work_.writes(Elements(operand(last), data[last]));
  }

  TensorCall call_;
  DeviceWork work_;
  std::shared_ptr<Plan> plan_;
  std::vector<std::complex<double>> factors_;
};

}  // namespace
}  // namespace emulator::cutensor

using namespace emulator::cutensor;

cutensorStatus_t cutensorContract(cutensorHandle_t handle, cutensorPlan_t plan, const void* alpha,
                                  const void* A, const void* B, const void* beta, const void* C,
                                  void* D, void* workspace, std::uint64_t workspaceSize,
                                  cudaStream_t stream) {
  return Execution("cutensorContract", handle, plan, Kind::contraction)
      .run({{"alpha", alpha}, {"beta", beta}}, {A, B, C}, D, {workspace, workspaceSize}, stream);
}

cutensorStatus_t cutensorContractTrinary(cutensorHandle_t handle, cutensorPlan_t plan,
                                         const void* alpha, const void* A, const void* B,
                                         const void* C, const void* beta, const void* D, void* E,
                                         void* workspace, std::uint64_t workspaceSize,
                                         cudaStream_t stream) {
  return Execution("cutensorContractTrinary", handle, plan, Kind::trinary_contraction)
      .run({{"alpha", alpha}, {"beta", beta}}, {A, B, C, D}, E, {workspace, workspaceSize}, stream);
}

cutensorStatus_t cutensorReduce(cutensorHandle_t handle, cutensorPlan_t plan, const void* alpha,
                                const void* A, const void* beta, const void* C, void* D,
                                void* workspace, std::uint64_t workspaceSize, cudaStream_t stream) {
  return Execution("cutensorReduce", handle, plan, Kind::reduction)
      .run({{"alpha", alpha}, {"beta", beta}}, {A, C}, D, {workspace, workspaceSize}, stream);
}

cutensorStatus_t cutensorPermute(cutensorHandle_t handle, cutensorPlan_t plan, const void* alpha,
                                 const void* A, void* B, cudaStream_t stream) {
  return Execution("cutensorPermute", handle, plan, Kind::permutation)
      .run({{"alpha", alpha}}, {A}, B, {}, stream);
}

cutensorStatus_t cutensorElementwiseBinaryExecute(cutensorHandle_t handle, cutensorPlan_t plan,
                                                  const void* alpha, const void* A,
                                                  const void* gamma, const void* C, void* D,
                                                  cudaStream_t stream) {
  return Execution("cutensorElementwiseBinaryExecute", handle, plan, Kind::binary)
      .run({{"alpha", alpha}, {"gamma", gamma}}, {A, C}, D, {}, stream);
}

cutensorStatus_t cutensorElementwiseTrinaryExecute(cutensorHandle_t handle, cutensorPlan_t plan,
                                                   const void* alpha, const void* A,
                                                   const void* beta, const void* B,
                                                   const void* gamma, const void* C, void* D,
                                                   cudaStream_t stream) {
  return Execution("cutensorElementwiseTrinaryExecute", handle, plan, Kind::trinary)
      .run({{"alpha", alpha}, {"beta", beta}, {"gamma", gamma}}, {A, B, C}, D, {}, stream);
}
