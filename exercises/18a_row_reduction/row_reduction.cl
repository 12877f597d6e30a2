// Exercise 18a: the sums of a matrix's rows, in OpenCL C.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 18a

// sums[row] = the sum of the elements of a row of A, which is row-major and has `cols` of them. One
// work-group per row; its extent is a power of two, from 1 to 256. `partial` is local memory
// for one float a work-item.
kernel void row_sums(global const float* A, global float* sums, local float* partial, int cols) {
  // TODO (12 lines): the row of this work-group and the sum of this work-item; then the sum
  // of all of them, in local memory; and one element of sums.
}
