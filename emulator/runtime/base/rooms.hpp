#pragma once
/// \file
/// The rooms as namespaces. Each sees the names of those that it may include (layers.txt), without
/// saying whose they are; emulator::detail has what the headers of programs declare.

// clang-format off
namespace emulator {
namespace detail {}
namespace base { using namespace detail; }
namespace events { using namespace base; }
namespace engine { using namespace events; }
namespace streams { using namespace events; }
namespace textures { using namespace engine; using namespace streams; }
namespace graphs { using namespace textures; }
namespace api { using namespace graphs; }
namespace modules { using namespace engine; }
namespace traffic { using namespace events; }
namespace checks { using namespace events; }
namespace ordering { using namespace checks; }
namespace timeline { using namespace events; }
namespace reports { using namespace traffic; }
namespace program { using namespace engine; using namespace streams; using namespace ordering; using namespace timeline; using namespace reports; }
}  // namespace emulator
// clang-format on
