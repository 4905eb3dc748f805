/* The Mandelbrot set in doubles and in fixed-point integers, drawn with characters; prints checksums. */
int printf(const char *format, ...);

#define WIDTH 64
#define HEIGHT 32
#define LIMIT 60
#define SHIFT 20

static char picture[HEIGHT][WIDTH + 1];

int escape(double cx, double cy) {
  double x = 0, y = 0;
  int n = 0;
  while (n < LIMIT && x * x + y * y <= 4.0) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  return n;
}

long long times(long long a, long long b) { return (a * b) >> SHIFT; }

int escape_fixed(long long cx, long long cy) {
  long long x = 0, y = 0;
  int n = 0;
  for (; n < LIMIT; n++) {
    long long xx = times(x, x), yy = times(y, y);
    if (xx + yy > (4LL << SHIFT))
      break;
    y = 2 * times(x, y) + cy;
    x = xx - yy + cx;
  }
  return n;
}

char shade(int n) {
  static const char shades[] = " .:-=+*#%@";
  return n >= LIMIT ? '@' : shades[n * 9 / LIMIT];
}

unsigned draw(int is_fixed) {
  unsigned sum = 0;
  for (int row = 0; row < HEIGHT; row++) {
    for (int column = 0; column < WIDTH; column++) {
      int n;
      if (is_fixed)
        n = escape_fixed((((long long)column * 3) << SHIFT) / WIDTH - (2LL << SHIFT), (((long long)row * 2) << SHIFT) / HEIGHT - (1LL << SHIFT));
      else
        n = escape(column * 3.0 / WIDTH - 2.0, row * 2.0 / HEIGHT - 1.0);
      picture[row][column] = shade(n);
      sum = sum * 31 + n;
    }
    picture[row][WIDTH] = 0;
  }
  return sum;
}

int main(void) {
  unsigned first = draw(0);
  int filled = 0;
  for (int row = 0; row < HEIGHT; row++)
    for (const char *c = picture[row]; *c; c++)
      filled += *c == '@';
  unsigned second = draw(1);
  printf("%s\n%u %d %d\n", picture[HEIGHT / 2], first, filled, second != 0);
  return 0;
}
