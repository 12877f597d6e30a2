/// \file
/// cuTENSOR's plans: what is wished for, what it costs in workspace, what is done.

#include <algorithm>
#include <cstring>

#include "libraries/cutensor/call.hpp"

namespace emulator::cutensor {
namespace {

constexpr std::uint64_t workspace_alignment = 256;

std::uint64_t rounded_up(double bytes) {
  const auto pieces = static_cast<std::uint64_t>(bytes / static_cast<double>(workspace_alignment));
  return (pieces + 1) * workspace_alignment;
}

double operand_bytes(const Operand& operand) {
  return operand.tensor.size() * static_cast<double>(bytes_of(operand.tensor.type));
}

// What a GPU would have use for: room to turn the operands of a contraction into matrices; or for
// what each part of a long sum comes to.
std::uint64_t workspace_of(const Operation& operation, cutensorWorksizePreference_t preference) {
  if (preference == CUTENSOR_WORKSPACE_MIN) return 0;
  const bool is_most = preference == CUTENSOR_WORKSPACE_MAX;
  std::uint64_t workspace = 0;
  if (operation.is_contraction()) {
    for (std::size_t i = 0; i + (is_most ? 0 : 1) < operation.inputs(); ++i) {
      workspace += rounded_up(operand_bytes(operation.operands[i]));
    }
  } else if (operation.kind == Kind::reduction) {
    const double ratio = operation.operands[0].tensor.size() / operation.output().tensor.size();
    const double parts = std::min(ratio, is_most ? 256.0 : 32.0);
    if (ratio > 1) workspace = rounded_up(parts * operand_bytes(operation.output()));
  }
  return workspace;
}

bool is_algorithm(cutensorAlgo_t algorithm) {
  switch (algorithm) {
    case CUTENSOR_ALGO_DEFAULT_PATIENT:
    case CUTENSOR_ALGO_GETT:
    case CUTENSOR_ALGO_TGETT:
    case CUTENSOR_ALGO_TTGT:
    case CUTENSOR_ALGO_DEFAULT:
      return true;
    default:
      return algorithm >= 0 && algorithm < 64;
  }
}

void check_algorithm(TensorCall& call, cutensorAlgo_t algorithm) {
  if (call.ok() && !is_algorithm(algorithm)) {
    call.not_supported("there is no algorithm " + std::to_string(static_cast<int>(algorithm)));
  }
}

template <class T>
bool has_size(TensorCall& call, const void* buffer, std::size_t size) {
  call.not_null({{"buf", buffer}});
  if (call.ok() && size != sizeof(T)) {
    call.invalid("sizeInBytes is " + std::to_string(size) + ", this attribute takes " +
                 std::to_string(sizeof(T)));
  }
  return call.ok();
}

// Calls `use` with the member that an attribute stands for.
template <class Use>
void with_attribute(TensorCall& call, Preference& preference,
                    cutensorPlanPreferenceAttribute_t attr, Use use) {
  switch (attr) {
    case CUTENSOR_PLAN_PREFERENCE_AUTOTUNE_MODE:
      return use(preference.autotune);
    case CUTENSOR_PLAN_PREFERENCE_CACHE_MODE:
      return use(preference.cache);
    case CUTENSOR_PLAN_PREFERENCE_INCREMENTAL_COUNT:
      return use(preference.incremental_count);
    case CUTENSOR_PLAN_PREFERENCE_ALGO:
      return use(preference.algorithm);
    case CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK:
      return use(preference.kernel_rank);
    case CUTENSOR_PLAN_PREFERENCE_JIT:
      return use(preference.jit);
    case CUTENSOR_PLAN_PREFERENCE_GPU_ARCH:
      return use(preference.architecture);
  }
  call.invalid("attr is " + std::to_string(static_cast<int>(attr)) + ", no attribute");
}

Preference preference_of(TensorCall& call, cutensorPlanPreference_t pref) {
  const auto found = call.object<LivePreferences>("the plan's preference", pref);
  return found ? *found : Preference{};
}

}  // namespace
}  // namespace emulator::cutensor

using namespace emulator::cutensor;

cutensorStatus_t cutensorCreatePlanPreference(cutensorHandle_t handle,
                                              cutensorPlanPreference_t* pref, cutensorAlgo_t algo,
                                              cutensorJitMode_t jitMode) {
  TensorCall call("cutensorCreatePlanPreference", handle);
  call.not_null({{"pref", pref}});
  check_algorithm(call, algo);
  if (call.ok() && jitMode != CUTENSOR_JIT_MODE_NONE && jitMode != CUTENSOR_JIT_MODE_DEFAULT) {
    call.invalid("jitMode is " + std::to_string(static_cast<int>(jitMode)) +
                 ", no cutensorJitMode_t");
  }
  if (call.ok()) {
    Preference made;
    made.algorithm = algo;
    made.jit = jitMode;
    *pref = LivePreferences::get().add(made);
  }
  return call.status();
}

cutensorStatus_t cutensorDestroyPlanPreference(cutensorPlanPreference_t pref) {
  const TensorCall call("cutensorDestroyPlanPreference");
  return LivePreferences::get().destroy(pref);
}

cutensorStatus_t cutensorPlanPreferenceSetAttribute(cutensorHandle_t handle,
                                                    cutensorPlanPreference_t pref,
                                                    cutensorPlanPreferenceAttribute_t attr,
                                                    const void* buf, std::size_t size) {
  TensorCall call("cutensorPlanPreferenceSetAttribute", handle);
  const auto preference = call.object<LivePreferences>("pref", pref);
  if (!call.ok()) return call.status();
  with_attribute(call, *preference, attr, [&](auto& member) {
    using Member = std::remove_reference_t<decltype(member)>;
    if (!has_size<Member>(call, buf, size)) return;
    Member value{};
    std::memcpy(&value, buf, sizeof(value));
    if constexpr (std::is_same_v<Member, cutensorAlgo_t>) check_algorithm(call, value);
    if (call.ok()) member = value;
  });
  return call.status();
}

cutensorStatus_t cutensorPlanPreferenceGetAttribute(cutensorHandle_t handle,
                                                    cutensorPlanPreference_t pref,
                                                    cutensorPlanPreferenceAttribute_t attr,
                                                    void* buf, std::size_t size) {
  TensorCall call("cutensorPlanPreferenceGetAttribute", handle);
  const auto preference = call.object<LivePreferences>("pref", pref);
  if (!call.ok()) return call.status();
  with_attribute(call, *preference, attr, [&](auto& member) {
    if (has_size<std::remove_reference_t<decltype(member)>>(call, buf, size)) {
      std::memcpy(buf, &member, sizeof(member));
    }
  });
  return call.status();
}

cutensorStatus_t cutensorEstimateWorkspaceSize(cutensorHandle_t handle,
                                               cutensorOperationDescriptor_t desc,
                                               cutensorPlanPreference_t planPref,
                                               cutensorWorksizePreference_t workspacePref,
                                               std::uint64_t* workspaceSizeEstimate) {
  TensorCall call("cutensorEstimateWorkspaceSize", handle);
  const auto operation = call.object<LiveOperations>("desc", desc);
  const Preference preference = preference_of(call, planPref);
  call.not_null({{"workspaceSizeEstimate", workspaceSizeEstimate}});
  if (workspacePref < CUTENSOR_WORKSPACE_MIN || workspacePref > CUTENSOR_WORKSPACE_MAX) {
    call.invalid("workspacePref is " + std::to_string(static_cast<int>(workspacePref)) +
                 ", no cutensorWorksizePreference_t");
  }
  if (!call.ok()) return call.status();
  // This one cannot do without.
  const bool needs_it = operation->is_contraction() && preference.algorithm == CUTENSOR_ALGO_TTGT &&
                        workspacePref == CUTENSOR_WORKSPACE_MIN;
  *workspaceSizeEstimate =
      workspace_of(*operation, needs_it ? CUTENSOR_WORKSPACE_DEFAULT : workspacePref);
  return call.status();
}

cutensorStatus_t cutensorCreatePlan(cutensorHandle_t handle, cutensorPlan_t* plan,
                                    cutensorOperationDescriptor_t desc,
                                    cutensorPlanPreference_t pref,
                                    std::uint64_t workspaceSizeLimit) {
  TensorCall call("cutensorCreatePlan", handle);
  call.not_null({{"plan", plan}});
  const auto operation = call.object<LiveOperations>("desc", desc);
  const Preference preference = preference_of(call, pref);
  if (!call.ok()) return call.status();
  const bool is_plain = preference.algorithm == CUTENSOR_ALGO_DEFAULT ||
                        preference.algorithm == CUTENSOR_ALGO_DEFAULT_PATIENT;
  if (!operation->is_contraction() && !is_plain) {
    call.not_supported("algorithms other than the default are for contractions");
  }
  const std::uint64_t wanted = workspace_of(*operation, CUTENSOR_WORKSPACE_DEFAULT);
  const bool needs_it = preference.algorithm == CUTENSOR_ALGO_TTGT;
  if (needs_it && wanted > workspaceSizeLimit) {
    call.refuse(CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE,
                "CUTENSOR_ALGO_TTGT needs a workspace of " + std::to_string(wanted) +
                    " bytes, the limit is " + std::to_string(workspaceSizeLimit));
  }
  if (call.ok()) {
    const bool does_with_it =
        wanted <= workspaceSizeLimit && preference.algorithm != CUTENSOR_ALGO_GETT;
    *plan = LivePlans::get().add({*operation, does_with_it ? wanted : 0});
  }
  return call.status();
}

cutensorStatus_t cutensorDestroyPlan(cutensorPlan_t plan) {
  const TensorCall call("cutensorDestroyPlan");
  return LivePlans::get().destroy(plan);
}

cutensorStatus_t cutensorPlanGetAttribute(cutensorHandle_t handle, cutensorPlan_t plan,
                                          cutensorPlanAttribute_t attr, void* buf,
                                          std::size_t size) {
  TensorCall call("cutensorPlanGetAttribute", handle);
  const auto found = call.object<LivePlans>("plan", plan);
  if (!call.ok()) return call.status();
  if (attr != CUTENSOR_PLAN_REQUIRED_WORKSPACE) {
    call.invalid("attr is " + std::to_string(static_cast<int>(attr)) + ", no attribute");
  } else if (has_size<std::uint64_t>(call, buf, size)) {
    std::memcpy(buf, &found->workspace, sizeof(found->workspace));
  }
  return call.status();
}
