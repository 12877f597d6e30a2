#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/symbol_table.hpp"

/// \file
/// Products of warpgroups: `wgmma.mma_async`, whose registers are written when it is waited for.

namespace emulator::compiler::ptx {

/// Whether the name is that of such an instruction.
bool is_warpgroup_product(std::string_view name);

/// The instruction as C++. Refuses what is not known, or does not fit.
std::string warpgroup_product(const SymbolTable& symbols, std::string_view name,
                              const std::vector<std::string_view>& arguments);

/// The section on them of instruction_list().
std::string warpgroup_product_list();

}  // namespace emulator::compiler::ptx
