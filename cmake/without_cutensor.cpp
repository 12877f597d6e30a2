// What stands in for a chapter's program that calls cuTENSOR, in a build for a GPU on a machine
// that has none: it says how to get it, and has the chapter run on the emulator's.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  std::fprintf(stderr, "%s: no cuTENSOR on this machine: ./course cutensor gets it\n", CHAPTER);
  // For tests: 77 is what ctest takes for skipped.
  if (argc == 2 && std::string_view(argv[1]) == "--only-say") return 77;
  std::fprintf(stderr, "%s: running on the emulator's cuTENSOR\n", CHAPTER);
  std::vector<std::string> words = {COURSE,         "--backend", "emulator",
                                    "--no-install", "run",       CHAPTER};
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  if (BUILD_ROOT[0] != '\0') setenv("COURSE_BUILD_DIR", BUILD_ROOT, 1);
  std::fflush(stderr);
  execv(COURSE, pointers.data());
  std::perror(COURSE);
  return 1;
}
