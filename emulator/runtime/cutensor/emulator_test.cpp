#include "cutensor/cutensor_test.hpp"
