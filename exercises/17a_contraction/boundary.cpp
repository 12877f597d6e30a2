// Where a submission is cut off from its checks when it is graded.

#include <cstring>

#include "checks/boundary.hpp"
#include "checks/cutensor_handle.hpp"

#include "cutensor.hpp"

// Modes are text, with the 0 at its end; there is an extent for each letter.
COURSE_BOUNDARY(void, launch_contraction,
                (cutensorHandle_t handle, const char* modes_a, const char* modes_b,
                 const char* modes_c, const int64_t* extents, float alpha, const float* A,
                 const float* B, float beta, float* C),
                course::boundary::handle(handle),
                course::boundary::host_in(modes_a, static_cast<int>(std::strlen(modes_a)) + 1),
                course::boundary::host_in(modes_b, static_cast<int>(std::strlen(modes_b)) + 1),
                course::boundary::host_in(modes_c, static_cast<int>(std::strlen(modes_c)) + 1),
                course::boundary::host_in(extents, 26), alpha, A, B, beta, C)

COURSE_FREES_ITS_MEMORY()
