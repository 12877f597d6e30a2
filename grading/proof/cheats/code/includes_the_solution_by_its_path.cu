// A cheat for 01a: includes the model solution by its full path, had it been found out.
// expected: does not compile: solutions/01a_residual/residual.cu

#include "@SOURCE@/solutions/01a_residual/residual.cu"
