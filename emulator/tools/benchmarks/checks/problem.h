#ifndef BENCH_CHECKS_PROBLEM_H
#define BENCH_CHECKS_PROBLEM_H
/* What both programs share, the one in CUDA and the one in OpenCL: the command line, the data and
   the judgement of the result. C and C++ alike, and compiled apart from the kernels: so the
   emulator does not see what is done here, as Oclgrind does not.

       PROGRAM KERNEL SIZE

   All values are small whole numbers, so a sum has the same bits in any order. */

#include <stddef.h>

enum { block_threads = 256, tile_edge = 16, largest_vector = 1 << 26, largest_matrix = 1 << 12 };

typedef enum {
  kernel_empty,
  kernel_saxpy,
  kernel_sgemv,
  kernel_gemm,
  kernel_reduction,
  kernel_stencil,
  /* These have a mistake, for the checks to find. */
  kernel_missing_barrier,
  kernel_past_the_end,
  kernel_never_written,
  kernel_count
} kernel_choice;

/* One run: the kernel's size and its arrays. An array of no elements is not there. */
typedef struct {
  kernel_choice kernel;
  int size;         /* elements of a vector, or edge of a matrix */
  int blocks;       /* in x; the product has as many in y */
  size_t a_count;   /* input: a vector, or a matrix row after row */
  size_t b_count;   /* second input */
  size_t out_count; /* output; of saxpy also an input, equal to b */
} problem;

/* Reads the command line. What is wrong with it is said in one line, and ends the program. */
problem read_problem(int argc, char** argv);

/* The name of the kernel, as on the command line and in the files of kernels. */
const char* kernel_name(const problem* p);

int is_two_dimensional(const problem* p);

/* SAXPY alone reads what it writes. */
int is_in_place(const problem* p);

/* Room for that many elements; never none. */
float* new_array(size_t count);

/* Writes the first input (which = 0), or the second and the start of the output (which = 1). */
void fill(float* array, size_t count, int which);

/* The program's exit status: 0 if every element of the output is right. */
int judge(const problem* p, const float* a, const float* b, const float* out);

#endif
