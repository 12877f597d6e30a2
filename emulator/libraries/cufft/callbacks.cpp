/// \file
/// Which callbacks a plan has.

#include "libraries/cufft/callbacks.hpp"

#include <functional>
#include <string>

#include "cufftXt.h"

namespace emulator::cufft {
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

// Has `change` work on the plan's callback of a type.
cufftResult change_callback(const char* function, cufftHandle plan, cufftXtCallbackType type,
                            const std::function<cufftResult(Callback&)>& change) {
  return change_plan(plan, [&](Transform& transform) {
    Callback* const callback = callback_of(transform, type);
    if (callback != nullptr) return change(*callback);
    return refuse(function, "the plan's elements are not those of this callback type",
                  CUFFT_INVALID_TYPE);
  });
}

}  // namespace
}  // namespace emulator::cufft

using namespace emulator::cufft;

cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine,
                               cufftXtCallbackType cbType, void** caller_info) {
  return change_callback("cufftXtSetCallback", plan, cbType, [&](Callback& callback) {
    if (callback_routine == nullptr || *callback_routine == nullptr) {
      return refuse("cufftXtSetCallback", "the callback is a null pointer", CUFFT_INTERNAL_ERROR);
    }
    callback.function = *callback_routine;
    callback.info = caller_info == nullptr ? nullptr : *caller_info;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType) {
  return change_callback("cufftXtClearCallback", plan, cbType, [](Callback& callback) {
    callback = {};
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType,
                                         std::size_t sharedSize) {
  constexpr auto function = "cufftXtSetCallbackSharedSize";
  return change_callback(function, plan, cbType, [&](Callback& callback) {
    if (sharedSize > most_shared_bytes) {
      return refuse(function,
                    std::to_string(sharedSize) + " bytes are more than " +
                        std::to_string(most_shared_bytes) + ", the most that a callback can have",
                    CUFFT_INVALID_SIZE);
    }
    callback.shared_bytes = sharedSize;
    return CUFFT_SUCCESS;
  });
}
