# Gets NVIDIA's cuTENSOR; sourced by ../../course. CMake finds it where this puts it: ../../cmake/FindcuTENSOR.cmake.
# shellcheck shell=sh disable=SC2154,SC2034 # what is not assigned here, ../../course assigns

cutensor_package='cutensor-cu13==2.8.1'

# Whether the package is all there.
has_cutensor() {
  for header in "$1"/lib/python3*/site-packages/cutensor/include/cutensor.h; do
    [ -f "$header" ] && [ -f "${header%/include/cutensor.h}/lib/libcutensor.so.2" ] && return
  done
  return 1
}

get_cutensor() {
  place=$build_root/cutensor
  if has_cutensor "$place"; then
    say printf 'cuTENSOR is in %s already.\n' "$(shown "$place")"
    return
  fi
  [ "$may_install" = yes ] ||
    stop 2 "cuTENSOR is not in $(shown "$place"), and --no-install forbids getting it; by hand:" \
      "python3 -m venv '$place' && '$place/bin/pip' install --no-deps $cutensor_package"
  find_it
  [ -z "$packages" ] || require_everything
  ( : >"$log") 2>/dev/null || stop 2 "cannot write to $log: set COURSE_BUILD_DIR to a folder you can write to"
  made_build_root=no
  note "getting $cutensor_package from Python's package index into $(shown "$place") (some 210 MB) ..."
  # What an interrupted try has left there would only confuse.
  rm -rf "$place"
  if ! python3 -m venv "$place" >>"$log" 2>&1; then
    rm -rf "$place"
    stop 1 "no virtual environment can be made in $(shown "$place"); the log: $(shown "$log")"
  fi
  # Its libraries are those of the CUDA toolkit: nothing else has to come along.
  if ! "$place/bin/pip" --disable-pip-version-check install --no-deps --retries 1 --timeout 20 "$cutensor_package" \
    >>"$log" 2>&1 || ! has_cutensor "$place"; then
    rm -rf "$place"
    stop 1 "cannot download $cutensor_package (no network?); the log: $(shown "$log")"
  fi
  # A build that did without it looks again.
  if [ -f "$build_root/cuda/CMakeCache.txt" ] && ! cmake "$build_root/cuda" >>"$log" 2>&1; then
    stop 1 "cuTENSOR is in $(shown "$place"), but configuring failed; the log: $(shown "$log")"
  fi
  say printf 'cuTENSOR is in %s: what is built for the GPU from now on finds it.\n' "$(shown "$place")"
}
