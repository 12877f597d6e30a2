# `./course doctor`: what this machine has and lacks, and what each absence costs; sourced by ../../course after
# machine.sh. It is a shell script, not part of the program, since it must answer where nothing can be built.
# shellcheck shell=sh disable=SC2154 # what is not assigned here, machine.sh or ../../course assigns

# One finding: state, what it is, where it is or why not; then, if it is not ok, what that costs, on its own line.
finding() {
  printf '  %-8s %-24s %s\n' "$1" "$2" "$3"
  [ "$1" = ok ] || [ -z "$4" ] || printf '  %-8s %-24s   -> %s\n' '' '' "$4"
}

# A finding that the course cannot do without.
needed() {
  [ "$1" = ok ] || lacks_something=yes
  finding "$@"
}

# The value of $1 among the lines `name=value` of $report.
reported() { printf '%s\n' "$report" | sed -n "s/^$1=//p"; }

# Where CMake finds cuTENSOR's header (../../cmake/FindcuTENSOR.cmake); nothing if it is nowhere.
find_cutensor() {
  for header in "${CUTENSOR_ROOT:-/nowhere}/include/cutensor.h" \
    "$build_root"/cutensor/lib/python3*/site-packages/cutensor/include/cutensor.h \
    "${VIRTUAL_ENV:-/nowhere}"/lib/python3*/site-packages/cutensor/include/cutensor.h \
    "$(dirname "$(dirname "$(reported nvcc_path)")")/include/cutensor.h" \
    /usr/include/libcutensor/13/cutensor.h /usr/include/cutensor.h; do
    [ ! -f "$header" ] || { printf '%s\n' "$header" && return; }
  done
}

doctor() {
  lacks_something=no
  printf 'What this machine has for the course. missing: not there; old: too old; broken: there, but does not work.\n'

  printf '\nTo build anything\n'
  find_gxx
  needed "$gxx_state" "g++ $gxx_version" "$gxx_path${gxx_note:+ ($gxx_note)}" \
    "nothing can be built; needs g++ $gxx_wanted or newer (Debian: g++)"
  find_cmake
  needed "$cmake_state" "CMake $cmake_version" "$cmake_path${cmake_note:+ ($cmake_note)}" \
    "nothing can be built; needs CMake $cmake_wanted or newer (Debian: cmake)"
  find_make_tool
  needed "$make_state" "$make_tool $make_version" "$make_path${make_note:+ ($make_note)}" \
    "nothing can be built; needs ninja or make (Debian: ninja-build)"

  report=
  if [ "$cmake_state" = ok ]; then
    # The script that chooses the backend looks: one place that knows where nvcc may be.
    report=$(cmake "-DCOURSE_BACKEND=$asked_backend" -DCOURSE_BACKEND_REPORT=ON \
      -P "$source_dir/cmake/backend.cmake" 2>/dev/null)
  fi
  backend=$(printf '%s\n' "$report" | sed 1q)

  printf '\nLibraries\n'
  while read -r name header package; do
    case $name in
      doctest) cost="the tests cannot be built" ;;
      CLI11 | nlohmann-json) cost="the course program (tour, test, run, list) cannot be built" ;;
      OpenBLAS) cost="the emulator's cuBLAS cannot be built: chapter 07 does not run without a GPU" ;;
      *) cost="the emulator cannot be built: no kernel runs without a GPU" ;;
    esac
    if [ "$gxx_state" = ok ]; then
      find_library "$name" "$header" </dev/null
      if is_needed "$name"; then judge=needed; else judge=finding; fi
      $judge "$library_state" "$name" "${library_note:-<$header>}" "$cost (Debian: $package)"
    else
      finding unknown "$name" "cannot be looked for without g++" ""
    fi
  done <<END
$libraries
END

  printf "\nFor programs of your own that call CUDA's libraries on the emulator\n"
  while read -r name file package; do
    case $name in
      Boost.Random) cost="cuRAND refuses quasirandom generators" ;;
      *) cost="programs with cuFFT do not link" ;;
    esac
    if [ "$gxx_state" = ok ]; then
      find_library "$name" "$file" </dev/null
      finding "$library_state" "$name" "${library_note:-$file}" "$cost (Debian: $package)"
    else
      finding unknown "$name" "cannot be looked for without g++" ""
    fi
  done <<END
$libraries_of_programs
END

  printf '\nFor a GPU\n'
  if [ "$cmake_state" = ok ]; then
    nvcc_note=$(reported nvcc_note)
    finding "$(reported nvcc_state)" "nvcc $(reported nvcc_version)" "${nvcc_note:-$(reported nvcc_path)}" \
      "kernels run on the emulator: memory traffic, but no GPU's times (install NVIDIA's CUDA toolkit)"
    if [ "$(reported nvcc_state)" = ok ]; then
      cutensor_header=$(find_cutensor)
      if [ -n "$cutensor_header" ]; then
        finding ok cuTENSOR "$(shown "$cutensor_header")" ""
      else
        finding missing cuTENSOR "./course cutensor gets it" "chapter 17 does without it: it runs on the emulator"
      fi
    fi
    driver_state=$(reported driver_state)
    driver_note=$(reported driver_note)
    if [ "$driver_state" = ok ] || [ "$driver_state" = no-gpu ]; then
      finding ok "driver, CUDA $(reported driver_cuda)" "$(reported driver_path)" ""
    else
      finding "$driver_state" "NVIDIA driver" "$driver_note" "no GPU can be used (install NVIDIA's driver)"
      driver_note="none can be seen without a driver"
    fi
    if [ "$driver_state" = ok ]; then
      "$(reported driver_path)" --query-gpu=name,compute_cap,memory.total,driver_version --format=csv,noheader \
        2>/dev/null | while IFS=, read -r gpu capability memory driver; do
        finding ok GPU "$gpu, compute capability${capability},${memory}, driver${driver}" ""
      done
    else
      finding missing GPU "${driver_note}" "kernels run on the emulator: memory traffic, but no GPU's times"
    fi
  else
    printf '  unknown  nvcc, driver, GPU        are looked for with CMake, which is not usable\n'
  fi

  printf '\nFor the site and its pictures\n'
  if ! command -v doxygen >/dev/null 2>&1; then
    finding missing Doxygen "doxygen is not in PATH" \
      "the site cannot be built; chapters and tests do not need it (Debian: doxygen, doxygen-awesome-css)"
  elif version=$(doxygen --version 2>/dev/null) && [ -n "$version" ]; then
    finding ok "Doxygen ${version%% *}" "$(command -v doxygen)" ""
  else
    finding broken Doxygen "$(command -v doxygen) (it does not run: $(first_line doxygen --version))" \
      "the site cannot be built; chapters and tests do not need it"
  fi

  if ! command -v python3 >/dev/null 2>&1; then
    finding missing "Python 3" "python3 is not in PATH" \
      "./course picture cannot draw, and the pages are not checked (Debian: python3)"
  elif version=$(python3 --version 2>/dev/null) && [ -n "$version" ]; then
    finding ok "$version" "$(command -v python3)" ""
  else
    finding broken "Python 3" "$(command -v python3) (it does not run: $(first_line python3 --version))" \
      "./course picture cannot draw, and the pages are not checked"
  fi

  printf '\nFor grading\n'
  if ! command -v bwrap >/dev/null 2>&1; then
    finding missing bubblewrap "bwrap is not in PATH" \
      "submissions cannot be confined; ./course grade installs it, or wants --trust (Debian: bubblewrap)"
  elif bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    finding ok "$(first_line bwrap --version)" "$(command -v bwrap)" ""
  else
    finding broken bubblewrap "$(command -v bwrap) ($(first_line bwrap --unshare-all --ro-bind / / true))" \
      "submissions cannot be confined: allow user namespaces, or use ./course grade --trust"
  fi

  if command -v valgrind >/dev/null 2>&1; then
    finding ok "$(first_line valgrind --version)" "$(command -v valgrind)" ""
  else
    finding missing Valgrind "valgrind is not in PATH" \
      "marks have no witness; ./course grade installs it, or wants --without-witness (Debian: valgrind)"
  fi

  printf '\nFor some of the tests, which are left out without\n'
  while read -r package name; do
    case $package in
      patch | gdb | python3-yaml | clang) ;;
      *) continue ;; # see above
    esac
    if has_tool "$package"; then
      finding ok "$name" "" ""
    else
      finding missing "$name" "" "./course test installs it, where it can (Debian: $package)"
    fi
  done <<END
$tools
END

  printf '\nHere\n'
  printf '  builds go to %s' "$build_root"
  parent=$build_root
  while [ ! -e "$parent" ]; do parent=$(dirname "$parent"); done
  if [ -d "$parent" ] && [ -w "$parent" ]; then
    printf '\n'
  else
    lacks_something=yes
    printf ', which cannot be written to: set COURSE_BUILD_DIR to a folder you can write to\n'
  fi
  if [ "$cmake_state" = ok ]; then
    chosen=$(printf '%s\n' "$report" | sed 1q)
    why=$(printf '%s\n' "$report" | sed -n 2p)
    if [ "$chosen" = error ]; then
      lacks_something=yes
      printf '  backend: %s\n' "$why"
    else
      printf '  backend: %s (%s)\n' "$chosen" "$why"
    fi
  fi
  if [ "$lacks_something" = yes ]; then
    printf '\nSomething that the course needs is not in order: see above. ./course tour installs what it can.\n'
    return 1
  fi
  printf '\nEverything that the course needs is there. Start with ./course tour.\n'
}
