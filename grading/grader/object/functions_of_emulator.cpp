#include "grader/object/known_functions.hpp"

namespace course::tool::grading {
namespace {

using enum Verdict;

constexpr KnownFunction emulator_functions[] = {
    // launches, kernels and symbols
    //
    // What launch() is to call is in a structure of three words. Such a one is on the stack,
    // where argument 7 is the first word.
    {"emulator::detail::launch", allowed, calls(7)},
    {"emulator::detail::discarded_launch", allowed},
    {"emulator::detail::launch_by_address", allowed},
    {"emulator::detail::refuse_launch", allowed},
    {"emulator::detail::remember_kernel", allowed, calls(1, 3)},
    {"emulator::detail::discarded_error", allowed},
    {"emulator::detail::discarded_status", allowed},
    {"emulator::detail::block_barrier", allowed, in_kernels},
    {"emulator::detail::block_vote", allowed, in_kernels},
    {"emulator::detail::warp_operation", allowed, answers(6) | in_kernels},
    // What a thread offers is copied without being counted, as its result is: both are variables.
    {"emulator::detail::tile_exchange", allowed, answers(2, 3) | in_kernels},
    {"emulator::detail::is_cooperative_launch", allowed, in_kernels},
    {"emulator::detail::is_from_global_to_shared", allowed, in_kernels},
    {"emulator::detail::start_copy", allowed, in_kernels},
    {"emulator::detail::commit_copies", allowed, in_kernels},
    {"emulator::detail::wait_for_copies", allowed, in_kernels},
    {"emulator::detail::grid_barrier", allowed, in_kernels},
    {"emulator::detail::mbarrier_init", allowed, in_kernels},
    {"emulator::detail::mbarrier_end", allowed, in_kernels},
    {"emulator::detail::mbarrier_leave", allowed, in_kernels},
    {"emulator::detail::mbarrier_arrive", allowed, in_kernels},
    {"emulator::detail::mbarrier_arrive_after_copies", allowed, in_kernels},
    {"emulator::detail::mbarrier_wait", allowed, in_kernels},
    {"emulator::detail::mbarrier_pending", allowed, in_kernels},
    {"emulator::detail::bulk_copy_in", allowed, in_kernels},
    {"emulator::detail::bulk_copy_out", allowed, writes(1) | in_kernels},
    {"emulator::detail::bulk_commit", allowed, in_kernels},
    {"emulator::detail::bulk_wait", allowed, in_kernels},
    {"emulator::detail::proxy_fence", allowed, in_kernels},
    {"emulator::detail::named_barrier", allowed, in_kernels},
    {"emulator::detail::shared_address", allowed, in_kernels},
    {"emulator::detail::cluster_arrive", allowed, in_kernels},
    {"emulator::detail::cluster_wait", allowed, in_kernels},
    {"emulator::detail::cluster_blocks", allowed, in_kernels},
    {"emulator::detail::cluster_extent", allowed, in_kernels},
    {"emulator::detail::cluster_rank", allowed, in_kernels},
    {"emulator::detail::cluster_index", allowed, in_kernels},
    {"emulator::detail::is_explicit_cluster", allowed, in_kernels},
    {"emulator::detail::multiply_matrices", allowed, answers(2, 3, 4, 5) | in_kernels},
    {"emulator::detail::load_matrices", allowed, answers(4) | in_kernels},
    {"emulator::detail::store_matrices", allowed, answers(4) | in_kernels},
    {"emulator::detail::meet_for_matrix", allowed, in_kernels},
    {"emulator::detail::check_matrix", allowed, in_kernels},
    {"emulator::detail::is_in_shared_memory", allowed, in_kernels},
    {"emulator::detail::record_matrix_load", allowed, in_kernels},
    {"emulator::detail::record_matrix_store", allowed, in_kernels},
    {"emulator::detail::shared_pointer", allowed, in_kernels},
    {"emulator::detail::is_shared_address", allowed, in_kernels},
    {"emulator::detail::is_local_address", allowed, in_kernels},
    {"emulator::detail::record_atomic", allowed, in_kernels},
    {"emulator::detail::note_atomic", allowed, in_kernels},
    {"emulator::detail::record_fence", allowed, in_kernels},
    {"emulator::detail::trap", allowed, in_kernels},
    {"emulator::detail::yield_thread", allowed, in_kernels},
    {"emulator::detail::not_modelled", allowed, in_kernels},
    {"emulator::detail::cublas_not_modelled", allowed},
    {"emulator::detail::cutensor_not_modelled", allowed},
    {"emulator::detail::copy_to_symbol", allowed, writes(1)},
    {"emulator::detail::copy_from_symbol", allowed, writes(1)},
    {"emulator::detail::symbol_address", allowed, writes(1)},
    {"emulator::detail::symbol_size", allowed, writes(1)},
    {"emulator::detail::best_block_size", allowed, writes(1, 2) | calls(3, 4)},
    {"emulator::dynamic_shared", allowed, in_kernels},
    // what becomes of memcpy() and its siblings in what is compiled for the emulator
    {"emulator::detail::copy_bytes", allowed, writes(1) | in_kernels},
    {"emulator::detail::set_bytes", allowed, writes(1) | in_kernels},
    {"emulator::detail::compare_bytes", allowed, in_kernels},
    // tensor maps and products of warpgroups: what these read and write is not witnessed
    {"emulator::detail::tensor_copy_in", refused},
    {"emulator::detail::tensor_copy_in_multicast", refused},
    {"emulator::detail::tensor_copy_out", refused},
    {"emulator::detail::tensor_prefetch", refused},
    {"emulator::detail::tensor_map_prefetch", refused},
    {"emulator::detail::start_group_product", refused},
    {"emulator::detail::group_fence", refused},
    {"emulator::detail::group_commit", refused},
    {"emulator::detail::group_wait", refused},
    // clusters, and the same holds for other blocks' shared memory
    {"emulator::detail::declare_cluster", refused},
    {"emulator::detail::shared_of_block", refused},
    {"emulator::detail::block_of_shared", refused},
    {"emulator::detail::bulk_copy_in_multicast", refused},
    {"emulator::detail::bulk_copy_to_block", refused},
    {"emulator::detail::async_store", refused},
    {"emulator::detail::async_reduce", refused},
    // atomic functions of 16 bytes, likewise
    {"emulator::detail::exchange_wide", refused},
    {"emulator::detail::compare_exchange_wide", refused},
    // arrays, textures and surfaces: what kernels read and write by them is not witnessed
    {"emulator::detail::fetch_element", refused},
    {"emulator::detail::fetch", refused},
    {"emulator::detail::fetch_between", refused},
    {"emulator::detail::gather", refused},
    {"emulator::detail::read_surface", refused},
    {"emulator::detail::write_surface", refused},
    {"emulator::detail::bind_texture", refused},
    {"emulator::detail::bind_surface", refused},
    {"emulator::detail::unbind_texture", refused},
    // graphs
    {"emulator::detail::add_symbol_node", refused},
    {"emulator::detail::set_symbol_node", refused},
    // random numbers: no exercise asks for them
    {"emulator::detail::mrg_ahead", refused},
    {"emulator::detail::mrg_state", refused},
    {"emulator::detail::xorwow_ahead", refused},
    {"emulator::detail::xorwow_state", refused},
    // kernels of modules, which a submission is not
    {"emulator::detail::remember_parameters", refused},
    // what code for the host and for the device asks which it is
    {"emulator::for_device", refused, in_kernels},
};

}  // namespace

std::span<const KnownFunction> functions_of_emulator() {
  return emulator_functions;
}

}  // namespace course::tool::grading
