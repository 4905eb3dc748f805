/* Linear equations: LU with pivots, Cholesky, and Gauss-Jordan inversion of one symmetric matrix. */
int printf(const char *format, ...);

#define N 12

static double matrix[N][N], work[N][N], inverse[N][N], lower[N][N];

double absolute(double x) { return x < 0 ? -x : x; }

double square_root(double x) {
  double root = x > 1 ? x : 1;
  for (int i = 0; i < 50; i++)
    root = 0.5 * (root + x / root);
  return root;
}

void solve_lu(double *x, const double *b) {
  int order[N];
  for (int i = 0; i < N; i++) {
    order[i] = i;
    for (int j = 0; j < N; j++)
      work[i][j] = matrix[i][j];
  }
  for (int k = 0; k < N; k++) {
    int pivot = k;
    for (int i = k + 1; i < N; i++)
      if (absolute(work[order[i]][k]) > absolute(work[order[pivot]][k]))
        pivot = i;
    int moved = order[k];
    order[k] = order[pivot];
    order[pivot] = moved;
    for (int i = k + 1; i < N; i++) {
      double factor = work[order[i]][k] /= work[order[k]][k];
      for (int j = k + 1; j < N; j++)
        work[order[i]][j] -= factor * work[order[k]][j];
    }
  }
  for (int i = 0; i < N; i++) {
    x[i] = b[order[i]];
    for (int j = 0; j < i; j++)
      x[i] -= work[order[i]][j] * x[j];
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++)
      x[i] -= work[order[i]][j] * x[j];
    x[i] /= work[order[i]][i];
  }
}

void solve_cholesky(double *x, const double *b) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      double sum = matrix[i][j];
      for (int k = 0; k < j; k++)
        sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? square_root(sum) : sum / lower[j][j];
    }
  for (int i = 0; i < N; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= lower[i][j] * x[j];
    x[i] /= lower[i][i];
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++)
      x[i] -= lower[j][i] * x[j];
    x[i] /= lower[i][i];
  }
}

void invert(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      work[i][j] = matrix[i][j];
      inverse[i][j] = i == j;
    }
  for (int k = 0; k < N; k++) {
    double scale = 1 / work[k][k];
    for (int j = 0; j < N; j++) {
      work[k][j] *= scale;
      inverse[k][j] *= scale;
    }
    for (int i = 0; i < N; i++) {
      double factor = work[i][k];
      for (int j = 0; i != k && j < N; j++) {
        work[i][j] -= factor * work[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
}

int main(void) {
  double b[N], first[N], second[N];
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    b[i] = i * 7 % 5 + 1;
    for (int j = 0; j < N; j++)
      matrix[i][j] = i == j ? 2 * N + i : 1.0 / (1 + (i > j ? i - j : j - i));
  }
  solve_lu(first, b);
  solve_cholesky(second, b);
  invert();
  for (int i = 0; i < N; i++) {
    double third = 0;
    for (int j = 0; j < N; j++)
      third += inverse[i][j] * b[j];
    wrong += absolute(first[i] - second[i]) > 1e-10 || absolute(first[i] - third) > 1e-10;
  }
  printf("%.6f %.6f %.6f %d\n", first[0], second[N / 2], inverse[1][1], wrong);
  return wrong != 0;
}
