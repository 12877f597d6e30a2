#pragma once
#pragma GCC system_header
#include "cublas_api.h"
