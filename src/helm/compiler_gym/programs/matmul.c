/* Matrix product of doubles, plain, with the second factor transposed, and in blocks; prints the largest difference. */
int printf(const char *format, ...);

#define N 48
#define BLOCK 8

static double a[N][N], b[N][N], transposed[N][N], c[N][N], d[N][N], e[N][N];

void fill(double matrix[N][N], int seed) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      matrix[i][j] = (double)((i * seed + j * 7) % 13) / 13.0;
}

void multiply(double x[N][N], double y[N][N], double out[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += x[i][k] * y[k][j];
      out[i][j] = sum;
    }
}

void multiply_transposed(double x[N][N], double y[N][N], double out[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      transposed[j][i] = y[i][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += x[i][k] * transposed[j][k];
      out[i][j] = sum;
    }
}

void multiply_blocks(double x[N][N], double y[N][N], double out[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      out[i][j] = 0;
  for (int ii = 0; ii < N; ii += BLOCK)
    for (int kk = 0; kk < N; kk += BLOCK)
      for (int jj = 0; jj < N; jj += BLOCK)
        for (int i = ii; i < ii + BLOCK; i++)
          for (int k = kk; k < kk + BLOCK; k++)
            for (int j = jj; j < jj + BLOCK; j++)
              out[i][j] += x[i][k] * y[k][j];
}

double largest_difference(double x[N][N], double y[N][N]) {
  double largest = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double difference = x[i][j] - y[i][j];
      if (difference < 0)
        difference = -difference;
      if (difference > largest)
        largest = difference;
    }
  return largest;
}

int main(void) {
  fill(a, 3);
  fill(b, 5);
  multiply(a, b, c);
  multiply_transposed(a, b, d);
  multiply_blocks(a, b, e);
  printf("%.6f %.3f %.3f\n", c[N / 2][N / 3], largest_difference(c, d), largest_difference(c, e));
  return largest_difference(c, d) + largest_difference(c, e) > 1e-9;
}
