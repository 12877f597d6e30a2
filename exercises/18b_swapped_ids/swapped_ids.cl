// Exercise 18b: two kernels that are right for some matrices only. Mend them.
//
// README.md beside this file says what they should do.
// Then:   ./course check 18b

// C(row, col) = scale[row] * A(row, col). A and C have `rows` x `cols` elements, row after row. The
// work-groups cover at least all of them; number 0 counts columns, number 1 rows.
kernel void scale_rows(global const float* A, global const float* scale, global float* C, int rows,
                       int cols) {
  const int row = get_global_id(0);
  const int col = get_global_id(1);
  if (row > rows || col > cols) return;
  C[(size_t)row * cols + col] = scale[row] * A[(size_t)row * cols + col];
}

// T(col, row) = A(row, col): A has `rows` x `cols` elements, T `cols` x `rows`. A work-group of
// TILE x TILE reads a tile along its rows and writes it along the rows of T. TILE is defined when
// this file is compiled.
kernel void turn(global const float* A, global float* T, int rows, int cols) {
  local float tile[TILE][TILE + 1];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  if (row < rows && col < cols) tile[y][x] = A[(size_t)row * cols + col];

  if (row < rows && col < cols) T[(size_t)row * rows + col] = tile[x][y];
}
