/// \file
/// Solutions at once: systems of equations, and least squares. On a GPU factors of a lower
/// precision are refined; here they are of the numbers' own.

#include <limits>

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/work.hpp"

struct cusolverDnIRSParams {
  cusolverIRSRefinement_t solver = CUSOLVER_IRS_REFINE_NOT_SET;
  cusolverPrecType_t main = static_cast<cusolverPrecType_t>(0);
  cusolverPrecType_t lowest = static_cast<cusolverPrecType_t>(0);
  double tolerance = 0;
  double inner_tolerance = 0;
  int most = 50;
  int most_inner = 50;
  bool falls_back = true;
};
struct cusolverDnIRSInfos {
  int steps = 0;
  int outer_steps = 0;
  int most = 0;
  bool wants_residuals = false;
};

namespace emulator::cusolver {
namespace {

struct LinearProblem {
  std::int64_t m, n, columns;
  void* A;
  std::int64_t lda;
  int* pivots;
  void* B;
  std::int64_t ldb;
  void* X;
  std::int64_t ldx;

  void check(Work& work) const {
    work.size("n", n);
    work.size("nrhs", columns);
    if (m < n) work.refuse(CUSOLVER_STATUS_IRS_PARAMS_INVALID, "m is less than n", -2);
    work.leading_dimension("ldda", lda, m);
    work.leading_dimension("lddb", ldb, m);
    work.leading_dimension("lddx", ldx, n);
  }
};

// The library's numbers: what it returns for a refinement that gives up.
constexpr int is_singular = -CUSOLVER_STATUS_IRS_MATRIX_SINGULAR;
constexpr int gave_up_factors = -3;
constexpr int gave_up_steps = -50;

struct Outcome {
  int info;
  int steps;
};
/// \param steps  of the refinement, on the host
template <class T, class Solve>
cusolverStatus_t solve_now(const char* function, const Context* handle, const LinearProblem& p,
                           WorkMemory space, int* steps, int* info, Solve solve) {
  return call_now(
      function, handle,
      [&](Work& work) {
        p.check(work);
        work.space(space, work_bytes<T>(p.m));
        work.on_host("iter", steps);
      },
      [&](Work& work) {
        const Matrix<T> a{as<T>(p.A), p.m, p.n, p.lda};
        const Matrix<T> b{as<T>(p.B), p.m, p.columns, p.ldb};
        const Matrix<T> x{as<T>(p.X), p.n, p.columns, p.ldx};
        work.reads("dA", a);
        work.reads("dB", b);
        work.writes("dX", x);
        if (p.pivots != nullptr) work.writes("dipiv", p.pivots, p.n);
        work.uses(space, work_bytes<T>(p.m));
        work.writes("d_info", info, 1);
        if (!work.ok()) return;
        const Outcome outcome = solve(a, b, x);
        *info = outcome.info;
        work.host_waits();
        work.end();
        *steps = outcome.steps;
      },
      info);
}
template <class T>
cusolverStatus_t gesv(const char* function, const Context* handle, const LinearProblem& p,
                      WorkMemory space, bool is_refined, int* steps, int* info) {
  return solve_now<T>(function, handle, p, space, steps, info,
                      [&](const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& x) -> Outcome {
                        const Owned<T> lu(a);
                        std::vector<int> pivots(static_cast<std::size_t>(p.n));
                        const int zero = factorise<T>(lu, pivots.data());
                        if (p.pivots != nullptr) std::copy(pivots.begin(), pivots.end(), p.pivots);
                        if (zero != 0) return {zero, 0};
                        copy(b, x);
                        solve_factorised<T>(lu, pivots.data(), 'N', Local<T>(x));
                        return {0, is_refined ? 1 : 0};
                      });
}
template <class T>
cusolverStatus_t gels(const char* function, const Context* handle, const LinearProblem& p,
                      WorkMemory space, bool is_refined, int* steps, int* info) {
  return solve_now<T>(function, handle, p, space, steps, info,
                      [&](const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& x) -> Outcome {
                        const Owned<T> qr(a);
                        const Owned<T> sides(b);
                        std::vector<T> tau(static_cast<std::size_t>(p.n));
                        factorise_qr<T>(qr, tau.data());
                        multiply_by_q<T>(true, true, qr, tau.data(), sides);
                        const Matrix<T> top{sides.data, p.n, p.columns, sides.ld};
                        if (solve_triangle<T>(true, 'N', false, qr, top) != 0) {
                          copy(Owned<T>(x.rows, x.columns), x);
                          return {is_singular, gave_up_factors};
                        }
                        copy(top, x);
                        // Steps go on while A X is not B, which it need not become.
                        const Matrix<T> rest{sides.data + p.n, p.m - p.n, p.columns, sides.ld};
                        const auto rounding = std::numeric_limits<Real<T>>::epsilon() *
                                              static_cast<Real<T>>(10 * p.m) * norm(b);
                        if (norm(rest) > rounding) return {0, gave_up_steps};
                        return {0, is_refined ? 1 : 0};
                      });
}
template <class T>
cusolverStatus_t size_of(const char* function, const Context* handle, const LinearProblem& p,
                         std::size_t* size) {
  return size_call(
      function, handle, [&](Work& work) { p.check(work); }, size, work_bytes<T>(p.m));
}

// By the precision that parameters name; `use` is called with a 0 of that type.
template <class Use>
cusolverStatus_t with_precision(cusolverDnIRSParams_t params, Use use) {
  if (!is_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  if (params->main == 0) return CUSOLVER_STATUS_IRS_PARAMS_INVALID;
  switch (params->main) {
    case CUSOLVER_R_32F:
      return use(float{});
    case CUSOLVER_R_64F:
      return use(double{});
    case CUSOLVER_C_32F:
      return use(std::complex<float>{});
    case CUSOLVER_C_64F:
      return use(std::complex<double>{});
    default:
      return CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  }
}
template <class Use>
cusolverStatus_t with_solver(cusolverDnIRSParams_t params, Use use) {
  if (is_live(params) && params->main != 0 && params->solver == CUSOLVER_IRS_REFINE_NOT_SET) {
    return CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
  }
  return with_precision(params, use);
}
template <class T>
cusolverStatus_t set_param(cusolverDnIRSParams_t params, T cusolverDnIRSParams::*member, T value) {
  if (!is_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  return set(params, member, value);
}
template <class T>
cusolverStatus_t get_info(cusolverDnIRSInfos_t infos, int cusolverDnIRSInfos::*member, T* value) {
  if (!is_live(infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  return get(infos, member, value);
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

#define MIXED_ONE(pair, name, PARAMETERS, Named, Type, ...)            \
  cusolverStatus_t cusolverDn##pair##name PARAMETERS(Named) {          \
    using T = Type;                                                    \
    [[maybe_unused]] constexpr bool is_refined = #pair[0] != #pair[1]; \
    return __VA_ARGS__;                                                \
  }
#define MIXED(name, PARAMETERS, ...)                                                  \
  MIXED_ONE(ZZ, name, PARAMETERS, cuDoubleComplex, std::complex<double>, __VA_ARGS__) \
  MIXED_ONE(ZC, name, PARAMETERS, cuDoubleComplex, std::complex<double>, __VA_ARGS__) \
  MIXED_ONE(ZK, name, PARAMETERS, cuDoubleComplex, std::complex<double>, __VA_ARGS__) \
  MIXED_ONE(ZE, name, PARAMETERS, cuDoubleComplex, std::complex<double>, __VA_ARGS__) \
  MIXED_ONE(ZY, name, PARAMETERS, cuDoubleComplex, std::complex<double>, __VA_ARGS__) \
  MIXED_ONE(CC, name, PARAMETERS, cuComplex, std::complex<float>, __VA_ARGS__)        \
  MIXED_ONE(CK, name, PARAMETERS, cuComplex, std::complex<float>, __VA_ARGS__)        \
  MIXED_ONE(CE, name, PARAMETERS, cuComplex, std::complex<float>, __VA_ARGS__)        \
  MIXED_ONE(CY, name, PARAMETERS, cuComplex, std::complex<float>, __VA_ARGS__)        \
  MIXED_ONE(DD, name, PARAMETERS, double, double, __VA_ARGS__)                        \
  MIXED_ONE(DS, name, PARAMETERS, double, double, __VA_ARGS__)                        \
  MIXED_ONE(DH, name, PARAMETERS, double, double, __VA_ARGS__)                        \
  MIXED_ONE(DB, name, PARAMETERS, double, double, __VA_ARGS__)                        \
  MIXED_ONE(DX, name, PARAMETERS, double, double, __VA_ARGS__)                        \
  MIXED_ONE(SS, name, PARAMETERS, float, float, __VA_ARGS__)                          \
  MIXED_ONE(SH, name, PARAMETERS, float, float, __VA_ARGS__)                          \
  MIXED_ONE(SB, name, PARAMETERS, float, float, __VA_ARGS__)                          \
  MIXED_ONE(SX, name, PARAMETERS, float, float, __VA_ARGS__)
#define EQUATIONS (LinearProblem{n, n, nrhs, dA, ldda, dipiv, dB, lddb, dX, lddx})
#define SQUARES (LinearProblem{m, n, nrhs, dA, ldda, nullptr, dB, lddb, dX, lddx})
MIXED(gesv_bufferSize, EMULATOR_CUSOLVER_GESV_BUFFER_SIZE,
      size_of<T>(__func__, handle, EQUATIONS, lwork_bytes))
MIXED(gesv, EMULATOR_CUSOLVER_GESV,
      gesv<T>(__func__, handle, EQUATIONS, bytes_at(dWorkspace, lwork_bytes), is_refined, iter,
              d_info))
MIXED(gels_bufferSize, EMULATOR_CUSOLVER_GELS_BUFFER_SIZE,
      size_of<T>(__func__, handle, SQUARES, lwork_bytes))
MIXED(gels, EMULATOR_CUSOLVER_GELS,
      gels<T>(__func__, handle, SQUARES, bytes_at(dWorkspace, lwork_bytes), is_refined, iter,
              d_info))

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t* params_ptr) {
  return made(params_ptr);
}
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  return destroyed(params, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t refinement_solver) {
  return set_param(params, &cusolverDnIRSParams::solver, refinement_solver);
}
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision) {
  return set_param(params, &cusolverDnIRSParams::main, solver_main_precision);
}
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_lowest_precision) {
  return set_param(params, &cusolverDnIRSParams::lowest, solver_lowest_precision);
}
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision,
    cusolverPrecType_t solver_lowest_precision) {
  const cusolverStatus_t status =
      set_param(params, &cusolverDnIRSParams::main, solver_main_precision);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return set_param(params, &cusolverDnIRSParams::lowest, solver_lowest_precision);
}
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double val) {
  return set_param(params, &cusolverDnIRSParams::tolerance, val);
}
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double val) {
  return set_param(params, &cusolverDnIRSParams::inner_tolerance, val);
}
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t maxiters) {
  return set_param(params, &cusolverDnIRSParams::most, maxiters);
}
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params,
                                                     cusolver_int_t maxiters_inner) {
  return set_param(params, &cusolverDnIRSParams::most_inner, maxiters_inner);
}
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t* maxiters) {
  if (!is_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  return get(params, &cusolverDnIRSParams::most, maxiters);
}
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params) {
  return set_param(params, &cusolverDnIRSParams::falls_back, true);
}
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params) {
  return set_param(params, &cusolverDnIRSParams::falls_back, false);
}
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t* infos_ptr) {
  return made(infos_ptr);
}
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
  return destroyed(infos, CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t* niters) {
  return get_info(infos, &cusolverDnIRSInfos::steps, niters);
}
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos,
                                                  cusolver_int_t* outer_niters) {
  return get_info(infos, &cusolverDnIRSInfos::outer_steps, outer_niters);
}
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos,
                                               cusolver_int_t* maxiters) {
  return get_info(infos, &cusolverDnIRSInfos::most, maxiters);
}
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos) {
  if (!is_live(infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  return set(infos, &cusolverDnIRSInfos::wants_residuals, true);
}
cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos,
                                                      void** residual_history) {
  // Nothing is refined, so there is none.
  if (!is_live(infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  if (residual_history != nullptr) *residual_history = nullptr;
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t nrhs, std::size_t* lwork_bytes) {
  const char* const function = __func__;
  return with_precision(params, [&](auto zero) {
    return size_of<decltype(zero)>(function, handle,
                                   LinearProblem{n, n, nrhs, nullptr, std::max(n, 1), nullptr,
                                                 nullptr, std::max(n, 1), nullptr, std::max(n, 1)},
                                   lwork_bytes);
  });
}
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n,
                                    cusolver_int_t nrhs, void* dA, cusolver_int_t ldda, void* dB,
                                    cusolver_int_t lddb, void* dX, cusolver_int_t lddx,
                                    void* dWorkspace, std::size_t lwork_bytes,
                                    cusolver_int_t* niters, cusolver_int_t* d_info) {
  if (!is_live(gesv_irs_infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  gesv_irs_infos->steps = gesv_irs_infos->outer_steps = 0;
  const char* const function = __func__;
  return with_solver(gesv_irs_params, [&](auto zero) {
    gesv_irs_infos->most = gesv_irs_params->most;
    const bool is_refined = gesv_irs_params->lowest != gesv_irs_params->main;
    return gesv<decltype(zero)>(function, handle,
                                LinearProblem{n, n, nrhs, dA, ldda, nullptr, dB, lddb, dX, lddx},
                                bytes_at(dWorkspace, lwork_bytes), is_refined, niters, d_info);
  });
}
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t m,
                                               cusolver_int_t n, cusolver_int_t nrhs,
                                               std::size_t* lwork_bytes) {
  const char* const function = __func__;
  return with_precision(params, [&](auto zero) {
    return size_of<decltype(zero)>(function, handle,
                                   LinearProblem{m, n, nrhs, nullptr, std::max(m, 1), nullptr,
                                                 nullptr, std::max(m, 1), nullptr, std::max(n, 1)},
                                   lwork_bytes);
  });
}
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gels_irs_params,
                                    cusolverDnIRSInfos_t gels_irs_infos, cusolver_int_t m,
                                    cusolver_int_t n, cusolver_int_t nrhs, void* dA,
                                    cusolver_int_t ldda, void* dB, cusolver_int_t lddb, void* dX,
                                    cusolver_int_t lddx, void* dWorkspace, std::size_t lwork_bytes,
                                    cusolver_int_t* niters, cusolver_int_t* d_info) {
  if (!is_live(gels_irs_infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  gels_irs_infos->steps = gels_irs_infos->outer_steps = 0;
  const char* const function = __func__;
  return with_solver(gels_irs_params, [&](auto zero) {
    gels_irs_infos->most = gels_irs_params->most;
    const bool is_refined = gels_irs_params->lowest != gels_irs_params->main;
    return gels<decltype(zero)>(function, handle,
                                LinearProblem{m, n, nrhs, dA, ldda, nullptr, dB, lddb, dX, lddx},
                                bytes_at(dWorkspace, lwork_bytes), is_refined, niters, d_info);
  });
}
