# Gets what is missing, or says what to install; sourced by ../../course after machine.sh.
# shellcheck shell=sh disable=SC2154,SC2034 # what is not assigned here, machine.sh or ../../course assigns

# Adds a line to what is missing: what it is, Debian's package for it.
lack() {
  lacking="${lacking:+$lacking$newline}$(printf '    %-22s %s' "$1" "$2")"
  packages="${packages:+$packages }$2"
}

# Those of the packages that are not there, and are tools.
lack_tools() {
  while read -r package name; do
    case " $* " in
      *" $package "*) has_tool "$package" || lack "$name" "$package" ;;
    esac
  done <<END
$tools
END
}

# What single commands cannot do without, besides the build: grade a sandbox, unless --trust is said, and what its
# witness is made of, unless --without-witness is; docs what makes the site.
find_what_the_command_lacks() {
  case $command in
    grade)
      [ "$trusts" = yes ] || lack_tools bubblewrap
      [ "$does_without_witness" = yes ] || lack_tools valgrind
      ;;
    docs) lack_tools python3 doxygen doxygen-awesome-css ;;
    cutensor)
      lack_tools python3
      has_tool python3-venv || lack "Python's venv" python3-venv
      ;;
  esac
}

# What is missing for the command: the site and cuTENSOR need nothing that the build needs.
find_it() {
  if [ "$command" = docs ] || [ "$command" = cutensor ]; then
    lacking=
    packages=
    find_what_the_command_lacks
  else
    find_what_is_missing
  fi
}

# Looks at everything that the build needs, and the command. Sets `packages` (Debian's names of what is missing) and `lacking` (the
# same as lines to show). What is there but broken no installation mends: that stops here.
find_what_is_missing() {
  lacking=
  packages=
  find_gxx
  find_cmake
  find_make_tool
  case $gxx_state in
    broken)
      stop 2 "$gxx_path is there but does not work ($gxx_note): repair or reinstall it," \
        "or set CXX to a g++ $gxx_wanted or newer"
      ;;
    old)
      [ -z "${CXX:-}" ] || stop 2 "CXX names g++ $gxx_version, too old: the course needs g++ $gxx_wanted or newer"
      lack "g++ $gxx_wanted or newer" g++
      ;;
    missing) lack "g++ $gxx_wanted or newer" g++ ;;
  esac
  case $cmake_state in
    broken) stop 2 "$cmake_path is there but does not work ($cmake_note): repair or reinstall CMake" ;;
    old | missing) lack "CMake $cmake_wanted or newer" cmake ;;
  esac
  case $make_state in
    broken) stop 2 "$make_path is there but does not work ($make_note): repair or reinstall $make_tool" ;;
    missing) lack "ninja (or make)" ninja-build ;;
  esac
  # Without a compiler there is no telling what it would find: what is there already, apt-get passes over.
  while read -r name header package; do
    is_needed "$name" || continue
    library_state=missing
    [ "$gxx_state" != ok ] || find_library "$name" "$header" </dev/null
    case $library_state in
      broken) stop 2 "$name is there but does not work ($library_note): repair or reinstall it ($package)" ;;
      missing) lack "$name" "$package" ;;
    esac
  done <<END
$libraries
END
  find_what_the_command_lacks
}

# Prints what is missing and how to get it, in one block, and stops. $1 says why we do not install it ourselves.
list_and_stop() {
  {
    printf 'course: this machine lacks something, and %s. Missing, with the name of the Debian package:\n' "$1"
    printf '%s\n' "$lacking"
    if command -v apt-get >/dev/null 2>&1; then
      printf 'Install it, then run the same command again:\n    %sapt-get install %s\n' "$become_root" "$packages"
    else
      printf 'Install it with the package manager of this system, then run the same command again.\n'
    fi
  } >&2
  exit 2
}

# The version of package $1 that apt-get would install; empty if it knows none.
candidate_version() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9]*:\)\{0,1\}\([0-9].*\)/\2/p' | sed 1q
}

apt() {
  # shellcheck disable=SC2086 # $rights is empty or 'sudo -n'
  $rights env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o Acquire::Retries=1 \
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@" >>"$log" 2>&1 </dev/null
}

# False if apt-get has no version of some package in $packages.
know_all_packages() {
  for package in $packages; do
    [ -n "$(candidate_version "$package")" ] || return 1
  done
}

# Sets `why_not`, if nothing can be installed here; else `rights`, what is before apt-get.
find_rights() {
  why_not=
  rights=
  become_root=
  [ "$(id -u)" -eq 0 ] || become_root='sudo '
  if [ "$may_install" = no ]; then
    why_not="--no-install was given"
  elif ! command -v apt-get >/dev/null 2>&1 || ! command -v apt-cache >/dev/null 2>&1; then
    why_not="it installs only with apt-get, which this system does not have"
  elif [ -n "$become_root" ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
      rights='sudo -n'
    else
      why_not="installing it takes root, or sudo without a password"
    fi
  fi
}

# First everything is fetched, then everything is installed: without a network nothing is half done.
fetch_packages() {
  # shellcheck disable=SC2086 # one word a package
  apt install -y --no-install-recommends --download-only $packages
}
install_packages() {
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends --no-download $packages
}

# Gets what some of the tests need, if it can. They can do without: then they are left out, and say why at the end.
# Sets `tools_came` if there is something new.
get_tools_of_tests() {
  lacking=
  packages=
  lack_tools $(printf '%s\n' "$tools" | sed 's/ .*//')
  [ -n "$packages" ] || return 0
  find_rights
  [ -z "$why_not" ] || return 0
  note "installing with apt-get, for the tests: $packages"
  if ! know_all_packages || ! fetch_packages; then
    apt update && fetch_packages
  fi && install_packages && tools_came=yes ||
    note "that did not work: the tests that need it are left out (log: $(shown "$log"))"
}

# Sees to it that everything the build needs is there: looks, installs what is missing, looks again. Returns only
# if all is well.
require_everything() {
  find_it
  [ -n "$packages" ] || return 0

  find_rights
  [ -z "$why_not" ] || list_and_stop "$why_not"

  ( : >"$log") 2>/dev/null || stop 2 "cannot write to $log: set COURSE_BUILD_DIR to a folder you can write to"
  updated=no
  if ! know_all_packages; then
    note "asking the package servers what there is (apt-get update)"
    apt update
    updated=yes
  fi
  # An old release has these, but too old: say so before anything is installed.
  for package in $packages; do
    version=$(candidate_version "$package")
    [ -n "$version" ] ||
      stop 1 "apt-get knows no package $package (no network?): nothing was installed; connect and try again," \
        "or install by hand: $packages (log: $(shown "$log"))"
    if [ "$package" = cmake ] && ! version_at_least "${version%%-*}" "$cmake_wanted"; then
      stop 2 "this system's newest CMake is $version, and $cmake_wanted is needed: install one from cmake.org or" \
        "with pip (pip install cmake), then run the same command again; nothing was installed"
    fi
  done
  case " $packages " in
    *' g++ '*)
      if ! version_at_least "$(candidate_version g++)" "$gxx_wanted"; then
        newer=
        for package in g++-14 g++-13 g++-12 g++-11; do
          [ -n "$newer" ] || [ -z "$(candidate_version $package)" ] || newer=$package
        done
        [ -n "$newer" ] || stop 2 "this system's newest g++ is $(candidate_version g++), and $gxx_wanted is needed:" \
          "install a newer g++, set CXX to it, and run the same command again; nothing was installed"
        packages=$(printf ' %s ' "$packages" | sed "s/ g++ / $newer /; s/^ //; s/ \$//")
      fi
      ;;
  esac

  note "installing with apt-get: $packages"
  if ! fetch_packages && { [ "$updated" = yes ] || ! apt update || ! fetch_packages; }; then
    stop 1 "apt-get could not fetch the packages (no network?): nothing was installed; connect and try again," \
      "or install by hand: ${become_root}apt-get install $packages (log: $(shown "$log"))"
  fi
  install_packages ||
    stop 1 "apt-get stopped while installing: mend that by hand, ${become_root}apt-get install $packages (log: $(shown "$log"))"
  find_it
  installed=yes
  [ -z "$packages" ] || stop 1 "apt-get installed everything, yet this is not found: $packages (log: $(shown "$log"))"
}
