#include "libraries/cufft/plans.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "base/host_state.hpp"
#include "emulator/host/unmodelled.h"

namespace emulator::cufft {
namespace {

// The live plans. A handle is a number that is used once, so that a stale one is found.
class Plans {
 public:
  static Plans& get() {
    static auto& plans = *new Plans;  // never destroyed, for static objects' destructors
    return plans;
  }

  cufftHandle add(const Transform& transform) {
    const std::lock_guard lock(mutex_);
    live_[++last_] = transform;
    return last_;
  }

  bool remove(cufftHandle plan) {
    const std::lock_guard lock(mutex_);
    return live_.erase(plan) == 1;
  }

  // Calls `use` with a live plan and returns what it returns.
  template <class Use>
  cufftResult with(cufftHandle plan, Use use) {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(plan);
    return found == live_.end() ? CUFFT_INVALID_PLAN : use(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<cufftHandle, Transform> live_;
  cufftHandle last_ = 0;
};

bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
         type == CUFFT_D2Z || type == CUFFT_Z2D;
}

// The ints of the functions that take such, as what the others take. Null stays null.
class LongSizes {
 public:
  LongSizes(const int* numbers, int count) : is_null_(numbers == nullptr) {
    if (numbers != nullptr && count >= 1 && count <= 3) numbers_.assign(numbers, numbers + count);
    numbers_.resize(3);
  }
  const long long* get() const { return is_null_ ? nullptr : numbers_.data(); }

 private:
  bool is_null_;
  std::vector<long long> numbers_;
};

cufftResult make(cufftHandle plan, const Sizes& sizes, std::size_t* work_size) {
  return Plans::get().with(plan, [&](Transform& live) {
    if (live.rank != 0) return CUFFT_INVALID_PLAN;
    if (work_size == nullptr) return CUFFT_INVALID_VALUE;
    Transform made;
    const cufftResult result = describe(sizes, made);
    if (result != CUFFT_SUCCESS) return result;
    made.stream = live.stream;
    live = made;
    *work_size = 0;
    return CUFFT_SUCCESS;
  });
}

cufftResult plan_of(cufftHandle* plan, const Sizes& sizes) {
  if (plan == nullptr) return CUFFT_INVALID_VALUE;
  Transform made;
  const cufftResult result = describe(sizes, made);
  if (result != CUFFT_SUCCESS) return result;
  if (device_state() != cudaSuccess) return CUFFT_SETUP_FAILED;
  *plan = Plans::get().add(made);
  return CUFFT_SUCCESS;
}

cufftResult size_of(const Sizes& sizes, std::size_t* work_size) {
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  Transform made;
  const cufftResult result = describe(sizes, made);
  if (result == CUFFT_SUCCESS) *work_size = 0;
  return result;
}

cufftResult size_of(cufftHandle plan, const Sizes& sizes, std::size_t* work_size) {
  return Plans::get().with(plan, [&](const Transform&) { return size_of(sizes, work_size); });
}

// Calls `use` with the sizes of a transform whose elements are contiguous.
template <class Use>
cufftResult with_sizes(std::initializer_list<int> n, cufftType type, int batch, Use use) {
  const LongSizes wide(n.begin(), static_cast<int>(n.size()));
  return use(
      Sizes{static_cast<int>(n.size()), wide.get(), nullptr, 1, 0, nullptr, 1, 0, type, batch});
}
template <class Use>
cufftResult with_sizes(int rank, const int* n, const int* inembed, int istride, int idist,
                       const int* onembed, int ostride, int odist, cufftType type, int batch,
                       Use use) {
  const LongSizes wide(n, rank);
  const LongSizes wide_in(inembed, rank);
  const LongSizes wide_out(onembed, rank);
  return use(Sizes{rank, wide.get(), wide_in.get(), istride, idist, wide_out.get(), ostride, odist,
                   type, batch});
}

}  // namespace

cufftResult describe(const Sizes& sizes, Transform& transform) {
  if (!is_type(sizes.type)) return CUFFT_INVALID_TYPE;
  if (sizes.rank < 1 || sizes.rank > 3 || sizes.n == nullptr) return CUFFT_INVALID_VALUE;
  if (sizes.batch < 1) return CUFFT_INVALID_SIZE;
  transform.type = sizes.type;
  transform.rank = sizes.rank;
  transform.batch = sizes.batch;
  const auto first = static_cast<std::size_t>(3 - sizes.rank);
  std::int64_t elements = sizes.batch;
  for (std::size_t i = first; i < 3; ++i) {
    const long long n = sizes.n[i - first];
    if (n < 1 || __builtin_mul_overflow(elements, n, &elements)) return CUFFT_INVALID_SIZE;
    transform.n[i] = n;
  }
  transform.is_embedded = sizes.inembed != nullptr && sizes.onembed != nullptr;
  if (!transform.is_embedded) return CUFFT_SUCCESS;
  transform.input = {{1, 1, 1}, sizes.istride, sizes.idist};
  transform.output = {{1, 1, 1}, sizes.ostride, sizes.odist};
  for (std::size_t i = first; i < 3; ++i) {
    transform.input.embed[i] = sizes.inembed[i - first];
    transform.output.embed[i] = sizes.onembed[i - first];
  }
  for (const Layout* layout : {&transform.input, &transform.output}) {
    const bool is_negative = layout->stride < 1 || layout->distance < 0 ||
                             *std::min_element(layout->embed.begin(), layout->embed.end()) < 0;
    if (is_negative) return CUFFT_INVALID_VALUE;
  }
  return CUFFT_SUCCESS;
}

std::array<std::int64_t, 3> extents(const Transform& transform, bool of_output) {
  auto n = transform.n;
  const bool is_half = of_output ? is_from_real(transform.type) : is_to_real(transform.type);
  if (is_half) n[2] = n[2] / 2 + 1;
  return n;
}

Layout layout_of(const Transform& transform, bool of_output, bool in_place) {
  if (transform.is_embedded) return of_output ? transform.output : transform.input;
  const bool is_real = of_output ? is_to_real(transform.type) : is_from_real(transform.type);
  Layout layout{extents(transform, of_output)};
  if (is_real && in_place) layout.embed[2] = 2 * (transform.n[2] / 2 + 1);
  layout.distance = layout.embed[0] * layout.embed[1] * layout.embed[2];
  return layout;
}

std::optional<Transform> find_plan(cufftHandle plan) {
  std::optional<Transform> found;
  Plans::get().with(plan, [&](const Transform& live) {
    found = live;
    return CUFFT_SUCCESS;
  });
  return found;
}

cufftResult change_plan(cufftHandle plan, const std::function<cufftResult(Transform&)>& change) {
  return Plans::get().with(
      plan, [&](Transform& live) { return live.rank == 0 ? CUFFT_INVALID_PLAN : change(live); });
}

cufftResult refuse(const char* function, const std::string& why, cufftResult result) {
  std::fprintf(stderr, "emulator: %s: %s\n", function, why.c_str());
  return result;
}

}  // namespace emulator::cufft

using namespace emulator::cufft;

cufftResult emulator::detail::cufft_not_modelled(const char* what) {
  not_modelled(what);
  take_last_error();  // which is the runtime's, not this library's
  return CUFFT_NOT_IMPLEMENTED;
}

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return with_sizes({nx}, type, batch, [&](const Sizes& s) { return plan_of(plan, s); });
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return with_sizes({nx, ny}, type, 1, [&](const Sizes& s) { return plan_of(plan, s); });
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return with_sizes({nx, ny, nz}, type, 1, [&](const Sizes& s) { return plan_of(plan, s); });
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return with_sizes(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                    [&](const Sizes& s) { return plan_of(plan, s); });
}

cufftResult cufftCreate(cufftHandle* plan) {
  if (plan == nullptr) return CUFFT_INVALID_VALUE;
  if (device_state() != cudaSuccess) return CUFFT_SETUP_FAILED;
  *plan = Plans::get().add({});
  return CUFFT_SUCCESS;
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            std::size_t* workSize) {
  return with_sizes({nx}, type, batch, [&](const Sizes& s) { return make(plan, s, workSize); });
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            std::size_t* workSize) {
  return with_sizes({nx, ny}, type, 1, [&](const Sizes& s) { return make(plan, s, workSize); });
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            std::size_t* workSize) {
  return with_sizes({nx, ny, nz}, type, 1, [&](const Sizes& s) { return make(plan, s, workSize); });
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, std::size_t* workSize) {
  return with_sizes(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                    [&](const Sizes& s) { return make(plan, s, workSize); });
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                std::size_t* workSize) {
  return make(plan, {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
              workSize);
}
cufftResult cufftDestroy(cufftHandle plan) {
  return Plans::get().remove(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return Plans::get().with(plan, [&](Transform& live) {
    live.stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, std::size_t* workSize) {
  return with_sizes({nx}, type, batch, [&](const Sizes& s) { return size_of(s, workSize); });
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, std::size_t* workSize) {
  return with_sizes({nx, ny}, type, 1, [&](const Sizes& s) { return size_of(s, workSize); });
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, std::size_t* workSize) {
  return with_sizes({nx, ny, nz}, type, 1, [&](const Sizes& s) { return size_of(s, workSize); });
}
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch,
                              std::size_t* workSize) {
  return with_sizes(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                    [&](const Sizes& s) { return size_of(s, workSize); });
}
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                           std::size_t* workSize) {
  return with_sizes({nx}, type, batch, [&](const Sizes& s) { return size_of(plan, s, workSize); });
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type,
                           std::size_t* workSize) {
  return with_sizes({nx, ny}, type, 1, [&](const Sizes& s) { return size_of(plan, s, workSize); });
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                           std::size_t* workSize) {
  return with_sizes({nx, ny, nz}, type, 1,
                    [&](const Sizes& s) { return size_of(plan, s, workSize); });
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, cufftType type,
                             int batch, std::size_t* workSize) {
  return with_sizes(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                    [&](const Sizes& s) { return size_of(plan, s, workSize); });
}
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               std::size_t* workSize) {
  return size_of(plan, {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
                 workSize);
}
cufftResult cufftGetSize(cufftHandle plan, std::size_t* workSize) {
  return Plans::get().with(plan, [&](const Transform&) {
    if (workSize == nullptr) return CUFFT_INVALID_VALUE;
    *workSize = 0;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftSetWorkArea(cufftHandle plan, void*) {
  return Plans::get().with(plan, [](const Transform&) { return CUFFT_SUCCESS; });
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return Plans::get().with(plan, [](const Transform&) { return CUFFT_SUCCESS; });
}

cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  constexpr int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = parts[type];
  return CUFFT_SUCCESS;
}
