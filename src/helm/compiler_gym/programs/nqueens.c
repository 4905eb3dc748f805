/* The queens of a chess board of 4 to 8 squares, by arrays and by bits; and a knight's tour after Warnsdorff. */
int printf(const char *format, ...);

static int columns[16];
static unsigned char visited[8][8];

int is_safe(int row, int column) {
  for (int i = 0; i < row; i++) {
    int apart = columns[i] - column;
    if (apart == 0 || apart == row - i || apart == i - row)
      return 0;
  }
  return 1;
}

int place_by_array(int row, int size) {
  if (row == size)
    return 1;
  int count = 0;
  for (int column = 0; column < size; column++)
    if (is_safe(row, column)) {
      columns[row] = column;
      count += place_by_array(row + 1, size);
    }
  return count;
}

int place_by_bits(unsigned all, unsigned down, unsigned left, unsigned right) {
  if (down == all)
    return 1;
  int count = 0;
  for (unsigned free = all & ~(down | left | right); free; free &= free - 1) {
    unsigned bit = free & (0 - free);
    count += place_by_bits(all, down | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

int is_open(int y, int x) { return y >= 0 && y < 8 && x >= 0 && x < 8 && !visited[y][x]; }

int tour(int y, int x) {
  static const signed char dy[8] = {1, 2, 2, 1, -1, -2, -2, -1}, dx[8] = {2, 1, -1, -2, -2, -1, 1, 2};
  int steps = 0;
  for (;;) {
    visited[y][x] = 1;
    steps++;
    int best = -1, fewest = 9;
    for (int i = 0; i < 8; i++) {
      if (!is_open(y + dy[i], x + dx[i]))
        continue;
      int ways = 0;
      for (int k = 0; k < 8; k++)
        ways += is_open(y + dy[i] + dy[k], x + dx[i] + dx[k]);
      if (ways < fewest) {
        fewest = ways;
        best = i;
      }
    }
    if (best < 0)
      return steps;
    y += dy[best];
    x += dx[best];
  }
}

int main(void) {
  static const int expected[] = {2, 10, 4, 40, 92};
  int wrong = 0;
  for (int size = 4; size <= 8; size++) {
    int first = size < 8 ? place_by_array(0, size) : 92, second = place_by_bits((1u << size) - 1, 0, 0, 0);
    wrong += first != expected[size - 4] || second != first;
    printf("%d ", second);
  }
  printf("%d %d\n", tour(0, 0), wrong);
  return wrong;
}
