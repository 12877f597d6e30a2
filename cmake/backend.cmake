# Chooses what the course runs on: `cuda` (nvcc and a GPU) or `emulator` (g++ alone).
#
# Included, it offers
#
#     course_choose_backend(<backend variable> <reason variable>)
#
# which reads COURSE_BACKEND (auto, emulator or cuda; empty means auto) and sets, in the caller's scope, the
# backend, one line that says why, and COURSE_NVCC, the compiler to use (empty on the emulator). Whatever was
# asked for and cannot be had is a FATAL_ERROR of one line. A build folder keeps the backend it started with.
#
# Run by itself, it prints the backend and the reason, on two lines:
#
#     cmake [-DCOURSE_BACKEND=...] -P cmake/backend.cmake
#
# An error prints `error` and what to do instead, and the exit status is not 0. -DCOURSE_BACKEND_REPORT=ON adds
# a line for each finding (`nvcc=ok`, `nvcc_version=13.0`, ...), for `./course doctor`.
#
# COURSE_CUDA_COMPILE_ONLY=ON asks for nvcc only: for a machine that compiles what another one runs.

cmake_minimum_required(VERSION 3.25)

# Looks for nvcc where CMake itself would, then where NVIDIA's installer puts it. Sets in the caller's scope
# nvcc_state (ok, missing or broken), nvcc_path, nvcc_version (like 13.0) and nvcc_note (why it is not ok).
function(course_find_nvcc)
  # A test of this file points COURSE_CUDA_DIR at an empty folder.
  if(NOT DEFINED COURSE_CUDA_DIR)
    set(COURSE_CUDA_DIR /usr/local/cuda)
  endif()
  set(path path-NOTFOUND) # find_program() would take an empty value for an answer
  set(version "")
  set(note "")
  if(NOT "$ENV{CUDACXX}" STREQUAL "")
    # A set CUDACXX means that compiler: another one in its place would only confuse.
    set(named "$ENV{CUDACXX}")
    if(IS_ABSOLUTE "${named}" AND EXISTS "${named}" AND NOT IS_DIRECTORY "${named}")
      set(path "${named}")
    elseif(NOT IS_ABSOLUTE "${named}")
      find_program(path NAMES "${named}" PATHS ENV PATH NO_DEFAULT_PATH NO_CACHE)
    endif()
    if(NOT path)
      set(note "CUDACXX names '${named}', which is not there")
    endif()
  else()
    find_program(
      path
      NAMES nvcc
      PATHS ENV PATH
      NO_DEFAULT_PATH NO_CACHE)
    foreach(folder IN ITEMS "$ENV{CUDA_PATH}" "$ENV{CUDA_HOME}" "${COURSE_CUDA_DIR}")
      if(NOT path AND NOT folder STREQUAL "")
        find_program(path NAMES nvcc PATHS "${folder}/bin" NO_DEFAULT_PATH NO_CACHE)
      endif()
    endforeach()
    if(NOT path)
      set(note "nvcc was not found (in PATH, in CUDA_PATH, or in ${COURSE_CUDA_DIR}/bin)")
    endif()
  endif()

  if(NOT path)
    set(state missing)
    set(path "")
  else()
    execute_process(
      COMMAND "${path}" --version
      RESULT_VARIABLE status
      OUTPUT_VARIABLE output
      ERROR_VARIABLE errors
      TIMEOUT 30)
    if(status STREQUAL "0" AND output MATCHES "release ([0-9]+\\.[0-9]+)")
      set(state ok)
      set(version "${CMAKE_MATCH_1}")
    else()
      set(state broken)
      set(note "${path} is there but does not run")
    endif()
  endif()
  set(nvcc_state "${state}" PARENT_SCOPE)
  set(nvcc_path "${path}" PARENT_SCOPE)
  set(nvcc_version "${version}" PARENT_SCOPE)
  set(nvcc_note "${note}" PARENT_SCOPE)
endfunction()

# Asks nvidia-smi for GPUs and for the newest CUDA its driver runs. Sets in the caller's scope driver_state (ok,
# missing, broken, or no-gpu where the driver answers but offers none), driver_path (of nvidia-smi), driver_cuda
# (like 13.0; empty if it does not say), gpu_count, and driver_note (why it is not ok).
function(course_find_driver)
  set(state ok)
  set(cuda "")
  set(count 0)
  set(note "")
  set(path path-NOTFOUND)
  find_program(
    path
    NAMES nvidia-smi
    PATHS ENV PATH
    PATHS /usr/lib/wsl/lib
    NO_DEFAULT_PATH NO_CACHE)
  if(NOT path)
    set(path "")
    set(state missing)
    set(note "no NVIDIA driver was found (no nvidia-smi)")
  else()
    # A driver in trouble can make nvidia-smi hang, hence the time limits.
    execute_process(
      COMMAND "${path}" -L
      RESULT_VARIABLE status
      OUTPUT_VARIABLE output
      ERROR_VARIABLE errors
      TIMEOUT 60)
    string(REGEX MATCHALL "(^|\n)GPU [0-9]+:" gpus "${output}")
    list(LENGTH gpus count)
    if(NOT status STREQUAL "0" AND NOT "${output}${errors}" MATCHES "No devices")
      set(state broken)
      string(STRIP "${output}${errors}" said)
      string(REGEX REPLACE "\n.*" "" said "${said}")
      if(said STREQUAL "")
        set(said "${status}")
      endif()
      set(note "${path} fails (${said})")
    elseif(count EQUAL 0)
      set(state no-gpu)
      set(note "the NVIDIA driver sees no GPU")
    else()
      execute_process(
        COMMAND "${path}"
        OUTPUT_VARIABLE output
        ERROR_VARIABLE errors
        TIMEOUT 60)
      # 'CUDA Version: 13.0'; drivers since 610 write 'CUDA UMD Version: 13.3'.
      if(output MATCHES "CUDA( [A-Za-z]+)? Version: *([0-9]+\\.[0-9]+)")
        set(cuda "${CMAKE_MATCH_2}")
      elseif(output MATCHES "CUDA( [A-Za-z]+)? Version: *N/A")
        set(state broken)
        set(note "the NVIDIA driver is installed without CUDA (nvidia-smi says 'CUDA Version: N/A')")
      endif()
      if(DEFINED ENV{CUDA_VISIBLE_DEVICES} AND "$ENV{CUDA_VISIBLE_DEVICES}" MATCHES "^(-1)?$")
        set(state no-gpu)
        set(note "CUDA_VISIBLE_DEVICES hides every GPU")
      endif()
    endif()
  endif()
  set(driver_state "${state}" PARENT_SCOPE)
  set(driver_path "${path}" PARENT_SCOPE)
  set(driver_cuda "${cuda}" PARENT_SCOPE)
  set(driver_note "${note}" PARENT_SCOPE)
  set(gpu_count "${count}" PARENT_SCOPE)
endfunction()

# The architectures of this machine's GPUs, "90" for instance, as nvcc names them: sets `variable`, in the caller's
# scope, to nothing if the driver does not say, or nvcc does not know one of them.
function(course_gpus_here variable nvcc)
  set(${variable} "" PARENT_SCOPE)
  course_find_driver()
  execute_process(
    COMMAND "${driver_path}" --query-gpu=compute_cap --format=csv,noheader
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_QUIET
    TIMEOUT 60)
  execute_process(COMMAND "${nvcc}" --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET TIMEOUT 30)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${output}")
  if(NOT status STREQUAL "0" OR NOT capabilities)
    return()
  endif()
  list(REMOVE_DUPLICATES capabilities)
  string(REPLACE "." "" architectures "${capabilities}")
  foreach(architecture IN LISTS architectures)
    if(NOT known MATCHES "sm_${architecture}(\n|$)")
      return()
    endif()
  endforeach()
  set(${variable} "${architectures}" PARENT_SCOPE)
endfunction()

# The choice itself, without a side effect. Sets in the caller's scope `backend` and `reason`, or `problem` (one
# line that says what to do) when what was asked for cannot be had; and what was found, as above. With `look_all`
# true the driver is looked for even where nvcc alone decides.
function(course_probe_backend asked look_all)
  set(backend "")
  set(reason "")
  set(problem "")
  set(nvcc_state unknown)
  set(driver_state unknown)
  set(gpu_count 0)
  if(NOT asked MATCHES "^(auto|emulator|cuda)$")
    set(problem "there is no backend '${asked}': choose auto, emulator or cuda")
  endif()

  if(look_all OR (NOT problem AND NOT asked STREQUAL "emulator"))
    course_find_nvcc()
  endif()
  if(look_all OR (nvcc_state STREQUAL "ok" AND NOT COURSE_CUDA_COMPILE_ONLY))
    course_find_driver()
  endif()

  # What is between this machine and `cuda`: `obstacle` says it, `remedy` says what to do about it.
  set(obstacle "")
  set(remedy "")
  if(nvcc_state STREQUAL "missing")
    set(obstacle "${nvcc_note}")
    set(remedy "install the CUDA toolkit, or set CUDACXX to the nvcc to use")
  elseif(nvcc_state STREQUAL "broken")
    set(obstacle "${nvcc_note}")
    set(remedy "reinstall the CUDA toolkit, or set CUDACXX to an nvcc that works")
  elseif(COURSE_CUDA_COMPILE_ONLY)
    # No driver is needed.
  elseif(driver_state STREQUAL "missing")
    set(obstacle "nvcc ${nvcc_version} has no NVIDIA driver (no nvidia-smi)")
    set(remedy "install the driver (to compile only: -DCOURSE_CUDA_COMPILE_ONLY=ON)")
  elseif(driver_state STREQUAL "broken")
    set(obstacle "${driver_note}")
    set(remedy "repair or reinstall the driver; a reboot helps when it was just updated")
  elseif(driver_state STREQUAL "no-gpu")
    set(obstacle "${driver_note}")
    set(remedy "make a GPU visible")
  elseif(driver_state STREQUAL "ok" AND NOT driver_cuda STREQUAL "")
    # Within one major version a driver runs what a newer toolkit compiled; across it, it does not.
    string(REGEX REPLACE "\\..*" "" driver_major "${driver_cuda}")
    string(REGEX REPLACE "\\..*" "" nvcc_major "${nvcc_version}")
    if(driver_major LESS nvcc_major)
      set(obstacle "the NVIDIA driver runs CUDA ${driver_cuda}, older than the toolkit's ${nvcc_version}")
      set(remedy "update the driver, or install a CUDA ${driver_major} toolkit")
    endif()
  endif()

  if(problem)
    # The question was wrong; nothing to add.
  elseif(asked STREQUAL "emulator")
    set(backend emulator)
    set(reason "it was asked for")
  elseif(obstacle STREQUAL "")
    set(backend cuda)
    if(COURSE_CUDA_COMPILE_ONLY)
      set(reason "nvcc ${nvcc_version} is here, to compile only")
    else()
      set(reason "nvcc ${nvcc_version} and a GPU are here")
    endif()
  elseif(asked STREQUAL "auto")
    set(backend emulator)
    set(reason "${obstacle}")
  else()
    set(problem "the cuda backend was asked for, but ${obstacle}: ${remedy}, or take the emulator")
  endif()
  foreach(name IN ITEMS backend reason problem nvcc_state nvcc_path nvcc_version nvcc_note driver_state driver_path
                        driver_cuda driver_note gpu_count)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

# See the top of this file.
function(course_choose_backend backend_variable reason_variable)
  set(asked "${COURSE_BACKEND}")
  if(asked STREQUAL "")
    set(asked auto)
  endif()
  set(kept "${COURSE_BACKEND_IN_USE}")
  if(asked STREQUAL "auto" AND kept STREQUAL "emulator")
    # No need to look again; and a GPU that appeared meanwhile must not turn this folder's build over.
    set(backend emulator)
    set(reason "this build folder was configured for it")
    set(nvcc_path "")
  elseif(asked STREQUAL "auto" AND kept STREQUAL "cuda")
    course_find_nvcc()
    if(NOT nvcc_state STREQUAL "ok")
      message(FATAL_ERROR " this build folder was configured for cuda, but now ${nvcc_note}: remove "
                          "${CMAKE_BINARY_DIR} and configure again")
    endif()
    set(backend cuda)
    set(reason "this build folder was configured for it")
  else()
    course_probe_backend("${asked}" FALSE)
  endif()
  # A message that begins with a space is printed as it is; others CMake breaks into short lines.
  if(problem)
    message(FATAL_ERROR " ${problem}")
  endif()
  if(kept AND NOT backend STREQUAL kept)
    message(FATAL_ERROR " ${CMAKE_BINARY_DIR} holds a build for the ${kept} backend: configure ${backend} in "
                        "another folder (cmake --preset ${backend}), or remove this one first")
  endif()
  set(COURSE_BACKEND_IN_USE "${backend}" CACHE INTERNAL "the backend this build folder is for")
  if(backend STREQUAL "emulator")
    set(nvcc_path "")
  endif()
  set(COURSE_NVCC "${nvcc_path}" PARENT_SCOPE)
  set(${backend_variable} "${backend}" PARENT_SCOPE)
  set(${reason_variable} "${reason}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if("${COURSE_BACKEND}" STREQUAL "")
    set(COURSE_BACKEND auto)
  endif()
  course_probe_backend("${COURSE_BACKEND}" "${COURSE_BACKEND_REPORT}")
  if(problem)
    set(answer "error\n${problem}")
  else()
    set(answer "${backend}\n${reason}")
  endif()
  if(COURSE_BACKEND_REPORT)
    foreach(name IN ITEMS nvcc_state nvcc_path nvcc_version nvcc_note driver_state driver_path driver_cuda driver_note
                          gpu_count)
      string(APPEND answer "\n${name}=${${name}}")
    endforeach()
  endif()
  # message() would write to stderr or put dashes before it.
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${answer}")
  if(problem)
    message(FATAL_ERROR " ${problem}")
  endif()
endif()
