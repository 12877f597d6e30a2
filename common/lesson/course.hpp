/// @file
/// Everything a chapter needs besides CUDA: data, timing, verification and the report.
#pragma once

#include "ceiling.hpp"
#include "check.hpp"
#include "cpu.hpp"
#include "data.hpp"
#include "device.hpp"
#include "gemm.hpp"
#include "options.hpp"
#include "report.hpp"
#include "sgemv.hpp"
#include "timing.hpp"
#include "traffic.hpp"
#include "verify.hpp"
