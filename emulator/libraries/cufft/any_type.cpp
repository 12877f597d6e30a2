/// \file
/// cuFFT's functions that take the types of their data.

#include "cufftXt.h"
#include "libraries/cufft/plans.hpp"

namespace emulator::cufft {
namespace {

struct Types {
  cudaDataType input;
  cudaDataType output;
  cufftType type;
};
constexpr Types all_types[] = {
    {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
    {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
    {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D},
};

bool is_of_16_bits(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_C_16F || type == CUDA_R_16BF || type == CUDA_C_16BF;
}

// Calls `use` with the type of such transforms.
template <class Use>
cufftResult with_type(cudaDataType input, cudaDataType output, cudaDataType execution, Use use) {
  if (is_of_16_bits(input)) return cufft_not_modelled("a transform of numbers of 16 bits");
  for (const Types& types : all_types) {
    if (types.input != input || types.output != output) continue;
    const bool of_doubles = execution == CUDA_C_64F || execution == CUDA_R_64F;
    const bool of_floats = execution == CUDA_C_32F || execution == CUDA_R_32F;
    const bool fits = is_double(types.type) ? of_doubles : of_floats;
    return fits ? use(types.type) : CUFFT_INVALID_TYPE;
  }
  return CUFFT_INVALID_TYPE;
}

}  // namespace
}  // namespace emulator::cufft

using namespace emulator::cufft;

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, std::size_t* workSize,
                                cudaDataType executiontype) {
  return with_type(inputtype, outputtype, executiontype, [&](cufftType type) {
    return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                               type, batch, workSize);
  });
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType inputtype,
                               long long* onembed, long long ostride, long long odist,
                               cudaDataType outputtype, long long batch, std::size_t* workSize,
                               cudaDataType executiontype) {
  return with_type(inputtype, outputtype, executiontype, [&](cufftType type) {
    return cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                              batch, workSize);
  });
}

cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction) {
  const auto transform = find_plan(plan);
  if (!transform || transform->rank == 0) return CUFFT_INVALID_PLAN;
  switch (transform->type) {
    case CUFFT_R2C:
      return cufftExecR2C(plan, static_cast<float*>(input), static_cast<cufftComplex*>(output));
    case CUFFT_C2R:
      return cufftExecC2R(plan, static_cast<cufftComplex*>(input), static_cast<float*>(output));
    case CUFFT_D2Z:
      return cufftExecD2Z(plan, static_cast<double*>(input),
                          static_cast<cufftDoubleComplex*>(output));
    case CUFFT_Z2D:
      return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(input),
                          static_cast<double*>(output));
    case CUFFT_Z2Z:
      return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(input),
                          static_cast<cufftDoubleComplex*>(output), direction);
    default:
      return cufftExecC2C(plan, static_cast<cufftComplex*>(input),
                          static_cast<cufftComplex*>(output), direction);
  }
}
