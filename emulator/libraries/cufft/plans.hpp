#pragma once
/// \file
/// Plans of the emulator's cuFFT: which transforms, and how their data lie.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cufft.h"
#include "libraries/common/runtime.hpp"

namespace emulator::cufft {

using namespace libraries;

/// How the elements of one side lie: the element (x, y, z) of transform b is b * distance + ((x *
/// embed[1] + y) * embed[2] + z) * stride, with as many dimensions as there are.
struct Layout {
  std::array<std::int64_t, 3> embed{1, 1, 1};
  std::int64_t stride = 1;
  std::int64_t distance = 1;
};

/// A device function of the program's that loads or stores the elements in a transform's place.
struct Callback {
  void* function = nullptr;  ///< null: there is none
  void* info = nullptr;      ///< what the program has it called with
  std::size_t shared_bytes = 0;
};

/// What a plan says. Sizes before those that there are, are 1.
struct Transform {
  cufftType type = CUFFT_C2C;
  int rank = 0;  ///< 0: the plan is not made yet
  std::array<std::int64_t, 3> n{1, 1, 1};
  std::int64_t batch = 1;
  bool is_embedded = false;  ///< the layouts were given; else they are those of the type
  Layout input;
  Layout output;
  Callback load;
  Callback store;
  cudaStream_t stream = nullptr;
};

inline bool is_double(cufftType type) {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}
inline bool is_from_real(cufftType type) {
  return type == CUFFT_R2C || type == CUFFT_D2Z;
}
inline bool is_to_real(cufftType type) {
  return type == CUFFT_C2R || type == CUFFT_Z2D;
}

/// Sizes as the functions take them; `nembed` may be null.
struct Sizes {
  int rank;
  const long long* n;
  const long long* inembed;
  long long istride;
  long long idist;
  const long long* onembed;
  long long ostride;
  long long odist;
  cufftType type;
  long long batch;
};

/// Checks them, and says in `transform` what they mean.
cufftResult describe(const Sizes& sizes, Transform& transform);

/// Where the sizes along the last dimension differ, those of one side: n / 2 + 1 complex numbers
/// stand for n real ones.
std::array<std::int64_t, 3> extents(const Transform& transform, bool of_output);

/// The layout of a side, given or by the type's rule. In place, real rows have room for complex
/// ones.
Layout layout_of(const Transform& transform, bool of_output, bool in_place);

/// The transform of a live plan. Any thread may ask at any time.
std::optional<Transform> find_plan(cufftHandle plan);

/// Has `change` work on the transform of a plan that has been made.
/// \return what it returns; CUFFT_INVALID_PLAN if there is no such plan
cufftResult change_plan(cufftHandle plan, const std::function<cufftResult(Transform&)>& change);

/// Says on stderr why a call fails, and returns its status.
cufftResult refuse(const char* function, const std::string& why, cufftResult result);

}  // namespace emulator::cufft
