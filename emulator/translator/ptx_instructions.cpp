#include "ptx_code.hpp"

// The instructions of PTX that kernels may have in their source. A new one is a row here, and if it
// needs more than an expression, a function in include/emulator/ptx.h.

namespace emulator {

const std::vector<PtxInstruction>& ptx_instructions() {
  static const std::vector<PtxInstruction> instructions = {
      // Arithmetic
      {"add sub mul.lo", "u16 s16 u32 s32 u64 s64", "=t,t,t", "::emulator::ptx::N<T>($1, $2)"},
      {"add add.rn sub sub.rn mul mul.rn", "f32 f64", "=t,t,t", "::emulator::ptx::N<T>($1, $2)"},
      {"mul.hi", "u32 s32 u64 s64", "=t,t,t", "::emulator::ptx::mul_hi<T>($1, $2)"},
      {"mul.wide", "u32 s32", "=w,t,t", "::emulator::ptx::mul_wide<T>($1, $2)"},
      {"mad.lo", "u32 s32 u64 s64", "=t,t,t,t",
       "::emulator::ptx::add<T>(::emulator::ptx::mul_lo<T>($1, $2), $3)"},
      {"fma.rn", "f32 f64", "=t,t,t,t", "::emulator::ptx::fma<T>($1, $2, $3)"},
      {"min max", "u32 s32 u64 s64 f32 f64", "=t,t,t", "::emulator::ptx::N<T>($1, $2)"},
      {"neg abs", "s32 s64 f32 f64", "=t,t", "::emulator::ptx::N<T>($1)"},
      {"div.rn", "f32 f64", "=t,t,t", "$1 / $2"},
      {"sqrt.rn sqrt.approx", "f32", "=t,t", "::sqrtf($1)"},
      {"rcp.rn rcp.approx rcp.approx.ftz", "f32", "=t,t", "1.0F / $1"},
      {"rsqrt.approx rsqrt.approx.ftz", "f32", "=t,t", "::rsqrtf($1)"},
      {"ex2.approx ex2.approx.ftz", "f32", "=t,t", "::exp2f($1)"},
      {"lg2.approx lg2.approx.ftz", "f32", "=t,t", "::log2f($1)"},
      {"sin.approx sin.approx.ftz", "f32", "=t,t", "::sinf($1)"},
      {"cos.approx cos.approx.ftz", "f32", "=t,t", "::cosf($1)"},
      {"tanh.approx", "f32", "=t,t", "::tanhf($1)"},
      // Bits
      {"and or xor", "b16 b32 b64", "=t,t,t", "::emulator::ptx::N_bits<T>($1, $2)"},
      {"not", "b16 b32 b64", "=t,t", "static_cast<T>(~$1)"},
      {"shl", "b32 b64", "=t,t,u32", "::emulator::ptx::shift_left<T>($1, $2)"},
      {"shr", "b32 b64 u32 s32 u64 s64", "=t,t,u32", "::emulator::ptx::shift_right<T>($1, $2)"},
      {"lop3", "b32", "=t,t,t,t,n", "::emulator::ptx::lop3($1, $2, $3, $4)"},
      {"prmt", "b32", "=t,t,t,t", "::emulator::ptx::prmt($1, $2, $3)"},
      {"bfe", "u32 s32 u64 s64", "=t,t,u32,u32", "::emulator::ptx::bfe<T>($1, $2, $3)"},
      {"bfi", "b32 b64", "=t,t,t,u32,u32", "::emulator::ptx::bfi<T>($1, $2, $3, $4)"},
      {"brev", "b32", "=t,t", "::__brev($1)"},
      {"popc", "b32", "=u32,t", "static_cast<unsigned>(::__popc($1))"},
      {"clz", "b32", "=u32,t", "static_cast<unsigned>(::__clz(static_cast<int>($1)))"},
      // Moving and comparing
      {"mov", "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64 pred", "=t,t", "$1"},
      {"setp.eq", "b32 b64 u32 s32 u64 s64 f32 f64", "=pred,t,t", "$1 == $2"},
      {"setp.ne", "b32 b64 u32 s32 u64 s64 f32 f64", "=pred,t,t", "!($1 == $2)"},
      {"setp.lt", "u32 s32 u64 s64 f32 f64", "=pred,t,t", "$1 < $2"},
      {"setp.le", "u32 s32 u64 s64 f32 f64", "=pred,t,t", "$1 <= $2"},
      {"setp.gt", "u32 s32 u64 s64 f32 f64", "=pred,t,t", "$1 > $2"},
      {"setp.ge", "u32 s32 u64 s64 f32 f64", "=pred,t,t", "$1 >= $2"},
      {"selp", "b32 b64 u32 s32 u64 s64 f32 f64", "=t,t,t,pred", "$3 ? $1 : $2"},
      {"cvt.rna.tf32.f32", "", "=b32,f32",
       "::emulator::ptx::as<::emulator::ptx::u32>(::emulator::round_to_tf32($1))"},
      // Addresses
      {"cvta.to.shared", "u64", "=t,t", "::emulator::ptx::to_shared($1)"},
      {"cvta.shared", "u64", "=t,t", "::emulator::ptx::from_shared($1)"},
      {"cvta.to.global cvta.global", "u64", "=t,t", "$1"},
      {"prefetch.global.L1 prefetch.global.L2 prefetch.L1 prefetch.L2", "", "g",
       "static_cast<void>($0)"},
      // Barriers, fences, registers
      {"bar.sync barrier.sync barrier.sync.aligned barrier.cta.sync barrier.cta.sync.aligned", "",
       "u32", "::emulator::ptx::barrier_sync($0, 0)"},
      {"bar.sync barrier.sync barrier.sync.aligned barrier.cta.sync barrier.cta.sync.aligned", "",
       "u32,u32", "::emulator::ptx::barrier_sync($0, $1)"},
      {"bar.arrive barrier.arrive barrier.arrive.aligned barrier.cta.arrive "
       "barrier.cta.arrive.aligned",
       "", "u32,u32", "::emulator::detail::named_barrier($0, $1, true)"},
      {"bar.warp.sync", "", "u32", "::__syncwarp($0)"},
      {"membar.cta fence.acq_rel.cta fence.sc.cta fence.acq_rel.cluster fence.sc.cluster", "", "",
       "::__threadfence_block()"},
      {"membar.gl fence.acq_rel.gpu fence.sc.gpu", "", "", "::__threadfence()"},
      {"membar.sys fence.acq_rel.sys fence.sc.sys", "", "", "::__threadfence_system()"},
      {"fence.proxy.async fence.proxy.async.shared fence.proxy.async.global", "", "",
       "::emulator::detail::proxy_fence(false)"},
      {"fence.mbarrier_init.release.cluster", "", "", "::emulator::detail::proxy_fence(true)"},
      {"setmaxnreg.inc.sync.aligned setmaxnreg.dec.sync.aligned", "u32", "n",
       "::emulator::ptx::set_registers<$0>()"},
      {"nanosleep", "u32", "u32", "::__nanosleep($0)"},
      {"trap", "", "", "::__trap()"},
      // Copies from global to shared memory
      {"cp.async.ca.shared.global", "", "s,g,n", "::emulator::detail::start_copy($0, $1, $2, 0)"},
      {"cp.async.ca.shared.global", "", "s,g,n,u32",
       "::emulator::detail::start_copy($0, $1, $2, ::emulator::ptx::zeros<$2>($3))"},
      {"cp.async.cg.shared.global", "", "s,g,n",
       "::emulator::detail::start_copy($0, $1, ::emulator::ptx::only_16<$2>(), 0)"},
      {"cp.async.cg.shared.global", "", "s,g,n,u32",
       "::emulator::detail::start_copy($0, $1, ::emulator::ptx::only_16<$2>(), "
       "::emulator::ptx::zeros<$2>($3))"},
      {"cp.async.commit_group", "", "", "::emulator::detail::commit_copies()"},
      {"cp.async.wait_group", "", "n", "::emulator::detail::wait_for_copies($0)"},
      {"cp.async.wait_all", "", "",
       "(::emulator::detail::commit_copies(), ::emulator::detail::wait_for_copies(0))"},
      {"cp.async.mbarrier.arrive.shared.b64 cp.async.mbarrier.arrive.b64", "", "s",
       "::emulator::detail::mbarrier_arrive_after_copies($0, false)"},
      {"cp.async.mbarrier.arrive.noinc.shared.b64 cp.async.mbarrier.arrive.noinc.b64", "", "s",
       "::emulator::detail::mbarrier_arrive_after_copies($0, true)"},
      {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes", "", "s,g,u32,s",
       "::emulator::detail::bulk_copy_in($0, $1, $2, $3)"},
      {"cp.async.bulk.global.shared.bulk_group", "", "g,s,u32",
       "::emulator::detail::bulk_copy_out($0, $1, $2)"},
      {"cp.async.bulk.commit_group", "", "", "::emulator::detail::bulk_commit()"},
      {"cp.async.bulk.wait_group", "", "n", "::emulator::detail::bulk_wait($0, false)"},
      {"cp.async.bulk.wait_group.read", "", "n", "::emulator::detail::bulk_wait($0, true)"},
      // mbarriers, without state space, scope and order, which change nothing here
      {"mbarrier.init.b64", "", "s,u32", "::emulator::detail::mbarrier_init($0, $1, false)"},
      {"mbarrier.inval.b64", "", "s", "::emulator::detail::mbarrier_end($0)"},
      {"mbarrier.arrive.b64", "", "=b64,s", "::emulator::detail::mbarrier_arrive($1, 1, 0, 0)"},
      {"mbarrier.arrive.b64", "", "=b64,s,u32",
       "::emulator::detail::mbarrier_arrive($1, $2, 0, 0)"},
      {"mbarrier.arrive.expect_tx.b64", "", "=b64,s,u32",
       "::emulator::detail::mbarrier_arrive($1, 1, $2, 0)"},
      {"mbarrier.expect_tx.b64", "", "s,u32", "::emulator::detail::mbarrier_arrive($0, 0, $1, 0)"},
      {"mbarrier.try_wait.b64", "", "=pred,s,b64", "::emulator::detail::mbarrier_wait($1, $2, 0)"},
      {"mbarrier.try_wait.b64", "", "=pred,s,b64,u32",
       "::emulator::detail::mbarrier_wait($1, $2, 0)"},
      {"mbarrier.try_wait.parity.b64", "", "=pred,s,u32",
       "::emulator::detail::mbarrier_wait($1, $2, ::emulator::detail::mbarrier_by_parity)"},
      {"mbarrier.try_wait.parity.b64", "", "=pred,s,u32,u32",
       "::emulator::detail::mbarrier_wait($1, $2, ::emulator::detail::mbarrier_by_parity)"},
      {"mbarrier.test_wait.b64", "", "=pred,s,b64",
       "::emulator::detail::mbarrier_wait($1, $2, ::emulator::detail::mbarrier_test)"},
      {"mbarrier.test_wait.parity.b64", "", "=pred,s,u32",
       "::emulator::detail::mbarrier_wait($1, $2, ::emulator::detail::mbarrier_test | "
       "::emulator::detail::mbarrier_by_parity)"},
  };
  return instructions;
}

namespace {

struct Register {
  std::string_view name;
  std::string_view value;
};
constexpr Register registers[] = {
    {"tid.x", "::threadIdx.x"},
    {"tid.y", "::threadIdx.y"},
    {"tid.z", "::threadIdx.z"},
    {"ntid.x", "::blockDim.x"},
    {"ntid.y", "::blockDim.y"},
    {"ntid.z", "::blockDim.z"},
    {"ctaid.x", "::blockIdx.x"},
    {"ctaid.y", "::blockIdx.y"},
    {"ctaid.z", "::blockIdx.z"},
    {"nctaid.x", "::gridDim.x"},
    {"nctaid.y", "::gridDim.y"},
    {"nctaid.z", "::gridDim.z"},
    {"laneid", "::emulator::special::laneid()"},
    {"warpid", "::emulator::special::warpid()"},
    {"smid", "::emulator::special::smid()"},
    {"nsmid", "::emulator::special::nsmid()"},
    {"lanemask_eq", "::emulator::special::lanemask_eq()"},
    {"lanemask_lt", "::emulator::special::lanemask_lt()"},
    {"lanemask_le", "::emulator::special::lanemask_le()"},
    {"lanemask_gt", "::emulator::special::lanemask_gt()"},
    {"lanemask_ge", "::emulator::special::lanemask_ge()"},
    {"clock", "::emulator::special::clock()"},
    {"clock64", "::emulator::special::clock64()"},
    {"globaltimer", "::emulator::special::globaltimer()"},
};

}  // namespace

std::string_view ptx_register(std::string_view name) {
  for (const Register& one : registers) {
    if (one.name == name) return one.value;
  }
  return {};
}

}  // namespace emulator
