# Writes the commit of the sources: cmake -D SOURCE=FOLDER -D OUTPUT=FILE -P commit.cmake
#
# git says it, where it knows this folder. In a tarball that git made, it is in commit.txt; elsewhere nobody knows,
# and the file is empty.
set(commit "")
execute_process(
  COMMAND git ls-files --error-unmatch cmake/commit.cmake
  WORKING_DIRECTORY ${SOURCE}
  RESULT_VARIABLE is_elsewhere
  OUTPUT_QUIET ERROR_QUIET)
if(is_elsewhere EQUAL 0)
  execute_process(
    COMMAND git rev-parse --short=10 HEAD
    WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
  file(READ ${SOURCE}/cmake/commit.txt commit)
  string(STRIP "${commit}" commit)
  if(commit MATCHES "Format")
    set(commit "")
  endif()
endif()
file(WRITE ${OUTPUT} "${commit}\n")
