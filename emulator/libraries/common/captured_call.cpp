#include "libraries/common/captured_call.hpp"

#include "graphs/capture.hpp"

namespace emulator::libraries {
namespace {

constinit thread_local CapturedCall* current = nullptr;

}  // namespace

CapturedCall* CapturedCall::here() {
  return current;
}

CapturedCall::Scope::Scope(CapturedCall& call) : before_(std::exchange(current, &call)) {}

CapturedCall::Scope::~Scope() {
  current = before_;
}

cudaError_t CapturedCall::capture(std::function<void()> repeat) const {
  const auto again = std::make_shared<CapturedCall>(*this);
  again->repeats_ = true;
  const auto run = [again, repeat = std::move(repeat)] {
    const Scope scope(*again);
    repeat();
  };
  return emulator::graphs::capture(
      stream_, cudaGraphNodeTypeKernel,
      CallTask{function_, std::make_shared<std::function<void()>>(run)});
}

}  // namespace emulator::libraries
