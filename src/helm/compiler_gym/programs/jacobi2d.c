/* Heat in a plate: Jacobi's and the Gauss-Seidel iteration on a grid of doubles, until both stand still. */
int printf(const char *format, ...);

#define SIZE 18

static double first[SIZE][SIZE], second[SIZE][SIZE], other[SIZE][SIZE];

void set_edges(double (*grid)[SIZE]) {
  for (int i = 0; i < SIZE; i++) {
    grid[0][i] = 100;
    grid[SIZE - 1][i] = 0;
    grid[i][0] = 75;
    grid[i][SIZE - 1] = 50;
  }
}

double jacobi_step(double (*from)[SIZE], double (*to)[SIZE]) {
  double change = 0;
  for (int y = 1; y < SIZE - 1; y++)
    for (int x = 1; x < SIZE - 1; x++) {
      to[y][x] = 0.25 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
      double delta = to[y][x] - from[y][x];
      change = delta * delta > change ? delta * delta : change;
    }
  return change;
}

double seidel_step(double (*grid)[SIZE]) {
  double change = 0;
  for (int y = 1; y < SIZE - 1; y++)
    for (int x = 1; x < SIZE - 1; x++) {
      double value = 0.25 * (grid[y - 1][x] + grid[y + 1][x] + grid[y][x - 1] + grid[y][x + 1]);
      double delta = value - grid[y][x];
      change = delta * delta > change ? delta * delta : change;
      grid[y][x] = value;
    }
  return change;
}

int main(void) {
  int wrong = 0, jacobi_rounds = 0, seidel_rounds = 0;
  set_edges(first);
  set_edges(second);
  set_edges(other);
  while (jacobi_rounds < 2000 && jacobi_step(first, second) + jacobi_step(second, first) > 1e-14)
    jacobi_rounds++;
  while (seidel_rounds < 2000 && seidel_step(other) > 1e-14)
    seidel_rounds++;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      double delta = first[y][x] - other[y][x];
      wrong += delta * delta > 1e-8;
    }
  printf("%.3f %.3f %.3f %d\n", first[1][1], first[SIZE / 2][SIZE / 2], other[SIZE - 2][3], wrong);
  return wrong || jacobi_rounds == 2000 || seidel_rounds == 2000 || seidel_rounds >= 2 * jacobi_rounds;
}
