// A cheat for 01a: includes the model solution by its place in the course's folder.
// expected: does not compile: solutions/01a_residual/residual.cu

#include "../../solutions/01a_residual/residual.cu"
