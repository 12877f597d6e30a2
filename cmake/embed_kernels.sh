#!/bin/sh
# embed_kernels.sh CXX OPTION… -c FILE -o OBJECT: an object with the text of a file with OpenCL C, student_kernels, and
# a 0 after it. Nobody looks into the text here: a driver compiles it when the program runs. The options are those of
# other files, and not needed.
set -eu
compiler=$1
shift
file=
object=
while [ $# -gt 0 ]; do
  case $1 in
    -c) file=$2 && shift ;;
    -o) object=$2 && shift ;;
  esac
  shift
done
[ -r "$file" ] || {
  echo "$file: cannot be read" >&2
  exit 1
}
"$compiler" -x assembler -c - -o "$object" <<END
.section .rodata
.global student_kernels
student_kernels:
.incbin "$file"
.byte 0
.section .note.GNU-stack,"",%progbits
END
