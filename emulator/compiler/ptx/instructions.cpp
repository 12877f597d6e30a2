#include "compiler/ptx/code.hpp"

// The instructions of PTX that kernels may have in their source, but for arithmetic. A new one is a
// row here, and if it needs more than an expression, a function in one of include/emulator/ptx*.h.

namespace emulator::compiler::ptx {

const std::vector<Instruction>& general_instructions() {
  static const std::vector<Instruction> instructions = {
      // Moving
      {"mov", "b16 b32 b64 b128 u16 s16 u32 s32 u64 s64 f32 f64 pred", "=t,t", "$1"},
      // Addresses
      {"cvta.to.shared", "u64", "=t,t", "::emulator::ptx::to_shared($1)"},
      {"cvta.shared", "u64", "=t,t", "::emulator::ptx::from_shared($1)"},
      {"cvta.to.global cvta.global", "u64", "=t,t", "$1"},
      {"cvta.to(.const|.local) cvta(.const|.local)", "u64", "=t,t", "$1"},
      {"isspacep(.const|.global|.local|.shared)", "", "=pred,b64",
       "::emulator::ptx::is_in_space<@1>($1)"},
      {"mapa.shared mapa", "u32 u64", "=t,t,u32", "::emulator::ptx::of_block($1, $2)"},
      {"getctarank.shared getctarank", "u32 u64", "=u32,t", "::emulator::ptx::block_of($1)"},
      // Caches: there are none
      {"prefetch[.global](.L1|.L2|.L2::evict_last|.L2::evict_normal)", "", "g",
       "static_cast<void>($0)", "Nothing."},
      {"prefetchu.L1", "", "g", "static_cast<void>($0)", "Nothing."},
      {"prefetch[.param|.const].tensormap", "", "g", "::emulator::detail::tensor_map_prefetch($0)",
       "Only checks the map."},
      {"cp.async.bulk.prefetch.L2.global", "", "g,u32", "static_cast<void>($0)", "Nothing."},
      {"applypriority[.global].L2::evict_normal discard[.global].L2", "", "g,n",
       "static_cast<void>($0)", "Nothing: what is discarded stays."},
      {"createpolicy.fractional(.L2::evict_last|.L2::evict_normal|.L2::evict_first|"
       ".L2::evict_unchanged)[.L2::evict_first|.L2::evict_unchanged]",
       "b64", "=t", "0", "A policy is a number that nothing reads."},
      {"createpolicy.fractional(.L2::evict_last|.L2::evict_normal|.L2::evict_first|"
       ".L2::evict_unchanged)[.L2::evict_first|.L2::evict_unchanged]",
       "b64", "=t,f32", "(static_cast<void>($1), 0)"},
      {"createpolicy.cvt.L2", "b64", "=t,b64", "$1"},
      // Among the lanes of a warp
      {"bar.warp.sync", "", "u32", "::__syncwarp($0)"},
      {"activemask", "b32", "=t", "::__activemask()"},
      {"vote.sync(.all|.any|.uni)", "pred", "=t,pred,u32", "::emulator::ptx::vote<@1>($1, $2)"},
      {"vote.ballot.sync", "b32", "=t,pred,u32", "::__ballot_sync($2, $1)"},
      {"exit", "", "", "::emulator::ptx::exit_thread()"},
      {"vote.sync.ballot", "b32", "=t,pred,u32", "::__ballot_sync($2, $1)"},
      {"match.any.sync", "b32 b64", "=b32,t,u32", "::__match_any_sync($2, $1)"},
      {"match.all.sync", "b32 b64", "=b32|pred,t,u32", "::emulator::ptx::match_all($1, $2)"},
      {"shfl.sync(.up|.down|.bfly|.idx)", "b32", "=t|pred,t,u32,u32,u32",
       "::emulator::ptx::shuffle<@1>($1, $2, $3, $4)"},
      {"redux.sync(.add|.min|.max)", "u32 s32", "=t,t,u32", "::emulator::ptx::reduce<@1>($1, $2)"},
      {"redux.sync(.and|.or|.xor)", "b32", "=t,t,u32", "::emulator::ptx::reduce<@1>($1, $2)"},
      {"elect.sync", "", "=b32|pred,u32", "::emulator::ptx::elect($1)",
       "The lowest lane of the mask."},
      {"movmatrix.sync.aligned.m8n8.trans", "b16", "=b32,b32", "::emulator::ptx::transposed($1)"},
      // Barriers, fences, registers
      {"bar.sync barrier.sync barrier.sync.aligned barrier.cta.sync barrier.cta.sync.aligned", "",
       "u32", "::emulator::ptx::barrier_sync($0, 0)"},
      {"bar.sync barrier.sync barrier.sync.aligned barrier.cta.sync barrier.cta.sync.aligned", "",
       "u32,u32", "::emulator::ptx::barrier_sync($0, $1)"},
      {"bar.arrive barrier.arrive barrier.arrive.aligned barrier.cta.arrive "
       "barrier.cta.arrive.aligned",
       "", "u32,u32", "::emulator::detail::named_barrier($0, $1, true)"},
      {"bar.red.popc barrier.red.popc barrier.red.popc.aligned barrier.cta.red.popc "
       "barrier.cta.red.popc.aligned",
       "u32", "=t,n,pred", "::emulator::ptx::barrier_count<$1>($2)",
       "Only barrier 0, and all threads."},
      {"bar.red(.and|.or) barrier.red(.and|.or)[.aligned] barrier.cta.red(.and|.or)[.aligned]",
       "pred", "=t,n,pred", "::emulator::ptx::barrier_vote<$1, @1>($2)",
       "Only barrier 0, and all threads."},
      {"barrier.cluster.arrive[.release][.aligned]", "", "",
       "::emulator::detail::cluster_arrive(false)"},
      {"barrier.cluster.arrive.relaxed[.aligned]", "", "",
       "::emulator::detail::cluster_arrive(true)", "It orders nothing."},
      {"barrier.cluster.wait[.acquire][.aligned]", "", "", "::emulator::detail::cluster_wait()"},
      {"membar.cta fence[.sc|.acq_rel|.acquire|.release](.cta|.cluster) "
       "fence(.acquire|.release).sync_restrict::shared::cta.cluster "
       "fence(.acquire|.release).sync_restrict::shared::cluster.cluster",
       "", "", "::__threadfence_block()"},
      {"membar.gl fence[.sc|.acq_rel|.acquire|.release].gpu", "", "", "::__threadfence()"},
      {"membar.sys fence[.sc|.acq_rel|.acquire|.release].sys", "", "", "::__threadfence_system()"},
      {"fence.proxy.alias", "", "", "::__threadfence()"},
      {"fence.proxy.async fence.proxy.async.shared fence.proxy.async.global", "", "",
       "::emulator::detail::proxy_fence(false)"},
      {"fence.proxy.tensormap::generic.release(.cta|.cluster|.gpu|.sys)", "", "",
       "static_cast<void>(0)", "Nothing: maps are read as they are."},
      {"fence.proxy.tensormap::generic.acquire(.cta|.cluster|.gpu|.sys)", "", "g,n",
       "static_cast<void>($0)", "Nothing: maps are read as they are."},
      {"fence.mbarrier_init.release.cluster", "", "", "::emulator::detail::proxy_fence(true)"},
      {"setmaxnreg.inc.sync.aligned setmaxnreg.dec.sync.aligned", "u32", "n",
       "::emulator::ptx::set_registers<$0>()"},
      {"nanosleep", "u32", "u32", "::__nanosleep($0)"},
      {"trap", "", "", "::__trap()"},
      {"brkpt", "", "", "::__brkpt()"},
      {"pmevent", "", "n", "static_cast<void>($0)", "Nothing."},
      {"griddepcontrol(.wait|.launch_dependents)", "", "", "static_cast<void>(0)",
       "Nothing: a kernel begins when those before it have ended."},
      // Products of warpgroups, but for the products themselves
      {"wgmma.fence.sync.aligned", "", "", "::emulator::detail::group_fence()"},
      {"wgmma.commit_group.sync.aligned", "", "", "::emulator::detail::group_commit()"},
      {"wgmma.wait_group.sync.aligned", "", "n", "::emulator::detail::group_wait($0)"},
      // Copies from global to shared memory
      {"cp.async.ca.shared.global", "", "s,g,n", "::emulator::detail::start_copy($0, $1, $2, 0)"},
      {"cp.async.ca.shared.global", "", "s,g,n,u32",
       "::emulator::detail::start_copy($0, $1, $2, ::emulator::ptx::zeros<$2>($3))"},
      {"cp.async.cg.shared.global", "", "s,g,n",
       "::emulator::detail::start_copy($0, $1, ::emulator::ptx::only_16<$2>(), 0)"},
      {"cp.async.cg.shared.global", "", "s,g,n,u32",
       "::emulator::detail::start_copy($0, $1, ::emulator::ptx::only_16<$2>(), "
       "::emulator::ptx::zeros<$2>($3))"},
      {"cp.async.ca.shared.global", "", "s,g,n,pred",
       "::emulator::detail::start_copy($0, $1, $2, $3 ? $2 : 0)"},
      {"cp.async.cg.shared.global", "", "s,g,n,pred",
       "::emulator::detail::start_copy($0, $1, ::emulator::ptx::only_16<$2>(), $3 ? $2 : 0)"},
      {"cp.async.ca.shared.global.L2::cache_hint", "", "s,g,n,b64",
       "::emulator::detail::start_copy($0, $1, $2, 0)"},
      {"cp.async.cg.shared.global.L2::cache_hint", "", "s,g,n,b64",
       "::emulator::detail::start_copy($0, $1, ::emulator::ptx::only_16<$2>(), 0)"},
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
      {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes.L2::cache_hint", "",
       "s,g,u32,s,b64", "::emulator::detail::bulk_copy_in($0, $1, $2, $3)"},
      {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes.multicast::cluster", "",
       "s,g,u32,s,u16", "::emulator::detail::bulk_copy_in_multicast($0, $1, $2, $3, $4)"},
      {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint",
       "", "s,g,u32,s,u16,b64", "::emulator::detail::bulk_copy_in_multicast($0, $1, $2, $3, $4)"},
      {"cp.async.bulk.shared.shared.mbarrier::complete_tx::bytes", "", "s,s,u32,s",
       "::emulator::detail::bulk_copy_to_block($0, $1, $2, $3)"},
      {"cp.async.bulk.global.shared.bulk_group.L2::cache_hint", "", "g,s,u32,b64",
       "::emulator::detail::bulk_copy_out($0, $1, $2)"},
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
      {"mbarrier.arrive.noComplete.b64", "", "=b64,s,u32",
       "::emulator::detail::mbarrier_arrive($1, $2, 0, 0)"},
      {"mbarrier.arrive_drop.b64", "", "=b64,s",
       "::emulator::detail::mbarrier_arrive($1, 1, 0, ::emulator::detail::mbarrier_drop)"},
      {"mbarrier.arrive_drop.b64", "", "=b64,s,u32",
       "::emulator::detail::mbarrier_arrive($1, $2, 0, ::emulator::detail::mbarrier_drop)"},
      {"mbarrier.arrive_drop.expect_tx.b64", "", "=b64,s,u32",
       "::emulator::detail::mbarrier_arrive($1, 1, $2, ::emulator::detail::mbarrier_drop)"},
      {"mbarrier.pending_count.b64", "", "=u32,b64", "::emulator::detail::mbarrier_pending($1)"},
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
constexpr Register special_registers[] = {
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
    {"clock_hi", "static_cast<unsigned>(::emulator::special::clock64() >> 32)"},
    {"clock64", "::emulator::special::clock64()"},
    {"globaltimer", "::emulator::special::globaltimer()"},
    {"globaltimer_lo", "static_cast<unsigned>(::emulator::special::globaltimer())"},
    {"globaltimer_hi", "static_cast<unsigned>(::emulator::special::globaltimer() >> 32)"},
    {"nwarpid", "64U"},
    {"cluster_ctaid.x", "::emulator::detail::cluster_index(0)"},
    {"cluster_ctaid.y", "::emulator::detail::cluster_index(1)"},
    {"cluster_ctaid.z", "::emulator::detail::cluster_index(2)"},
    {"cluster_nctaid.x", "::emulator::detail::cluster_extent(0)"},
    {"cluster_nctaid.y", "::emulator::detail::cluster_extent(1)"},
    {"cluster_nctaid.z", "::emulator::detail::cluster_extent(2)"},
    {"cluster_ctarank", "::emulator::detail::cluster_rank()"},
    {"cluster_nctarank", "::emulator::detail::cluster_blocks()"},
    {"clusterid.x", "::__clusterIdx().x"},
    {"clusterid.y", "::__clusterIdx().y"},
    {"clusterid.z", "::__clusterIdx().z"},
    {"nclusterid.x", "::__clusterGridDimInClusters().x"},
    {"nclusterid.y", "::__clusterGridDimInClusters().y"},
    {"nclusterid.z", "::__clusterGridDimInClusters().z"},
    {"is_explicit_cluster", "::emulator::detail::is_explicit_cluster()"},
};

}  // namespace

std::string_view special_register(std::string_view name) {
  for (const Register& one : special_registers) {
    if (one.name == name) return one.value;
  }
  return {};
}

std::vector<std::string_view> special_register_names() {
  std::vector<std::string_view> names;
  for (const Register& one : special_registers) names.push_back(one.name);
  return names;
}

}  // namespace emulator::compiler::ptx
