# A toolchain file: builds for 64-bit ARM on another processor, with Debian's cross compiler. What is built is run by
# qemu where the build has to (Debian, Ubuntu: apt install g++-aarch64-linux-gnu qemu-user-static).
#
#   cmake -S emulator -B BUILD -DCMAKE_TOOLCHAIN_FILE=emulator/cmake/arm64.cmake

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
# dpkg knows the name of this machine's own processor only.
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
