/// \file
/// Which callbacks a plan has.

#include "cufft/callbacks.hpp"

#include "cufftXt.h"

namespace emulator::detail {
namespace {

constexpr std::size_t most_shared_bytes = 16 * 1024;

// The callback of that type; null if transforms like this one have none.
Callback* callback_of(Transform& transform, cufftXtCallbackType type) {
  const bool of_doubles = is_double(transform.type);
  const auto complex_or_real = [&](bool is_real, cufftXtCallbackType of_complex) {
    return of_complex + (is_real ? 2 : 0) + (of_doubles ? 1 : 0);
  };
  if (type == complex_or_real(is_from_real(transform.type), CUFFT_CB_LD_COMPLEX)) {
    return &transform.load;
  }
  if (type == complex_or_real(is_to_real(transform.type), CUFFT_CB_ST_COMPLEX)) {
    return &transform.store;
  }
  return nullptr;
}

bool is_type(cufftXtCallbackType type) {
  return type >= CUFFT_CB_LD_COMPLEX && type < CUFFT_CB_UNDEFINED;
}

}  // namespace
}  // namespace emulator::detail

using namespace emulator::detail;

cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine,
                               cufftXtCallbackType cbType, void** caller_info) {
  return change_plan(plan, [&](Transform& transform) {
    Callback* const callback = callback_of(transform, cbType);
    if (callback == nullptr) {
      return refuse("cufftXtSetCallback", "the plan's elements are not those of this callback type",
                    CUFFT_INVALID_VALUE);
    }
    if (callback_routine == nullptr || *callback_routine == nullptr) {
      return refuse("cufftXtSetCallback", "the callback is a null pointer", CUFFT_INVALID_VALUE);
    }
    *callback = {*callback_routine, caller_info == nullptr ? nullptr : *caller_info};
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType) {
  return change_plan(plan, [&](Transform& transform) {
    if (!is_type(cbType)) return CUFFT_INVALID_VALUE;
    if (Callback* const callback = callback_of(transform, cbType)) *callback = {};
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType,
                                         std::size_t sharedSize) {
  return change_plan(plan, [&](Transform& transform) {
    Callback* const callback = callback_of(transform, cbType);
    if (callback == nullptr || callback->function == nullptr) {
      return refuse("cufftXtSetCallbackSharedSize", "the plan has no callback of this type",
                    CUFFT_INVALID_VALUE);
    }
    if (sharedSize > most_shared_bytes) {
      return refuse("cufftXtSetCallbackSharedSize",
                    std::to_string(sharedSize) + " bytes are more than " +
                        std::to_string(most_shared_bytes) + ", the most that a callback can have",
                    CUFFT_INVALID_VALUE);
    }
    callback->shared_bytes = sharedSize;
    return CUFFT_SUCCESS;
  });
}
