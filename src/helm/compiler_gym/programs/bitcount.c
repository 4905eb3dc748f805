/* Seven ways to count the bits of a number; they must agree. */
int printf(const char *format, ...);

typedef unsigned int word;
typedef int (*counter)(word);

static unsigned char bits_of_byte[256];

int count_by_shift(word x) {
  int count = 0;
  for (; x; x >>= 1)
    count += x & 1;
  return count;
}

int count_by_clearing(word x) {
  int count = 0;
  while (x) {
    x &= x - 1;
    count++;
  }
  return count;
}

int count_in_parallel(word x) {
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0Fu;
  return (x * 0x01010101u) >> 24;
}

int count_by_tree(word x) {
  x = (x & 0x55555555u) + (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  x = (x & 0x0F0F0F0Fu) + (x >> 4 & 0x0F0F0F0Fu);
  x = (x & 0x00FF00FFu) + (x >> 8 & 0x00FF00FFu);
  return (x & 0x0000FFFFu) + (x >> 16);
}

int count_by_bytes(word x) {
  return bits_of_byte[x & 255] + bits_of_byte[x >> 8 & 255] + bits_of_byte[x >> 16 & 255] + bits_of_byte[x >> 24];
}

int count_by_nibbles(word x) {
  static const signed char bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  int count = 0;
  for (int i = 0; i < 8; i++, x >>= 4)
    count += bits[x & 15];
  return count;
}

int count_recursively(word x) { return x ? (int)(x & 1) + count_recursively(x >> 1) : 0; }

int main(void) {
  static const counter counters[] = {count_by_shift, count_by_clearing, count_in_parallel, count_by_tree,
                                     count_by_bytes, count_by_nibbles,  count_recursively};
  for (int i = 0; i < 256; i++)
    bits_of_byte[i] = (unsigned char)((i & 1) + bits_of_byte[i / 2]);
  word state = 1;
  int wrong = 0, total = 0;
  for (int i = 0; i < 200; i++) {
    state = state * 1664525u + 1013904223u;
    int expected = counters[0](state);
    total += expected;
    for (int k = 1; k < (int)(sizeof counters / sizeof *counters); k++)
      wrong += counters[k](state) != expected;
  }
  printf("%d %d\n", total, wrong);
  return wrong;
}
