/* Fast Fourier transform of 128 complex numbers, in place, and back; the roots come from half-angle formulas. */
int printf(const char *format, ...);

#define SIZE 128

struct complex {
  double re, im;
};

static struct complex signal[SIZE], original[SIZE], roots[SIZE / 2];

double square_root(double x) {
  double root = x > 1 ? x : 1;
  for (int i = 0; i < 40; i++)
    root = (root + x / root) / 2;
  return root;
}

struct complex times(struct complex a, struct complex b) {
  struct complex product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return product;
}

void make_roots(void) {
  struct complex step = {-1, 0};
  for (int n = 2; n < SIZE; n *= 2) {
    double re = step.re;
    step.re = square_root((1 + re) / 2);
    step.im = n == 2 ? -1 : -square_root((1 - re) / 2);
    if (n == 2)
      step.re = 0;
  }
  roots[0].re = 1;
  for (int i = 1; i < SIZE / 2; i++)
    roots[i] = times(roots[i - 1], step);
}

void transform(struct complex *x, int is_inverse) {
  for (int i = 1, j = 0; i < SIZE; i++) {
    int bit = SIZE / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      struct complex moved = x[i];
      x[i] = x[j];
      x[j] = moved;
    }
  }
  for (int length = 2; length <= SIZE; length *= 2)
    for (int start = 0; start < SIZE; start += length)
      for (int k = 0; k < length / 2; k++) {
        struct complex root = roots[k * (SIZE / length)];
        if (is_inverse)
          root.im = -root.im;
        struct complex odd = times(x[start + k + length / 2], root), even = x[start + k];
        x[start + k].re = even.re + odd.re;
        x[start + k].im = even.im + odd.im;
        x[start + k + length / 2].re = even.re - odd.re;
        x[start + k + length / 2].im = even.im - odd.im;
      }
}

int main(void) {
  double energy = 0, spectrum = 0;
  int wrong = 0;
  make_roots();
  for (int i = 0; i < SIZE; i++) {
    signal[i].re = original[i].re = i * 37 % 19 - 9;
    signal[i].im = original[i].im = i * 11 % 7 - 3;
    energy += original[i].re * original[i].re + original[i].im * original[i].im;
  }
  transform(signal, 0);
  printf("%.3f %.3f %.3f\n", signal[0].re, signal[1].re, signal[SIZE / 2].im);
  for (int i = 0; i < SIZE; i++)
    spectrum += signal[i].re * signal[i].re + signal[i].im * signal[i].im;
  transform(signal, 1);
  for (int i = 0; i < SIZE; i++) {
    double re = signal[i].re / SIZE - original[i].re, im = signal[i].im / SIZE - original[i].im;
    wrong += re * re + im * im > 1e-18;
  }
  printf("%.3f %.3f %d\n", energy, spectrum / SIZE, wrong);
  return wrong != 0;
}
