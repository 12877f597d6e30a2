#!/usr/bin/env bash
# Prepares the image in which Gradescope grades: installs what the course needs, and builds what grades. Gradescope runs
# this once, as root, when the autograder is uploaded. `./course grade --gradescope` puts it into the zip.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export DEBIAN_FRONTEND=noninteractive

apt-get update
apt-get install --yes --no-install-recommends bubblewrap ca-certificates cmake python3 python3-venv

# Ubuntu 22.04 has a CMake that is too old.
wanted=$(sed -n 's/^cmake_minimum_required(VERSION \([0-9.]*\).*/\1/p' "$here/course/CMakeLists.txt")
found=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
if [ "$(printf '%s\n' "$wanted" "$found" | sort --version-sort | head -n 1)" != "$wanted" ]; then
  python3 -m venv /opt/cmake
  /opt/cmake/bin/pip install --quiet "cmake>=$wanted"
  ln -sf /opt/cmake/bin/cmake /opt/cmake/bin/ctest /usr/local/bin/
fi

# Grading the stubs builds all that later grades submissions.
"$here/grade.sh"
