#pragma once
/// \file
/// The runtime's names, as the libraries see them. Each library has a namespace of its own, which
/// uses that of all of them.

/// The runtime's names.
namespace emulator::detail {}

/// What the libraries have in common.
namespace emulator::libraries {
using namespace detail;
}
