/* Conway's game of life on a torus, cell by cell and 32 cells at a time. */
int printf(const char *format, ...);

#define SIZE 32

static unsigned char cells[SIZE][SIZE], scratch[SIZE][SIZE];
static unsigned rows[SIZE], next_rows[SIZE];

int count_neighbours(int y, int x) {
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dy || dx)
        count += cells[(y + dy + SIZE) % SIZE][(x + dx + SIZE) % SIZE];
  return count;
}

void step_cells(void) {
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      int count = count_neighbours(y, x);
      scratch[y][x] = count == 3 || (count == 2 && cells[y][x]);
    }
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      cells[y][x] = scratch[y][x];
}

unsigned turn_left(unsigned row) { return row << 1 | row >> 31; }

unsigned turn_right(unsigned row) { return row >> 1 | row << 31; }

void add_plane(unsigned plane, unsigned *ones, unsigned *twos, unsigned *fours) {
  unsigned carry = *ones & plane;
  *ones ^= plane;
  unsigned second = *twos & carry;
  *twos ^= carry;
  *fours |= second;
}

void step_rows(void) {
  for (int y = 0; y < SIZE; y++) {
    unsigned ones = 0, twos = 0, fours = 0;
    for (int dy = -1; dy <= 1; dy++) {
      unsigned row = rows[(y + dy + SIZE) % SIZE];
      add_plane(turn_left(row), &ones, &twos, &fours);
      add_plane(turn_right(row), &ones, &twos, &fours);
      if (dy)
        add_plane(row, &ones, &twos, &fours);
    }
    next_rows[y] = ~fours & twos & (ones | rows[y]);
  }
  for (int y = 0; y < SIZE; y++)
    rows[y] = next_rows[y];
}

int main(void) {
  unsigned state = 77, digest = 0;
  int wrong = 0, alive = 0;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      state = state * 1664525u + 1013904223u;
      cells[y][x] = state >> 30 == 0;
      rows[y] |= (unsigned)cells[y][x] << x;
    }
  for (int i = 0; i < 12; i++) {
    step_cells();
    step_rows();
  }
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      wrong += cells[y][x] != (rows[y] >> x & 1);
      alive += cells[y][x];
      digest = digest * 3 + cells[y][x];
    }
  printf("%d %08x %d\n", alive, digest, wrong);
  return wrong != 0;
}
