/// \file
/// Transforms by FFTW: each is gathered from where its elements lie, transformed, and scattered, so
/// that in place, strides and gaps are all the same. Where the program has a callback, that does
/// the gathering or the scattering, in a launch of its own.

#include <algorithm>
#include <complex>
#include <memory>
#include <string>

#include "libraries/common/captured_call.hpp"
#include "libraries/common/device_work.hpp"
#include "libraries/cufft/callbacks.hpp"
#include "libraries/cufft/fftw.hpp"
#include "libraries/cufft/plans.hpp"
#include "libraries/cufft/side.hpp"

namespace emulator::cufft {
namespace {

template <class T>
const char* plural() {
  return sizeof(T) == 4              ? "floats"
         : sizeof(T) == 16           ? "complex doubles"
         : std::is_same_v<T, double> ? "doubles"
                                     : "complex floats";
}

// Elements of all transforms of a batch, one after the other.
template <class T>
class Elements {
 public:
  explicit Elements(std::int64_t count)
      : elements_(count == 0 ? nullptr : new (std::nothrow) T[static_cast<std::size_t>(count)]),
        is_there_(count == 0 || elements_ != nullptr) {}

  bool is_there() const { return is_there_; }
  T* get() const { return elements_.get(); }

 private:
  std::unique_ptr<T[]> elements_;
  bool is_there_;
};

/// The work itself, of arguments that have been checked.
template <class In, class Out>
cufftResult transform_now(const char* function, const Transform& transform, void* idata,
                          void* odata, int direction) {
  const QuietErrors quiet;
  DeviceWork work(function);
  switch (work.start(transform.stream)) {
    case DeviceWork::Start::is_noted:
      return CUFFT_SUCCESS;
    case DeviceWork::Start::is_captured:
    case DeviceWork::Start::cannot_run:
      return CUFFT_EXEC_FAILED;
    case DeviceWork::Start::began:
      break;
  }
  const bool in_place = idata == odata;
  const Side<In> input{static_cast<In*>(idata), layout_of(transform, false, in_place),
                       extents(transform, false), transform.batch};
  const Side<Out> output{static_cast<Out*>(odata), layout_of(transform, true, in_place),
                         extents(transform, true), transform.batch};
  // Of what a callback makes of the pointer nothing is known, but its own accesses are seen.
  const bool loads = transform.load.function != nullptr;
  const bool stores = transform.store.function != nullptr;
  const auto check = [&](const char* name, const auto& side, auto type_of) {
    const std::string fault =
        fault_of_elements(side.data, side.extent(), sizeof(type_of), plural<decltype(type_of)>());
    if (!fault.empty()) refuse(function, name + fault, CUFFT_EXEC_FAILED);
    return fault.empty();
  };
  if (!loads && !check("idata", input, In{})) return CUFFT_EXEC_FAILED;
  if (!stores && !check("odata", output, Out{})) return CUFFT_EXEC_FAILED;
  if (!loads) work.reads("idata", input);
  if (!stores) work.writes(output);
  Fftw<In, Out> fftw(transform.n, direction);
  if (!fftw.is_made()) return CUFFT_INTERNAL_ERROR;
  Elements<In> loaded(loads ? input.elements() : 0);
  Elements<Out> to_store(stores ? output.elements() : 0);
  if (!loaded.is_there() || !to_store.is_there()) return CUFFT_ALLOC_FAILED;
  if (loads && !load_all(input, transform.load, loaded.get())) return CUFFT_EXEC_FAILED;
  for (std::int64_t b = 0; b < transform.batch; ++b) {
    if (loads) {
      std::copy_n(loaded.get() + b * input.size(), input.size(), fftw.input());
    } else {
      input.gather(b, fftw.input());
    }
    fftw.run();
    if (stores) {
      std::copy_n(fftw.output(), output.size(), to_store.get() + b * output.size());
    } else {
      output.scatter(b, fftw.output());
    }
  }
  if (stores && !store_all(output, transform.store, to_store.get())) return CUFFT_EXEC_FAILED;
  return CUFFT_SUCCESS;
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
  const auto now = [=, transform = *transform] {
    return transform_now<In, Out>(function, transform, idata, odata, direction);
  };
  // Neither does the library capture such a one.
  const bool loads_out_of_place = transform->load.function != nullptr && idata != odata;
  if (loads_out_of_place) return now();
  return capturable(CUFFT_EXEC_FAILED, now, [&] { return now; });
}

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

}  // namespace
}  // namespace emulator::cufft

using namespace emulator::cufft;

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
