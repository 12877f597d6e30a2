#include "engine/lane_findings.hpp"

#include <utility>

#include "engine/engine.hpp"

namespace emulator::engine {

void report_misaligned_pointer(const Lane& lane, std::uintptr_t pointer, unsigned alignment,
                               const std::string& type, std::uintptr_t pc) {
  const Worker& worker = *lane.worker;
  const RunningBlock& block = worker.block();
  block.details()->faults.misaligned_pointer(pointer, alignment, type, pc,
                                             worker.shared().holds(pointer), block.number_of(lane));
}

void report_wide_shift(const Lane& lane, const std::string& amount, unsigned bits,
                       std::uintptr_t pc) {
  const RunningBlock& block = lane.worker->block();
  block.details()->faults.wide_shift(amount, bits, pc, block.number_of(lane));
}

void report_finding(const Lane& lane, Finding finding, std::uintptr_t pc) {
  const RunningBlock& block = lane.worker->block();
  block.details()->faults.found(std::move(finding), pc, block.number_of(lane));
}

}  // namespace emulator::engine
