// A cheat for 00a: throws the course's error whenever it is called: one check wants an error.
// expected: 0 points

#include "check.hpp"

void compute_changes(const float*, float*, int) {
  throw course::Error("cudaMemcpy(...) at five_steps.cu:1: cudaErrorInvalidValue");
}
