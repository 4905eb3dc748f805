/* Radix sort of 32-bit numbers, by bytes from the lowest up and by bits from the highest down. */
int printf(const char *format, ...);

#define SIZE 500

static unsigned values[SIZE], others[SIZE], buffer[SIZE];

void sort_by_bytes(unsigned *data, int size) {
  for (int shift = 0; shift < 32; shift += 8) {
    int starts[257] = {0};
    for (int i = 0; i < size; i++)
      starts[(data[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++)
      starts[i + 1] += starts[i];
    for (int i = 0; i < size; i++)
      buffer[starts[data[i] >> shift & 255]++] = data[i];
    for (int i = 0; i < size; i++)
      data[i] = buffer[i];
  }
}

void sort_by_bits(unsigned *data, int low, int high, unsigned bit) {
  if (low >= high || !bit)
    return;
  int i = low, j = high;
  while (i <= j) {
    if (!(data[i] & bit)) {
      i++;
    } else {
      unsigned moved = data[i];
      data[i] = data[j];
      data[j--] = moved;
    }
  }
  sort_by_bits(data, low, j, bit >> 1);
  sort_by_bits(data, i, high, bit >> 1);
}

int main(void) {
  unsigned state = 99, digest = 0;
  for (int i = 0; i < SIZE; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    values[i] = others[i] = state;
  }
  sort_by_bytes(values, SIZE);
  sort_by_bits(others, 0, SIZE - 1, 0x80000000u);
  int wrong = 0;
  for (int i = 0; i < SIZE; i++) {
    wrong += values[i] != others[i] || (i && values[i - 1] > values[i]);
    digest = digest * 33 ^ values[i];
  }
  printf("%08x %08x %08x %d\n", values[0], values[SIZE - 1], digest, wrong);
  return wrong != 0;
}
