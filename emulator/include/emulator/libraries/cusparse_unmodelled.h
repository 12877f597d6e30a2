#pragma once
#pragma GCC system_header
/// \file
/// The part of cuSPARSE that the emulator does not model. A program that uses it compiles; each of
/// these functions says once on stderr that it is not modelled, and returns
/// CUSPARSE_STATUS_NOT_SUPPORTED. cusparse.h includes this file.

using bsric02Info_t = struct bsric02Info*;
using bsrilu02Info_t = struct bsrilu02Info*;
using bsrsm2Info_t = struct bsrsm2Info*;
using bsrsv2Info_t = struct bsrsv2Info*;
using csru2csrInfo_t = struct csru2csrInfo*;
using pruneInfo_t = struct pruneInfo*;
using cusparseColorInfo_t = struct cusparseColorInfo*;
using cusparseSpMMOpPlan_t = struct cusparseSpMMOpPlan*;
using cusparseLoggerCallback_t = void (*)(int logLevel, const char* functionName,
                                          const char* message);

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cusparseStatus_t cusparse_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                          \
  template <class... Arguments>                            \
  cusparseStatus_t name(const Arguments&...) {             \
    return emulator::detail::cusparse_not_modelled(#name); \
  }

// The older functions exist for several types of values.
#define EMULATOR_UNMODELLED_ALL(name)  \
  EMULATOR_UNMODELLED(cusparseS##name) \
  EMULATOR_UNMODELLED(cusparseD##name) \
  EMULATOR_UNMODELLED(cusparseC##name) EMULATOR_UNMODELLED(cusparseZ##name)
#define EMULATOR_UNMODELLED_REAL(name) \
  EMULATOR_UNMODELLED(cusparseH##name) \
  EMULATOR_UNMODELLED(cusparseS##name) EMULATOR_UNMODELLED(cusparseD##name)

EMULATOR_UNMODELLED(cusparseBsrSetStridedBatch)
EMULATOR_UNMODELLED(cusparseCreateBsric02Info)
EMULATOR_UNMODELLED(cusparseCreateBsrilu02Info)
EMULATOR_UNMODELLED(cusparseCreateBsrsm2Info)
EMULATOR_UNMODELLED(cusparseCreateBsrsv2Info)
EMULATOR_UNMODELLED(cusparseCreateColorInfo)
EMULATOR_UNMODELLED(cusparseCreateCsru2csrInfo)
EMULATOR_UNMODELLED(cusparseCreatePruneInfo)
EMULATOR_UNMODELLED(cusparseDestroyBsric02Info)
EMULATOR_UNMODELLED(cusparseDestroyBsrilu02Info)
EMULATOR_UNMODELLED(cusparseDestroyBsrsm2Info)
EMULATOR_UNMODELLED(cusparseDestroyBsrsv2Info)
EMULATOR_UNMODELLED(cusparseDestroyColorInfo)
EMULATOR_UNMODELLED(cusparseDestroyCsru2csrInfo)
EMULATOR_UNMODELLED(cusparseDestroyPruneInfo)
EMULATOR_UNMODELLED(cusparseLoggerForceDisable)
EMULATOR_UNMODELLED(cusparseLoggerOpenFile)
EMULATOR_UNMODELLED(cusparseLoggerSetCallback)
EMULATOR_UNMODELLED(cusparseLoggerSetFile)
EMULATOR_UNMODELLED(cusparseLoggerSetLevel)
EMULATOR_UNMODELLED(cusparseLoggerSetMask)
EMULATOR_UNMODELLED(cusparseSpMMOp)
EMULATOR_UNMODELLED(cusparseSpMMOp_createPlan)
EMULATOR_UNMODELLED(cusparseSpMMOp_destroyPlan)
EMULATOR_UNMODELLED(cusparseXbsric02_zeroPivot)
EMULATOR_UNMODELLED(cusparseXbsrilu02_zeroPivot)
EMULATOR_UNMODELLED(cusparseXbsrsm2_zeroPivot)
EMULATOR_UNMODELLED(cusparseXbsrsv2_zeroPivot)
EMULATOR_UNMODELLED(cusparseXcsr2bsrNnz)
EMULATOR_UNMODELLED(cusparseXcsr2gebsrNnz)
EMULATOR_UNMODELLED(cusparseXgebsr2csr)
EMULATOR_UNMODELLED(cusparseXgebsr2gebsrNnz)
EMULATOR_UNMODELLED_ALL(bsr2csr)
EMULATOR_UNMODELLED_ALL(bsric02)
EMULATOR_UNMODELLED_ALL(bsric02_analysis)
EMULATOR_UNMODELLED_ALL(bsric02_bufferSize)
EMULATOR_UNMODELLED_ALL(bsric02_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(bsrilu02)
EMULATOR_UNMODELLED_ALL(bsrilu02_analysis)
EMULATOR_UNMODELLED_ALL(bsrilu02_bufferSize)
EMULATOR_UNMODELLED_ALL(bsrilu02_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(bsrilu02_numericBoost)
EMULATOR_UNMODELLED_ALL(bsrmm)
EMULATOR_UNMODELLED_ALL(bsrmv)
EMULATOR_UNMODELLED_ALL(bsrsm2_analysis)
EMULATOR_UNMODELLED_ALL(bsrsm2_bufferSize)
EMULATOR_UNMODELLED_ALL(bsrsm2_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(bsrsm2_solve)
EMULATOR_UNMODELLED_ALL(bsrsv2_analysis)
EMULATOR_UNMODELLED_ALL(bsrsv2_bufferSize)
EMULATOR_UNMODELLED_ALL(bsrsv2_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(bsrsv2_solve)
EMULATOR_UNMODELLED_ALL(bsrxmv)
EMULATOR_UNMODELLED_ALL(csr2bsr)
EMULATOR_UNMODELLED_ALL(csr2csr_compress)
EMULATOR_UNMODELLED_ALL(csr2csru)
EMULATOR_UNMODELLED_ALL(csr2gebsr)
EMULATOR_UNMODELLED_ALL(csr2gebsr_bufferSize)
EMULATOR_UNMODELLED_ALL(csr2gebsr_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(csrcolor)
EMULATOR_UNMODELLED_ALL(csru2csr)
EMULATOR_UNMODELLED_ALL(csru2csr_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(gebsr2csr)
EMULATOR_UNMODELLED_ALL(gebsr2gebsc)
EMULATOR_UNMODELLED_ALL(gebsr2gebsc_bufferSize)
EMULATOR_UNMODELLED_ALL(gebsr2gebsc_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(gebsr2gebsr)
EMULATOR_UNMODELLED_ALL(gebsr2gebsr_bufferSize)
EMULATOR_UNMODELLED_ALL(gebsr2gebsr_bufferSizeExt)
EMULATOR_UNMODELLED_ALL(nnz_compress)
EMULATOR_UNMODELLED_REAL(pruneCsr2csr)
EMULATOR_UNMODELLED_REAL(pruneCsr2csrByPercentage)
EMULATOR_UNMODELLED_REAL(pruneCsr2csrByPercentage_bufferSizeExt)
EMULATOR_UNMODELLED_REAL(pruneCsr2csrNnz)
EMULATOR_UNMODELLED_REAL(pruneCsr2csrNnzByPercentage)
EMULATOR_UNMODELLED_REAL(pruneCsr2csr_bufferSizeExt)
EMULATOR_UNMODELLED_REAL(pruneDense2csr)
EMULATOR_UNMODELLED_REAL(pruneDense2csrByPercentage)
EMULATOR_UNMODELLED_REAL(pruneDense2csrByPercentage_bufferSizeExt)
EMULATOR_UNMODELLED_REAL(pruneDense2csrNnz)
EMULATOR_UNMODELLED_REAL(pruneDense2csrNnzByPercentage)
EMULATOR_UNMODELLED_REAL(pruneDense2csr_bufferSizeExt)

#undef EMULATOR_UNMODELLED_REAL
#undef EMULATOR_UNMODELLED_ALL
#undef EMULATOR_UNMODELLED
