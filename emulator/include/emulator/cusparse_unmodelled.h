#pragma once
#pragma GCC system_header
/// \file
/// The part of cuSPARSE that the emulator does not model. A program that uses it compiles; each of
/// these functions says once on stderr that it is not modelled, and returns
/// CUSPARSE_STATUS_NOT_SUPPORTED. cusparse.h includes this file.

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
EMULATOR_UNMODELLED(cusparseCreateBlockedEll)
EMULATOR_UNMODELLED(cusparseCreateBsr)
EMULATOR_UNMODELLED(cusparseCreateConstBlockedEll)
EMULATOR_UNMODELLED(cusparseCreateConstBsr)
EMULATOR_UNMODELLED(cusparseCreateConstSlicedEll)
EMULATOR_UNMODELLED(cusparseCreateSlicedEll)

#undef EMULATOR_UNMODELLED
