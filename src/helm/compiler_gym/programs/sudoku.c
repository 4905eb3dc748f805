/* A sudoku solved by trying the cell with the fewest candidates first. */
int printf(const char *format, ...);

static const char puzzle[] = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
static int grid[81], row_used[9], column_used[9], box_used[9], tries;

int box_of(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

void toggle(int cell, int digit) {
  int bit = 1 << digit;
  row_used[cell / 9] ^= bit;
  column_used[cell % 9] ^= bit;
  box_used[box_of(cell)] ^= bit;
  grid[cell] = grid[cell] ? 0 : digit;
}

int candidates(int cell) { return ~(row_used[cell / 9] | column_used[cell % 9] | box_used[box_of(cell)]) & 0x3FE; }

int count_bits(int x) {
  int count = 0;
  for (; x; x &= x - 1)
    count++;
  return count;
}

int solve(void) {
  int best = -1, fewest = 10;
  for (int cell = 0; cell < 81; cell++)
    if (!grid[cell]) {
      int count = count_bits(candidates(cell));
      if (count < fewest) {
        fewest = count;
        best = cell;
      }
    }
  if (best < 0)
    return 1;
  int open = candidates(best);
  for (int digit = 1; digit <= 9; digit++)
    if (open >> digit & 1) {
      tries++;
      toggle(best, digit);
      if (solve())
        return 1;
      toggle(best, digit);
    }
  return 0;
}

int main(void) {
  int wrong = 0;
  for (int cell = 0; cell < 81; cell++)
    if (puzzle[cell] != '.')
      toggle(cell, puzzle[cell] - '0');
  int solved = solve();
  for (int i = 0; i < 9; i++) {
    wrong += row_used[i] != 0x3FE || column_used[i] != 0x3FE || box_used[i] != 0x3FE;
    for (int k = 0; k < 9; k++)
      printf("%d", grid[9 * i + k]);
    printf("\n");
  }
  printf("%d %d\n", tries, wrong);
  return !solved || wrong;
}
