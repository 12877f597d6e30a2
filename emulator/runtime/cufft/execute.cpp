/// \file
/// Transforms by FFTW: each is gathered from where its elements lie, transformed, and scattered, so
/// that in place, strides and gaps are all the same.

#include <complex>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "cufft/fftw.hpp"
#include "cufft/plans.hpp"
#include "libraries/device_work.hpp"

namespace emulator::detail {
namespace {

// The elements of one side in memory.
template <class T>
struct Side {
  T* data;
  Layout layout;
  std::array<std::int64_t, 3> n;
  std::int64_t batch;

  std::int64_t row(std::int64_t b, std::int64_t x, std::int64_t y) const {
    return b * layout.distance + (x * layout.embed[1] + y) * layout.embed[2] * layout.stride;
  }
  // From the first element to the last; too_many if no memory holds that.
  std::uint64_t extent() const {
    std::int64_t rows = 0;
    std::int64_t last = 0;
    std::int64_t of_batch = 0;
    const bool overflows = __builtin_mul_overflow(n[0] - 1, layout.embed[1], &rows) ||
                           __builtin_add_overflow(rows, n[1] - 1, &rows) ||
                           __builtin_mul_overflow(rows, layout.embed[2], &last) ||
                           __builtin_add_overflow(last, n[2] - 1, &last) ||
                           __builtin_mul_overflow(last, layout.stride, &last) ||
                           __builtin_mul_overflow(batch - 1, layout.distance, &of_batch) ||
                           __builtin_add_overflow(last, of_batch, &last);
    return overflows ? too_many : static_cast<std::uint64_t>(last) + 1;
  }

  template <class Use>
  void for_rows(std::int64_t b, Use use) const {
    for (std::int64_t x = 0; x < n[0]; ++x) {
      for (std::int64_t y = 0; y < n[1]; ++y) use(data + row(b, x, y));
    }
  }
  template <class Use>
  void for_pieces(Use use) const {
    for (std::int64_t b = 0; b < batch; ++b) {
      for_rows(b, [&](T* first) {
        if (layout.stride == 1) return use(first, n[2]);
        for (std::int64_t z = 0; z < n[2]; ++z) use(first + z * layout.stride, 1);
      });
    }
  }
  void gather(std::int64_t b, T* to) const {
    for_rows(b, [&](const T* first) {
      for (std::int64_t z = 0; z < n[2]; ++z) *to++ = first[z * layout.stride];
    });
  }
  void scatter(std::int64_t b, const T* from) const {
    for_rows(b, [&](T* first) {
      for (std::int64_t z = 0; z < n[2]; ++z) first[z * layout.stride] = *from++;
    });
  }
};

template <class T>
const char* plural() {
  return sizeof(T) == 4              ? "floats"
         : sizeof(T) == 16           ? "complex doubles"
         : std::is_same_v<T, double> ? "doubles"
                                     : "complex floats";
}

cufftResult refuse(const char* function, const std::string& why, cufftResult result) {
  std::fprintf(stderr, "emulator: %s: %s\n", function, why.c_str());
  return result;
}

template <class In, class Out>
cufftResult execute(const char* function, cufftHandle plan, cufftType type, void* idata,
                    void* odata, int direction) {
  const auto transform = find_plan(plan);
  if (!transform || transform->rank == 0) return CUFFT_INVALID_PLAN;
  if (transform->type != type) {
    return refuse(function, "the plan is for transforms of another type", CUFFT_INVALID_VALUE);
  }
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) {
    return refuse(function, "the direction is neither CUFFT_FORWARD nor CUFFT_INVERSE",
                  CUFFT_INVALID_VALUE);
  }
  if (idata == nullptr || odata == nullptr) {
    return refuse(function,
                  std::string(idata == nullptr ? "idata" : "odata") + " is a null pointer",
                  CUFFT_INVALID_VALUE);
  }
  const QuietErrors quiet;
  DeviceWork work(function);
  switch (work.start(transform->stream)) {
    case DeviceWork::Start::is_captured:
    case DeviceWork::Start::is_noted:  // only of calls that ask for it
      return CUFFT_NOT_SUPPORTED;
    case DeviceWork::Start::cannot_run:
      return CUFFT_EXEC_FAILED;
    case DeviceWork::Start::began:
      break;
  }
  const bool in_place = idata == odata;
  const Side<In> input{static_cast<In*>(idata), layout_of(*transform, false, in_place),
                       extents(*transform, false), transform->batch};
  const Side<Out> output{static_cast<Out*>(odata), layout_of(*transform, true, in_place),
                         extents(*transform, true), transform->batch};
  const auto check = [&](const char* name, const auto& side, auto type_of) {
    const std::string fault =
        fault_of_elements(side.data, side.extent(), sizeof(type_of), plural<decltype(type_of)>());
    if (!fault.empty()) refuse(function, name + fault, CUFFT_EXEC_FAILED);
    return fault.empty();
  };
  if (!check("idata", input, In{}) || !check("odata", output, Out{})) return CUFFT_EXEC_FAILED;
  work.reads("idata", input);
  work.writes(output);
  Fftw<In, Out> fftw(transform->n, direction);
  if (!fftw.is_made()) return CUFFT_INTERNAL_ERROR;
  for (std::int64_t b = 0; b < transform->batch; ++b) {
    input.gather(b, fftw.input());
    fftw.run();
    output.scatter(b, fftw.output());
  }
  return CUFFT_SUCCESS;
}

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

}  // namespace
}  // namespace emulator::detail

using namespace emulator::detail;

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata,
                         int direction) {
  return execute<Complex, Complex>(__func__, plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return execute<float, Complex>(__func__, plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return execute<Complex, float>(__func__, plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                         int direction) {
  return execute<DoubleComplex, DoubleComplex>(__func__, plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return execute<double, DoubleComplex>(__func__, plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return execute<DoubleComplex, double>(__func__, plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}
