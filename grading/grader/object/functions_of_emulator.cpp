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
    {"emulator::detail::declare_bound", allowed, in_kernels},
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
    {"emulator::detail::note_poll", allowed, in_kernels},
    {"emulator::detail::note_read_only", allowed, in_kernels},
    {"emulator::detail::record_fence", allowed, in_kernels},
    {"emulator::detail::record_system_atomic", allowed, in_kernels},
    {"emulator::detail::record_system_fence", allowed, in_kernels},
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
    refused_as("tensor maps", "emulator::detail::tensor_copy_in"),
    refused_as("tensor maps", "emulator::detail::tensor_copy_in_multicast"),
    refused_as("tensor maps", "emulator::detail::tensor_copy_out"),
    refused_as("tensor maps", "emulator::detail::tensor_prefetch"),
    refused_as("tensor maps", "emulator::detail::tensor_map_prefetch"),
    refused_as("wgmma", "emulator::detail::start_group_product"),
    refused_as("wgmma", "emulator::detail::group_fence"),
    refused_as("wgmma", "emulator::detail::group_commit"),
    refused_as("wgmma", "emulator::detail::group_wait"),
    // clusters, and the same holds for other blocks' shared memory
    refused_as("__cluster_dims__", "emulator::detail::declare_cluster"),
    refused_as("map_shared_rank()", "emulator::detail::shared_of_block"),
    refused_as("query_shared_rank()", "emulator::detail::block_of_shared"),
    refused_as("cp_async_bulk() to other blocks", "emulator::detail::bulk_copy_in_multicast"),
    refused_as("cp_async_bulk() to other blocks", "emulator::detail::bulk_copy_to_block"),
    refused_as("st_async()", "emulator::detail::async_store"),
    refused_as("red_async()", "emulator::detail::async_reduce"),
    // atomic functions of 16 bytes, likewise
    refused_as("atomic functions of 16 bytes", "emulator::detail::exchange_wide"),
    refused_as("atomic functions of 16 bytes", "emulator::detail::compare_exchange_wide"),
    // arrays, textures and surfaces: what kernels read and write by them is not witnessed
    refused_as("textures", "emulator::detail::fetch_element"),
    refused_as("textures", "emulator::detail::fetch"),
    refused_as("textures", "emulator::detail::fetch_between"),
    refused_as("textures", "emulator::detail::gather"),
    refused_as("surfaces", "emulator::detail::read_surface"),
    refused_as("surfaces", "emulator::detail::write_surface"),
    refused_as("textures", "emulator::detail::bind_texture"),
    refused_as("surfaces", "emulator::detail::bind_surface"),
    refused_as("textures", "emulator::detail::unbind_texture"),
    // graphs
    refused_as("nodes that copy symbols", "emulator::detail::add_symbol_node"),
    refused_as("nodes that copy symbols", "emulator::detail::set_symbol_node"),
    // random numbers: no exercise asks for them
    refused_as("curand_kernel.h", "emulator::detail::mrg_ahead"),
    refused_as("curand_kernel.h", "emulator::detail::mrg_state"),
    refused_as("curand_kernel.h", "emulator::detail::xorwow_ahead"),
    refused_as("curand_kernel.h", "emulator::detail::xorwow_state"),
    // kernels of modules, which a submission is not
    refused_as("kernels of modules", "emulator::detail::remember_parameters"),
    // what code for the host and for the device asks which it is
    refused_as("NV_IF_TARGET", "emulator::for_device", in_kernels),
};

}  // namespace

std::span<const KnownFunction> functions_of_emulator() {
  return emulator_functions;
}

}  // namespace course::tool::grading
