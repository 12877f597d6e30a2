// A cheat for 01a: includes the checks, to change what they compare with.
// expected: does not compile: check.cpp

#include "check.cpp"
