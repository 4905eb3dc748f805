/* Product of two polynomials by a number-theoretic transform modulo 998244353, and by the definition. */
int printf(const char *format, ...);

#define SIZE 128
#define MODULUS 998244353u

typedef unsigned int u32;
typedef unsigned long long u64;

static u32 a[SIZE], b[SIZE], product[SIZE];

u32 multiply(u32 x, u32 y) { return (u32)((u64)x * y % MODULUS); }

u32 power(u32 base, u32 exponent) {
  u32 result = 1;
  for (; exponent; exponent >>= 1, base = multiply(base, base))
    if (exponent & 1)
      result = multiply(result, base);
  return result;
}

void transform(u32 *x, u32 root) {
  for (int i = 1, j = 0; i < SIZE; i++) {
    int bit = SIZE >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      u32 moved = x[i];
      x[i] = x[j];
      x[j] = moved;
    }
  }
  for (int length = 2; length <= SIZE; length <<= 1) {
    u32 step = power(root, SIZE / length);
    for (int start = 0; start < SIZE; start += length) {
      u32 factor = 1;
      for (int k = start; k < start + length / 2; k++) {
        u32 odd = multiply(x[k + length / 2], factor), even = x[k];
        x[k] = (even + odd) % MODULUS;
        x[k + length / 2] = (even + MODULUS - odd) % MODULUS;
        factor = multiply(factor, step);
      }
    }
  }
}

int main(void) {
  u32 state = 1, root = power(3, (MODULUS - 1) / SIZE), shrink = power(SIZE, MODULUS - 2), digest = 0;
  for (int i = 0; i < SIZE / 2; i++) {
    state = state * 1664525u + 1013904223u;
    a[i] = state >> 2;
    state = state * 1664525u + 1013904223u;
    b[i] = state >> 2;
  }
  for (int i = 0; i < SIZE / 2; i++)
    for (int k = 0; k < SIZE / 2; k++)
      product[i + k] = (product[i + k] + multiply(a[i] % MODULUS, b[k] % MODULUS)) % MODULUS;
  for (int i = 0; i < SIZE; i++) {
    a[i] %= MODULUS;
    b[i] %= MODULUS;
  }
  transform(a, root);
  transform(b, root);
  for (int i = 0; i < SIZE; i++)
    a[i] = multiply(a[i], b[i]);
  transform(a, power(root, MODULUS - 2));
  int wrong = 0;
  for (int i = 0; i < SIZE; i++) {
    a[i] = multiply(a[i], shrink);
    wrong += a[i] != product[i];
    digest = digest * 31 + a[i];
  }
  printf("%u %08x %d\n", a[0], digest, wrong);
  return wrong != 0;
}
