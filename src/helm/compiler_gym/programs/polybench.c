/* Kernels in the manner of PolyBench: atax, gemver's rank-two update, covariance, syrk, and a triangular solution. */
int printf(const char *format, ...);

#define N 20
#define M 16

static double a[N][N], b[N][N], data[M][N], covariance[N][N], x[N], y[N], u[N], v[N];

void fill(void) {
  for (int i = 0; i < N; i++) {
    x[i] = 1 + (i % 3) * 0.5;
    u[i] = i * 0.25;
    v[i] = (N - i) * 0.125;
    for (int j = 0; j < N; j++)
      a[i][j] = ((i + 2 * j) % 11) * 0.5;
    for (int k = 0; k < M; k++)
      data[k][i] = ((k * i) % 13) * 0.25 + k;
  }
}

void atax(void) {
  double image[N];
  for (int i = 0; i < N; i++) {
    image[i] = 0;
    for (int j = 0; j < N; j++)
      image[i] += a[i][j] * x[j];
  }
  for (int j = 0; j < N; j++)
    y[j] = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      y[j] += a[i][j] * image[i];
}

void rank_two_update(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] += u[i] * v[j] + v[i] * u[j];
}

void symmetric_product(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * a[j][k];
      b[i][j] = b[j][i] = sum;
    }
}

void compute_covariance(void) {
  double mean[N];
  for (int j = 0; j < N; j++) {
    mean[j] = 0;
    for (int k = 0; k < M; k++)
      mean[j] += data[k][j];
    mean[j] /= M;
  }
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < M; k++)
        sum += (data[k][i] - mean[i]) * (data[k][j] - mean[j]);
      covariance[i][j] = covariance[j][i] = sum / (M - 1);
    }
}

void solve_triangular(void) {
  for (int i = 0; i < N; i++) {
    double sum = u[i];
    for (int j = 0; j < i; j++)
      sum -= covariance[i][j] * x[j] * 0.01;
    x[i] = sum / (covariance[i][i] + 1);
  }
}

double sum_of(double (*matrix)[N]) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += matrix[i][j];
  return sum;
}

int main(void) {
  double total = 0, solved = 0;
  fill();
  atax();
  for (int i = 0; i < N; i++)
    total += y[i];
  printf("%.4f\n", total);
  rank_two_update();
  printf("%.4f\n", sum_of(a));
  symmetric_product();
  printf("%.2f\n", sum_of(b));
  compute_covariance();
  solve_triangular();
  for (int i = 0; i < N; i++)
    solved += x[i];
  printf("%.4f %.6f\n", sum_of(covariance), solved);
  return !(total > 0 && covariance[1][1] > 0);
}
