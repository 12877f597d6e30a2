#pragma once
/// \file
/// A kernel of a module, as the driver API names it.

#include <cstddef>
#include <vector>

struct CUfunc_st {
  const void* kernel;
  std::vector<std::size_t> offsets;  // of the arguments in a buffer
};
