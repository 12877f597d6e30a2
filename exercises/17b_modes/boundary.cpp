// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"
#include "checks/cutensor_handle.hpp"
#include "cutensor.hpp"

COURSE_BOUNDARY(void, launch_channels_last,
                (cutensorHandle_t handle, const float* in, float* out, float scale, int images,
                 int channels, int height, int width),
                course::boundary::handle(handle), in, out, scale, images, channels, height, width)
COURSE_BOUNDARY(void, launch_mix,
                (cutensorHandle_t handle, const float* weights, const float* in, float* out,
                 int images, int channels, int outputs, int pixels),
                course::boundary::handle(handle), weights, in, out, images, channels, outputs,
                pixels)
COURSE_BOUNDARY(void, launch_sums,
                (cutensorHandle_t handle, const float* in, float* out, int images, int channels,
                 int pixels),
                course::boundary::handle(handle), in, out, images, channels, pixels)

COURSE_FREES_ITS_MEMORY()
