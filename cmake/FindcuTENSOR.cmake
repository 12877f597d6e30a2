# NVIDIA's cuTENSOR 2, which is not part of the CUDA toolkit. find_package(cuTENSOR) looks, in this order,
#
#   where CUTENSOR_ROOT says, a variable of CMake's or of the environment,
#   in the virtual environment that `./course cutensor` makes: the folder cutensor beside the build folders,
#   in a virtual environment that is active, and
#   where systems and NVIDIA's installers put it,
#
# and defines cuTENSOR_FOUND, cuTENSOR_VERSION, and the target cuTENSOR::cuTENSOR.

file(
  GLOB in_environments
  LIST_DIRECTORIES ON
  "${CMAKE_BINARY_DIR}/../cutensor/lib/python3*/site-packages/cutensor"
  "$ENV{VIRTUAL_ENV}/lib/python3*/site-packages/cutensor")
find_path(
  cuTENSOR_INCLUDE_DIR cutensor.h
  HINTS ${CUTENSOR_ROOT} $ENV{CUTENSOR_ROOT} ${in_environments}
  PATHS ${CUDAToolkit_TARGET_DIR} ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda /usr/include/libcutensor/13
  PATH_SUFFIXES include)
# A package for Python brings no libcutensor.so without a number.
cmake_path(GET cuTENSOR_INCLUDE_DIR PARENT_PATH cutensor_root)
find_library(
  cuTENSOR_LIBRARY
  NAMES libcutensor.so.2 cutensor
  HINTS ${cutensor_root} ${CUTENSOR_ROOT} $ENV{CUTENSOR_ROOT}
  PATHS ${CUDAToolkit_LIBRARY_DIR} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libcutensor/13
  PATH_SUFFIXES lib lib64 lib/13)
mark_as_advanced(cuTENSOR_INCLUDE_DIR cuTENSOR_LIBRARY)

if(EXISTS "${cuTENSOR_INCLUDE_DIR}/cutensor.h")
  file(STRINGS ${cuTENSOR_INCLUDE_DIR}/cutensor.h lines REGEX "^#define CUTENSOR_(MAJOR|MINOR|PATCH) ")
  list(TRANSFORM lines REPLACE "^#define CUTENSOR_[A-Z]+ +([0-9]+).*" "\\1")
  list(JOIN lines "." cuTENSOR_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  cuTENSOR
  REQUIRED_VARS cuTENSOR_LIBRARY cuTENSOR_INCLUDE_DIR
  VERSION_VAR cuTENSOR_VERSION)

if(cuTENSOR_FOUND AND NOT TARGET cuTENSOR::cuTENSOR)
  add_library(cuTENSOR::cuTENSOR UNKNOWN IMPORTED)
  set_target_properties(cuTENSOR::cuTENSOR PROPERTIES IMPORTED_LOCATION ${cuTENSOR_LIBRARY}
                                                      INTERFACE_INCLUDE_DIRECTORIES ${cuTENSOR_INCLUDE_DIR})
  # It calls cuBLASLt, which the toolkit has.
  if(TARGET CUDA::cublasLt)
    set_target_properties(cuTENSOR::cuTENSOR PROPERTIES INTERFACE_LINK_LIBRARIES CUDA::cublasLt)
  endif()
endif()
