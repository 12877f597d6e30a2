//@stub
//@ // Exercise 18a: the sums of a matrix's rows, in OpenCL C.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 18a
//@solution
// Exercise 18a: the sums of a matrix's rows, in OpenCL C. The model solution.
//
// A work-item adds up every get_local_size(0)-th element of its row, so that neighbours read
// neighbours. Then the work-group adds up its partial sums, in half as many each time.
//@end

// sums[row] = the sum of the elements of a row of A, which is row-major and has `cols` of them. One
// work-group per row; its extent is a power of two, from 1 to 256. `partial` is local memory
// for one float a work-item.
kernel void row_sums(global const float* A, global float* sums, local float* partial, int cols) {
  //@stub
  //@ // TODO ({lines} lines): the row of this work-group and the sum of this work-item; then the sum
  //@ // of all of them, in local memory; and one element of sums.
  //@solution
  const int t = get_local_id(0);
  const int items = get_local_size(0);
  global const float* row = A + get_group_id(0) * (size_t)cols;

  float sum = 0.0f;
  for (int col = t; col < cols; col += items) sum += row[col];
  partial[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = items / 2; reach > 0; reach /= 2) {
    if (t < reach) partial[t] += partial[t + reach];
    barrier(CLK_LOCAL_MEM_FENCE);  // for all: also for those who add nothing
  }
  if (t == 0) sums[get_group_id(0)] = partial[0];
  //@end
}
