#include "observers/reports/finding_rules.hpp"

namespace emulator::reports {
namespace {

constexpr FindingRule rules[] = {
    {"out-of-bounds", Severity::error, "Access outside of memory",
     "A kernel reads or writes outside every allocation, or outside the shared or constant array "
     "that it was meant for."},
    {"use-after-free", Severity::error, "Use of freed memory",
     "A kernel uses device memory that has been freed."},
    {"host-pointer", Severity::error, "Host memory in a kernel",
     "A kernel uses a pointer to host memory, which a GPU cannot reach."},
    {"device-pointer", Severity::error, "Device memory in host code",
     "Host code uses a pointer to device memory; with a GPU the program crashes there."},
    {"misaligned", Severity::error, "Misaligned access",
     "An address is not a multiple of the alignment that the access needs."},
    {"shift", Severity::warning, "Shift by too many bits",
     "A value is shifted by as many bits as it has, by more, or by a negative number."},
    {"division", Severity::error, "Integer division by zero",
     "An integer is divided by zero. A GPU goes on, with a number that CUDA does not define."},
    {"uninitialised", Severity::error, "Read of unwritten memory",
     "A kernel, or a copy to the host, reads memory that nothing has written."},
    {"race", Severity::error, "Data race",
     "Two threads use the same word, at least one of them writes it, and nothing orders the two."},
    {"divergent-barrier", Severity::error, "Barrier that not all threads reach",
     "Some threads of a block, or blocks of a cooperative grid, do not reach a barrier at which "
     "the "
     "others wait."},
    {"bad-mask", Severity::error, "Wrong mask of lanes",
     "The mask of a warp function names lanes that do not reach it, or leaves out one that does; "
     "or "
     "a shuffle reads from a lane that has ended."},
    {"misused-barrier", Severity::error, "Misused mbarrier or numbered barrier",
     "An mbarrier, a numbered barrier or a cluster's barrier is used against its rules, or threads "
     "wait at it forever; or asynchronous work that nothing waits for is left behind."},
    {"missing-fence", Severity::error, "Missing fence",
     "Asynchronous copies or products use data of ordinary stores, or registers, and the fence "
     "between the two is missing."},
    {"invalid-launch", Severity::error, "Launch that CUDA refuses",
     "A launch asks for more than a limit allows, and the kernel does not run; or a kernel passes "
     "an address to another that means nothing there."},
    {"unchecked-error", Severity::error, "Error that nobody looks at",
     "A call or a launch has failed, and the program has ignored it."},
    {"failed-kernel", Severity::error, "Kernel that did not finish",
     "A kernel was ended: by an assertion or a trap, by an invalid operand, or as its threads wait "
     "for each other forever."},
    {"unordered", Severity::error, "Missing wait",
     "Host threads or streams use the same memory, at least one of them writes it, and nothing "
     "orders the two."},
    {"freed-in-use", Severity::error, "Memory freed while in use",
     "Memory is freed while work that uses it may still run."},
    {"no-peer-access", Severity::error, "Peer memory without access",
     "A kernel uses memory of another device, to which its own has no peer access."},
    {"narrow-scope", Severity::error, "Atomic or fence for one device only",
     "Kernels on two devices hand something on by an atomic operation, or after a fence, that "
     "holds for one device."},
    {"collective", Severity::error, "Ranks that do not go together",
     "Ranks of an NCCL communicator call different operations, wait for each other forever, or "
     "lack a group."},
    {"unrecorded-event", Severity::warning, "Wait for an event that was never recorded",
     "Such a wait returns at once, and orders nothing."},
    {"pageable-copy", Severity::warning, "Asynchronous copy of pageable memory",
     "The copy goes through a buffer of the driver, and does not overlap with other streams' "
     "work."},
    {"leak", Severity::error, "Memory that is never freed",
     "Memory is still allocated when the program ends."},
    {"invalid-copy", Severity::note, "Copy that CUDA refuses",
     "A side of the copy is too short, or is not where its direction says."},
    {"double-free", Severity::error, "Memory freed twice",
     "Memory is freed that was freed before."},
    {"invalid-free", Severity::error, "Free of what was not allocated",
     "Memory is freed by a pointer that no allocation returned, or by the wrong function."},
};

}  // namespace

std::span<const FindingRule> finding_rules() {
  return rules;
}

}  // namespace emulator::reports
