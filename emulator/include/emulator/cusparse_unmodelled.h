#pragma once
#pragma GCC system_header
/// \file
/// The part of cuSPARSE that the emulator does not model. A program that uses it compiles; each of
/// these functions says once on stderr that it is not modelled, and returns
/// CUSPARSE_STATUS_NOT_SUPPORTED. cusparse.h includes this file.

enum cusparseSpSVAlg_t { CUSPARSE_SPSV_ALG_DEFAULT = 0 };
enum cusparseSpSMAlg_t { CUSPARSE_SPSM_ALG_DEFAULT = 0 };
enum cusparseSpGEMMAlg_t {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINISTIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINISTIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
};
enum cusparseSDDMMAlg_t { CUSPARSE_SDDMM_ALG_DEFAULT = 0 };
enum cusparseCsr2CscAlg_t { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 };
using cusparseSpSVDescr_t = struct cusparseSpSVDescr*;
using cusparseSpSMDescr_t = struct cusparseSpSMDescr*;
using cusparseSpGEMMDescr_t = struct cusparseSpGEMMDescr*;

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cusparseStatus_t cusparse_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                          \
  template <class... Arguments>                            \
  cusparseStatus_t name(const Arguments&...) {             \
    return emulator::detail::cusparse_not_modelled(#name); \
  }

EMULATOR_UNMODELLED(cusparseBlockedEllGet)
EMULATOR_UNMODELLED(cusparseBsrSetStridedBatch)
EMULATOR_UNMODELLED(cusparseConstBlockedEllGet)
EMULATOR_UNMODELLED(cusparseConstCooGet)
EMULATOR_UNMODELLED(cusparseConstCscGet)
EMULATOR_UNMODELLED(cusparseConstCsrGet)
EMULATOR_UNMODELLED(cusparseConstDnMatGet)
EMULATOR_UNMODELLED(cusparseConstDnMatGetValues)
EMULATOR_UNMODELLED(cusparseConstDnVecGetValues)
EMULATOR_UNMODELLED(cusparseConstSpMatGetValues)
EMULATOR_UNMODELLED(cusparseConstSpVecGetValues)
EMULATOR_UNMODELLED(cusparseCooSetStridedBatch)
EMULATOR_UNMODELLED(cusparseCreateBlockedEll)
EMULATOR_UNMODELLED(cusparseCreateBsr)
EMULATOR_UNMODELLED(cusparseCreateSlicedEll)
EMULATOR_UNMODELLED(cusparseCsr2cscEx2)
EMULATOR_UNMODELLED(cusparseCsr2cscEx2_bufferSize)
EMULATOR_UNMODELLED(cusparseCsrSetStridedBatch)
EMULATOR_UNMODELLED(cusparseDnMatGetStridedBatch)
EMULATOR_UNMODELLED(cusparseDnMatSetStridedBatch)
EMULATOR_UNMODELLED(cusparseRot)
EMULATOR_UNMODELLED(cusparseSDDMM)
EMULATOR_UNMODELLED(cusparseSDDMM_bufferSize)
EMULATOR_UNMODELLED(cusparseSDDMM_preprocess)
EMULATOR_UNMODELLED(cusparseSpGEMM_compute)
EMULATOR_UNMODELLED(cusparseSpGEMM_copy)
EMULATOR_UNMODELLED(cusparseSpGEMM_createDescr)
EMULATOR_UNMODELLED(cusparseSpGEMM_destroyDescr)
EMULATOR_UNMODELLED(cusparseSpGEMM_workEstimation)
EMULATOR_UNMODELLED(cusparseSpMatGetAttribute)
EMULATOR_UNMODELLED(cusparseSpMatGetStridedBatch)
EMULATOR_UNMODELLED(cusparseSpSM_analysis)
EMULATOR_UNMODELLED(cusparseSpSM_bufferSize)
EMULATOR_UNMODELLED(cusparseSpSM_createDescr)
EMULATOR_UNMODELLED(cusparseSpSM_destroyDescr)
EMULATOR_UNMODELLED(cusparseSpSM_solve)
EMULATOR_UNMODELLED(cusparseSpSV_analysis)
EMULATOR_UNMODELLED(cusparseSpSV_bufferSize)
EMULATOR_UNMODELLED(cusparseSpSV_createDescr)
EMULATOR_UNMODELLED(cusparseSpSV_destroyDescr)
EMULATOR_UNMODELLED(cusparseSpSV_solve)
EMULATOR_UNMODELLED(cusparseSpSV_updateMatrix)
EMULATOR_UNMODELLED(cusparseXcoo2csr)
EMULATOR_UNMODELLED(cusparseXcsr2coo)

#undef EMULATOR_UNMODELLED
