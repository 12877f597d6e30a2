#include "events/atomic_forms.hpp"

namespace emulator::events {

AtomicForm form_of(AtomicOperation operation, unsigned bytes, unsigned hints) {
  const auto is = [hints](unsigned bits) { return (hints & bits) == bits; };
  const bool is_word = bytes <= 4;
  switch (operation) {
    case AtomicOperation::add:
      if (is(atomic_hints::one_address) && (is_word || is(atomic_hints::literal))) {
        return AtomicForm::one_lane;
      }
      if (is_word && is(atomic_hints::adds_one | atomic_hints::unused)) {
        return AtomicForm::count_lanes;
      }
      return is_word ? AtomicForm::one_step : AtomicForm::loop;
    case AtomicOperation::select:
      if (is_word && is(atomic_hints::one_address | atomic_hints::unused)) {
        return AtomicForm::one_lane;
      }
      return is_word ? AtomicForm::one_step : AtomicForm::loop;
    case AtomicOperation::ring:
    case AtomicOperation::exchange:
      return AtomicForm::one_step;
    case AtomicOperation::compare:
      return AtomicForm::compare;
    case AtomicOperation::real:
      break;
  }
  return AtomicForm::loop;
}

}  // namespace emulator::events
