/// @file
/// Sizes that find off-by-one errors: around a warp and a block, and primes. The last of them
/// change each time that work is graded.
#pragma once

#include <utility>
#include <vector>

#include "testing/drawn.hpp"

namespace course::testing {

inline const std::vector<int> awkward_sizes{
    1, 2, 3, 31, 32, 33, 127, 128, 129, 257, 1009, drawn(100, 34, 250), drawn(2003, 2000, 9000)};

/// The same for matrices, as rows and columns: square, flat and tall.
inline const std::vector<std::pair<int, int>> awkward_shapes{
    {1, 1},
    {1, 2},
    {2, 1},
    {3, 5},
    {31, 33},
    {32, 32},
    {33, 31},
    {127, 67},
    {257, 127},
    {129, 300},
    {7, 500},
    {500, 7},
    {1, drawn(1009, 1009, 6000)},
    {drawn(1009, 1009, 6000), 1},
    {drawn(61, 34, 250), drawn(100, 34, 250)}};

}  // namespace course::testing
